package io.fabrichealth.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collective.log.JobLog;
import io.fabrichealth.collective.log.NcclTest;
import io.fabrichealth.collective.log.NcclTest.Device;
import io.fabrichealth.collective.log.NcclTest.Row;
import io.fabrichealth.collective.log.NcclTest.Timing;
import io.fabrichealth.finding.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RepeatedTestsTest {

  @Test
  void a_run_that_is_slower_than_the_same_test_was_is_told_with_its_file() {
    List<JobLog> logs = runs("all_reduce", 3, 370, 372, 368, 371);
    logs.add(run("today", "all_reduce", 3, 250));

    List<CollectiveFinding> findings = RepeatedTests.of(Job.UNNAMED, logs);

    assertThat(findings).hasSize(1);
    CollectiveFinding found = findings.getFirst();
    assertThat(found.cause()).isEqualTo(Cause.LINK_SLOW);
    assertThat(found.ranks()).isEmpty();
    assertThat(found.hosts()).containsExactly("h0", "h1", "h2");
    assertThat(found.summary()).contains("250.0 GB/s", "370.0", "5 runs");
    assertThat(found.evidence().getFirst().source()).isEqualTo("today");
  }

  @Test
  void other_tests_other_hosts_few_runs_and_noise_are_no_reason() {
    List<JobLog> logs = runs("all_reduce", 3, 370, 372, 330, 371);
    logs.add(run("x", "alltoall", 3, 50));
    logs.add(run("y", "all_reduce", 2, 50));
    logs.addAll(runs("broadcast", 3, 300, 300, 100));

    assertThat(RepeatedTests.of(Job.UNNAMED, logs)).isEmpty();
  }

  private static List<JobLog> runs(String operation, int hosts, double... reached) {
    List<JobLog> logs = new ArrayList<>();
    for (double bandwidth : reached) {
      logs.add(run("run" + logs.size(), operation, hosts, bandwidth));
    }
    return logs;
  }

  private static JobLog run(String source, String operation, int hosts, double bandwidth) {
    List<Device> devices =
        IntStream.range(0, hosts)
            .mapToObj(rank -> new Device(rank, "h" + rank, 1, 0, "", "H100"))
            .toList();
    Row small = new Row(8, 2, "float", "sum", -1, new Timing(30, 0, 1e6, 0), null);
    Row large = new Row(1 << 30, 1 << 28, "float", "sum", -1, null, timing(bandwidth));
    NcclTest test =
        new NcclTest(source, operation, devices, List.of(small, large), 0, Double.NaN, 0);
    return JobLog.of(source, List.of(test), List.of());
  }

  private static Timing timing(double bandwidth) {
    return new Timing(8_000, bandwidth / 2, bandwidth, 0);
  }
}
