package io.fabrichealth.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabrichealth.collective.log.JobLog;
import io.fabrichealth.collective.log.NcclRank;
import io.fabrichealth.collective.log.NcclTrouble;
import io.fabrichealth.collective.log.NcclTrouble.Kind;
import io.fabrichealth.collective.log.Text;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Subject;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NcclAnalysisTest {
  private static final int RANKS = 8;

  /** A job of four hosts with two ranks each, of which some go another way. */
  private static String job(int... socketRanks) {
    StringBuilder text = new StringBuilder("NCCL version 2.27.3+cuda12.8\n");
    for (int rank = 0; rank < RANKS; rank++) {
      int of = rank;
      boolean isSocket = Arrays.stream(socketRanks).anyMatch(number -> number == of);
      String head = head(rank) + "NCCL INFO ";
      text.append(head)
          .append(
              isSocket
                  ? "NET/IB : No device found."
                  : "NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.0.0."
                      + (rank / 2)
                      + "<0>")
          .append('\n');
      text.append(head).append("Using network ").append(isSocket ? "Socket" : "IB").append('\n');
      text.append(head)
          .append(
              "ncclCommInitRank comm 0x55d0 rank %d nranks %d cudaDev %d nvmlDev %d busId %d000 commId 0xabc - Init START%n"
                  .formatted(rank, RANKS, rank % 2, rank % 2, 1 + rank % 2));
      text.append(head)
          .append(
              "Channel 00/0 : %d[%d] -> %d[%d] [send] via NET/%s%n"
                  .formatted(
                      rank,
                      rank % 2,
                      (rank + 2) % RANKS,
                      rank % 2,
                      isSocket ? "Socket/0" : "IB/" + rank % 2 + "/GDRDMA"));
      text.append(head)
          .append(
              "ncclCommInitRank comm 0x55d0 rank %d nranks %d cudaDev %d nvmlDev %d busId %d000 commId 0xabc - Init COMPLETE%n"
                  .formatted(rank, RANKS, rank % 2, rank % 2, 1 + rank % 2));
    }
    return text.toString();
  }

  private static String head(int rank) {
    return "gpu-00%d:%d:%d [%d] ".formatted(rank / 2, 100 + rank, 500 + rank, rank % 2);
  }

  private static String warn(int rank, String text) {
    return "%n%stransport/net_ib.cc:2453 NCCL WARN %s%n".formatted(head(rank), text);
  }

  private static JobAnalysis analysis(String text) {
    return LogAnalysis.of(Job.UNNAMED, List.of(Text.job(text)));
  }

  @Test
  void who_runs_where_over_what_is_told() {
    JobLog log = Text.job(job());

    assertThat(log.nccl().version()).isEqualTo("2.27.3+cuda12.8");
    assertThat(log.worldSize()).isEqualTo(RANKS);
    assertThat(log.nccl().ranks())
        .extracting(NcclRank::rank, NcclRank::host, NcclRank::gpu, NcclRank::adapter)
        .contains(tuple(0, "gpu-000", 0, "mlx5_0/1"), tuple(5, "gpu-002", 1, "mlx5_1/1"));
    assertThat(log.nccl().ranks()).allMatch(NcclRank::hasJoined);
    assertThat(log.nccl().ranks()).extracting(NcclRank::bus).contains("1000", "2000");
  }

  @Test
  void a_job_over_rdma_has_no_fault() {
    assertThat(analysis(job()).findings()).isEmpty();
  }

  @Test
  void one_rank_over_tcp_is_named_with_its_host() {
    CollectiveFinding finding = analysis(job(5)).findings().getFirst();

    assertThat(finding.cause()).isEqualTo(Cause.SOCKET_FALLBACK);
    assertThat(finding.ranks()).containsExactly(5);
    assertThat(finding.hosts()).containsExactly("gpu-002");
    assertThat(finding.subject().id()).isEqualTo("-/5");
    assertThat(finding.summary()).contains("rank 5").contains("gpu-002").contains("TCP");
  }

  @Test
  void both_ranks_of_a_host_over_tcp_are_the_hosts_fault() {
    CollectiveFinding finding = analysis(job(4, 5)).findings().getFirst();

    assertThat(finding.ranks()).containsExactly(4, 5);
    assertThat(finding.subject()).isEqualTo(Subject.host("gpu-002"));
  }

  @Test
  void a_job_all_over_tcp_is_no_fault_where_nothing_tells_of_rdma() {
    assertThat(analysis(job(0, 1, 2, 3, 4, 5, 6, 7)).findings()).isEmpty();
  }

  @Test
  void a_job_all_over_tcp_is_a_fault_where_the_roster_has_adapters() {
    Job roster = new Job("train-7", List.of(new JobRank(0, "gpu-000", 0, "mlx5_0/1")), List.of());
    JobAnalysis analysis = LogAnalysis.of(roster, List.of(Text.job(job(0, 1, 2, 3, 4, 5, 6, 7))));

    assertThat(analysis.findings())
        .extracting(CollectiveFinding::cause)
        .containsExactly(Cause.SOCKET_FALLBACK);
    assertThat(analysis.findings().getFirst().ranks()).hasSize(RANKS);
  }

  @Test
  void a_rank_that_stages_through_host_memory_is_named() {
    String text =
        job()
            .replace(
                "Channel 00/0 : 3[1] -> 5[1] [send] via NET/IB/1/GDRDMA",
                "Channel 00/0 : 3[1] -> 5[1] [send] via NET/IB/1");
    CollectiveFinding finding = analysis(text).findings().getFirst();

    assertThat(finding.ranks()).containsExactly(3);
    assertThat(finding.summary()).contains("host's memory");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NET/IB : Got completion from peer 10.0.0.3<47000> with error 12, opcode 0, len 0, vendor"
            + " err 129 (Send)",
        "NET/IB: Got completion from peer 10.0.0.3<47000> with status=12 opcode=1 len=0 vendor err"
            + " 129 (Send) hca mlx5_0",
        "NET/IB: Got completion from peer 10.0.0.3<47000> with status=IBV_WC_RETRY_EXC_ERR(12)"
            + " opcode=IBV_WC_RDMA_WRITE(1) vendor_err=129 localGid ::ffff:1.1.1.4"
            + " remoteGids::ffff:1.1.2.2 hca mlx5_0"
      })
  void a_transfer_without_an_answer_is_told_in_each_dialect(String text) {
    NcclTrouble trouble = Text.job(job() + warn(0, text)).nccl().troubles().getFirst();

    assertThat(trouble.kind()).isEqualTo(Kind.COMPLETION);
    assertThat(trouble.status()).isEqualTo(12);
    assertThat(trouble.peer()).isEqualTo("10.0.0.3");
    assertThat(trouble.rank()).isZero();
    assertThat(trouble.host()).isEqualTo("gpu-000");
    assertThat(trouble.isPrimary()).isTrue();
  }

  @Test
  void the_addresses_of_both_ends_are_kept() {
    NcclTrouble trouble =
        Text.job(
                warn(
                    0,
                    "NET/IB: Got completion from peer 10.0.0.3<47000> with status=5 opcode=1 len=0"
                        + " vendor err 249 (Recv) localGid ::ffff:1.1.1.4 remoteGids::ffff:1.1.2.2"
                        + " hca mlx5_0"))
            .nccl()
            .troubles()
            .getFirst();

    assertThat(trouble.localGid()).isEqualTo("::ffff:1.1.1.4");
    assertThat(trouble.remoteGid()).isEqualTo("::ffff:1.1.2.2");
    assertThat(trouble.adapter()).isEqualTo("mlx5_0");
    assertThat(trouble.isPrimary()).isFalse();
  }

  @Test
  void transfers_that_fail_towards_one_host_point_at_it() {
    String lost =
        "NET/IB: Got completion from peer 10.0.0.3<4%d> with status=12 opcode=1 len=0 vendor err"
            + " 129 (Send) hca mlx5_0";
    CollectiveFinding finding =
        analysis(
                job()
                    + warn(0, lost.formatted(1))
                    + warn(2, lost.formatted(2))
                    + warn(4, lost.formatted(3)))
            .findings()
            .getFirst();

    assertThat(finding.cause()).isEqualTo(Cause.COLLECTIVE_STALLED);
    assertThat(finding.ranks()).isEmpty();
    assertThat(finding.links()).containsExactly("gpu-003");
  }

  @Test
  void a_flushed_request_alone_says_nothing() {
    String flushed =
        "NET/IB: Got completion from peer 10.0.0.3<41> with status=5 opcode=1 len=0 vendor err 249"
            + " (Send)";

    assertThat(analysis(job() + warn(0, flushed)).findings()).isEmpty();
  }

  @Test
  void a_failover_without_return_is_a_fault_of_the_rail() {
    String text =
        job()
            + warn(2, "NET/IB : mlx5_0:1 Got non-fatal async event: port error(10)")
            + warn(
                2,
                "NET/IB: ncclIbResiliencyHandleDeviceFailure: Device 0 marked as failed. Initiating"
                    + " recovery? Yes (send comm=0x7f03e8086000, outstandingRecovery=0)");
    JobAnalysis analysis = analysis(text);

    assertThat(analysis.findings())
        .extracting(CollectiveFinding::cause)
        .containsExactlyInAnyOrder(Cause.RAIL_FAILOVER, Cause.LINK_DOWN);
    CollectiveFinding failover =
        analysis.findings().stream()
            .filter(finding -> finding.cause() == Cause.RAIL_FAILOVER)
            .findFirst()
            .orElseThrow();
    assertThat(failover.links()).containsExactly("gpu-001:mlx5_0/1");
    assertThat(failover.ranks()).containsExactly(2);
    assertThat(failover.hosts()).containsExactly("gpu-001");
  }

  @Test
  void a_rail_that_came_back_is_told_as_a_flap() {
    String text =
        job()
            + warn(2, "NET/IB : mlx5_0:1 Got non-fatal async event: port error(10)")
            + warn(
                2,
                "NET/IB: ncclIbResiliencyHandleDeviceFailure: Device 0 marked as failed. Initiating"
                    + " recovery? Yes")
            + warn(2, "NET/IB : mlx5_0:1 Got non-fatal async event: port active(9)")
            + head(2)
            + "NCCL INFO NET/IB: Port recovery succeeded for devIndex=0 (send comm)\n";

    assertThat(analysis(text).findings())
        .extracting(CollectiveFinding::cause)
        .containsExactly(Cause.LINK_FLAP);
  }

  @ParameterizedTest
  @CsvSource({
    "[2026-05-04 19:55:27] , 2026-05-04T19:55:27Z",
    "2026-05-04T19:55:27Z , 2026-05-04T19:55:27Z"
  })
  void nccls_own_time_is_taken_as_utc(String prefix, Instant expected) {
    String text = prefix + " " + warn(0, "NET/IB : mlx5_0:1 Got async event : port error").strip();

    assertThat(Text.job(text).nccl().troubles().getFirst().time()).isEqualTo(expected);
    assertThat(Text.job(text).nccl().troubles().getFirst().kind()).isEqualTo(Kind.PORT_DOWN);
  }

  @Test
  void a_ring_over_several_lines_is_one() {
    String text =
        job()
            + head(0)
            + "NCCL INFO Channel 00/02 :    0   1   2   3\n"
            + head(0)
            + "NCCL INFO Channel 00/02 :    4   5   6   7\n";

    assertThat(Text.job(text).nccl().rings().getFirst().order())
        .containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
  }

  @Test
  void the_logs_serve_as_a_roster() {
    assertThat(NcclAnalysis.roster(List.of(Text.job(job()))))
        .contains(new JobRank(7, "gpu-003", 1, "mlx5_1/1"));
  }
}
