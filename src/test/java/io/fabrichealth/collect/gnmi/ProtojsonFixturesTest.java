package io.fabrichealth.collect.gnmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.gnmi.proto.SubscribeResponse;
import com.google.protobuf.util.JsonFormat;
import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.testing.Readings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What real devices sent, sent again over real gRPC. */
class ProtojsonFixturesTest {
  private static final Path FIXTURES = Path.of("../shared/fixtures/gnmi-protojson");
  private static final Duration INTERVAL = Duration.ofMillis(500);

  private final InstantSource clock = InstantSource.system();
  private final GnmiCollectors collectors = GnmiCollectors.shipped(Readings.DICTIONARY, clock);
  private final LeafTree content = new LeafTree();
  private final SimulatedGnmiTarget target = new SimulatedGnmiTarget(content).start();
  private Collector collector;

  @BeforeAll
  static void find() {
    assumeTrue(Files.isDirectory(FIXTURES), "skipped: " + FIXTURES + " is not there");
  }

  @AfterEach
  void stop() {
    collector.close();
    collectors.close();
    target.close();
  }

  private CollectOutcome replay(String profile, String file)
      throws IOException, InterruptedException {
    collector = collectors.collector(target.target(profile, INTERVAL, null));
    collector.collect(deadline());
    for (JsonNode response :
        JsonMapper.builder().build().readTree(FIXTURES.resolve(file).toFile())) {
      SubscribeResponse.Builder parsed = SubscribeResponse.newBuilder();
      JsonFormat.parser().ignoringUnknownFields().merge(response.toString(), parsed);
      target.send(parsed.getUpdate());
    }
    return collector.collect(deadline());
  }

  private Instant deadline() {
    return clock.instant().plus(Duration.ofSeconds(20));
  }

  @Test
  void junos_gives_its_lanes_with_powers_as_four_bytes() throws IOException, InterruptedException {
    CollectOutcome outcome = replay("junos", "telegraf-issue_17154.json");

    assertThat(outcome.problems()).isEmpty();
    Readings readings = new Readings(outcome.batch());
    // vY9cKQ== is BD8F5C29, -0.07; QBR64Q== is 40147AE1, 2.32.
    assertThat(readings.of("et-0/0/0", "optics.rx_power_dbm", 0)).isEqualTo("OK -0.07");
    assertThat(readings.of("et-0/0/0", "optics.tx_power_dbm", 0)).isEqualTo("OK 2.32");
    assertThat(readings.of("et-0/0/0", "optics.rx_power_dbm", 2)).isEqualTo("OK 0.82");
    assertThat(readings.of("et-0/0/0", "optics.rx_power_dbm", 3)).isEqualTo("OK 1.53");
    assertThat(readings.of("et-0/0/0", "optics.rx_power_dbm", 4)).isNull();
    assertThat(readings.of("et-0/0/0", "optics.tx_bias_milliamperes", 3)).isEqualTo("OK 90.0");
    assertThat(readings.of("et-0/0/0", "optics.module_temperature_celsius")).isEqualTo("OK 36.66");
    assertThat(readings.of("et-0/0/0", "fec.corrected_bits", 1)).isEqualTo("OK 0");
    assertThat(outcome.sighting().ports())
        .singleElement()
        .satisfies(port -> assertThat(port.index()).isEqualTo(513));
    assertThat(readings.of("et-0/0/0", "port.in_octets")).isEqualTo("UNSUPPORTED");
  }

  @Test
  void ciena_names_the_interface_by_a_leaf_within_and_its_models_before_a_colon()
      throws IOException, InterruptedException {
    CollectOutcome outcome = replay("openconfig", "telegraf-issue_16476.json");

    Readings readings = new Readings(outcome.batch());
    assertThat(outcome.batch().ports()).containsExactly("1");
    assertThat(readings.of("1", "port.in_octets")).isEqualTo("OK 95890972327359");
    assertThat(readings.of("1", "port.out_octets")).isEqualTo("OK 885293268981054");
    assertThat(readings.of("1", "port.in_packets")).isEqualTo("OK 222159970919");
    assertThat(readings.of("1", "port.in_discards")).isEqualTo("OK 236");
    // It gives out-errors, and no out-discards: what is absent is not 0.
    assertThat(readings.of("1", "port.out_errors")).isEqualTo("OK 0");
    assertThat(readings.of("1", "port.out_discards")).isEqualTo("UNSUPPORTED");
    assertThat(outcome.batch().discontinuity("1")).contains("1679547185677412529");
    assertThat(outcome.problems()).isEmpty();
  }

  @Test
  void a_container_of_ios_xr_comes_as_one_document_under_its_origin()
      throws IOException, InterruptedException {
    CollectOutcome outcome = replay("openconfig", "telegraf-issue_14044.json");

    assertThat(outcome.problems()).isEmpty();
    assertThat(outcome.sighting().ports())
        .singleElement()
        .satisfies(
            port -> {
              assertThat(port.name()).isEqualTo("FourHundredGigE0/2/0/3");
              assertThat(port.aliases()).containsExactly("REDACTED");
            });
    assertThat(new Readings(outcome.batch()).of("FourHundredGigE0/2/0/3", "port.oper_up"))
        .isEqualTo("UNSUPPORTED");
  }

  @Test
  void empty_updates_and_deletes_of_huawei_do_nothing() throws IOException, InterruptedException {
    content.set("/interfaces/interface[name=Ethernet1]/state/oper-status", "UP");

    CollectOutcome outcome = replay("openconfig", "telegraf-issue_17412.json");

    assertThat(outcome.problems()).extracting(Problem::message).isEmpty();
    assertThat(new Readings(outcome.batch()).of("Ethernet1", "port.oper_up")).isEqualTo("OK 1.0");
    assertThat(outcome.batch().ports()).isEqualTo(List.of("Ethernet1"));
  }
}
