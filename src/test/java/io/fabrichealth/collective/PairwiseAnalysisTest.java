package io.fabrichealth.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collective.log.JobLog;
import io.fabrichealth.collective.log.NcclTest;
import io.fabrichealth.collective.log.Text;
import io.fabrichealth.finding.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntBinaryOperator;
import org.junit.jupiter.api.Test;

class PairwiseAnalysisTest {
  /** Runs of all_reduce between every two hosts, one log after the other. */
  private static List<JobLog> runs(int hosts, IntBinaryOperator bandwidth) {
    Random noise = new Random(7);
    List<JobLog> logs = new ArrayList<>();
    for (int one = 0; one < hosts; one++) {
      for (int other = one + 1; other < hosts; other++) {
        double reached = bandwidth.applyAsInt(one, other) * (1 + .02 * noise.nextGaussian());
        logs.add(
            Text.job(
                """
                # Collective test starting: all_reduce_perf
                # nThread 1 nGpus 1 minBytes 8 maxBytes 1073741824 step: 2(factor)
                #  Rank  0 Group  0 Pid  123 on %s device  0 [0000:1b:00] NVIDIA H100
                #  Rank  1 Group  0 Pid  124 on %s device  0 [0000:1b:00] NVIDIA H100
                #       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
                #        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
                           8             2     float     sum      -1    33.10    0.00    0.00      0    33.00    0.00    0.00      0
                  1073741824     268435456     float     sum      -1   8159.5 %7.2f %7.2f      0   8176.5 %7.2f %7.2f      0
                # Out of bounds values : 0 OK
                # Avg bus bandwidth    : 44.1
                """
                    .formatted(
                        "gpu-00" + one, "gpu-00" + other, reached, reached, reached, reached)));
      }
    }
    return logs;
  }

  private static List<CollectiveFinding> findings(List<JobLog> logs) {
    return PairwiseAnalysis.of(Job.UNNAMED, logs);
  }

  @Test
  void the_table_of_a_run_is_read() {
    NcclTest test = runs(3, (one, other) -> 88).getFirst().tests().getFirst();

    assertThat(test.operation()).isEqualTo("all_reduce");
    assertThat(test.hosts()).containsExactly("gpu-000", "gpu-001");
    assertThat(test.rows()).hasSize(2);
    assertThat(test.rows().getLast().root()).isEqualTo(-1);
    assertThat(test.averageBusBandwidth()).isEqualTo(44.1);
    assertThat(test.outOfBounds()).isZero();
  }

  @Test
  void pairs_that_differ_by_chance_have_no_fault() {
    assertThat(findings(runs(8, (one, other) -> 88))).isEmpty();
  }

  @Test
  void the_host_that_all_its_pairs_suffer_from_is_named() {
    List<CollectiveFinding> findings =
        findings(runs(8, (one, other) -> one == 3 || other == 3 ? 49 : 88));

    assertThat(findings).hasSize(1);
    assertThat(findings.getFirst().cause()).isEqualTo(Cause.LINK_SLOW);
    assertThat(findings.getFirst().hosts()).containsExactly("gpu-003");
    assertThat(findings.getFirst().subject().id()).isEqualTo("gpu-003");
  }

  @Test
  void a_pair_that_is_slow_alone_is_a_path_and_no_host() {
    List<CollectiveFinding> findings =
        findings(runs(8, (one, other) -> one == 2 && other == 5 ? 49 : 88));

    assertThat(findings).hasSize(1);
    assertThat(findings.getFirst().hosts()).containsExactly("gpu-002", "gpu-005");
  }

  @Test
  void two_slow_hosts_are_two() {
    List<CollectiveFinding> findings =
        findings(
            runs(8, (one, other) -> one == 1 || other == 1 || one == 6 || other == 6 ? 49 : 88));

    assertThat(findings)
        .extracting(finding -> finding.hosts().getFirst())
        .containsExactly("gpu-001", "gpu-006");
  }

  @Test
  void two_hosts_alone_tell_nothing() {
    assertThat(findings(runs(2, (one, other) -> 49))).isEmpty();
  }
}
