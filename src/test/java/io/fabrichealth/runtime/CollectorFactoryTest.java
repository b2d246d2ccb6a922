package io.fabrichealth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collect.Collector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CollectorFactoryTest {
  @TempDir private Path folder;

  @Test
  void every_kind_of_target_gets_its_collector_and_keeps_it() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("fabric-health.yaml"),
            """
            fabric-health:
              collect:
                snmp: {targets: [{device: a, address: 192.0.2.1, v2c: {community: c}}]}
                prometheus: {targets: [{device: b, url: "http://192.0.2.2/metrics"}]}
                gnmi: {targets: [{device: c, address: 192.0.2.3}]}
                infiniband: {targets: [{name: d, saved: {discover: none.txt}}]}
                prometheus-query: {targets: [{name: e, url: "http://192.0.2.5"}]}
                torch-debug: {jobs: [{name: f, workers: [{rank: 0, url: "http://192.0.2.6:1"}]}]}
            """);
    Settings settings = SettingsLoader.read(file, false);
    try (CollectorFactory factory =
        new CollectorFactory(SignalCatalogue.load(), InstantSource.system(), new LiveJobs())) {
      List<Collector> collectors = factory.create(settings);

      assertThat(collectors)
          .extracting(SourceLedger::target)
          .containsExactlyInAnyOrderElementsOf(settings.targetKeys());
      assertThat(factory.create(SettingsLoader.read(file, false)))
          .usingElementComparator((one, other) -> one == other ? 0 : 1)
          .containsExactlyElementsOf(collectors);
    }
  }
}
