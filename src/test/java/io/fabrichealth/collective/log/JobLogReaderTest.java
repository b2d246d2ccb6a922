package io.fabrichealth.collective.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabrichealth.collective.log.RankError.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobLogReaderTest {
  private static final String NEWEST =
      "[rank5]:[E1003 18:37:01.832146912 ProcessGroupNCCL.cpp:1895] [PG ID 1 PG GUID 3(tp) Rank 1]"
          + "  failure detected by watchdog at work sequence id: 808 PG status: last enqueued work:"
          + " 811, last completed work: 807";
  private static final String TIMEOUT =
      "[rank5]:[E1003 18:37:01.832146912 ProcessGroupNCCL.cpp:607] [Rank 1] Watchdog caught"
          + " collective operation timeout: WorkNCCL(SeqNum=808, OpType=ALLREDUCE, NumelIn=1,"
          + " NumelOut=1, Timeout(ms)=1800000) ran for 1800017 milliseconds before timing out.";

  static Stream<String> dialects() {
    String counts = "808, last enqueued NCCL work: 811, last completed NCCL work: 807.";
    String exception = " Exception (either an error or timeout) detected by watchdog at work: ";
    return Stream.of(
        "[rank5]:[E ProcessGroupNCCL.cpp:577] [PG 3 Rank 1]" + exception + counts,
        "[rank5]:[E1003 18:37:01.8 ProcessGroupNCCL.cpp:1] [PG 3 (tp) Rank 1]" + exception + counts,
        "[rank5]:[E1003 18:37:01.8 ProcessGroupNCCL.cpp:1] [PG 3 (tp) Rank 1] Timeout at NCCL"
            + " work: "
            + counts,
        "[rank5]:[E1003 18:37:01.8 ProcessGroupNCCL.cpp:1] [PG ID 1 PG GUID 3(tp) Rank 1]"
            + exception
            + counts,
        NEWEST);
  }

  @ParameterizedTest
  @MethodSource("dialects")
  void each_dialect_of_the_watchdog_tells_rank_group_and_numbers(String line) {
    GroupReport report = Text.job(line + "\n").groups().getFirst();

    assertThat(report.rank()).isEqualTo(5);
    assertThat(report.groupRank()).isEqualTo(1);
    assertThat(report.group()).isEqualTo("3");
    assertThat(report.description()).isIn("tp", "");
    assertThat(report.awaited()).isEqualTo(808);
    assertThat(report.lastEnqueued()).isEqualTo(811);
    assertThat(report.lastCompleted()).isEqualTo(807);
  }

  @Test
  void a_timeout_belongs_to_the_group_that_the_next_line_names() {
    JobLog log = Text.job(TIMEOUT + "\n" + NEWEST + "\n");

    assertThat(log.groups()).hasSize(1);
    assertThat(log.groups().getFirst().operation()).isEqualTo("ALLREDUCE");
    assertThat(log.groups().getFirst().elements()).isEqualTo(1);
    assertThat(log.groups().getFirst().waitedMillis()).isEqualTo(1_800_017);
    assertThat(log.groups().getFirst().group()).isEqualTo("3");
  }

  @Test
  void a_timeout_of_the_oldest_versions_stands_alone() {
    JobLog log =
        Text.job(
            "[E ProcessGroupNCCL.cpp:456] [Rank 2] Watchdog caught collective operation timeout:"
                + " WorkNCCL(OpType=BROADCAST, Timeout(ms)=1800000) ran for 1800116 milliseconds"
                + " before timing out.\n");

    GroupReport report = log.groups().getFirst();
    assertThat(report.rank()).isEqualTo(2);
    assertThat(report.awaited()).isEqualTo(-1);
    assertThat(report.isTimeout()).isTrue();
    assertThat(report.operation()).isEqualTo("BROADCAST");
  }

  @Test
  void prefixes_of_ever_new_ranks_do_not_fill_memory() {
    StringBuilder lines = new StringBuilder();
    for (int rank = 0; rank < 70_000; rank++) {
      lines.append("[rank").append(rank).append("]: world size unknown\n");
    }

    assertThat(Text.job(lines.toString()).ranks()).hasSizeLessThanOrEqualTo(1 << 16);
  }

  @Test
  void a_rank_that_was_told_to_dump_tells_its_counts_and_no_timeout() {
    JobLog log =
        Text.job(
            "[rank3]:[E1003 18:37:02.1 ProcessGroupNCCL.cpp:1683] [PG ID 0 PG GUID 0(default_pg)"
                + " Rank 3] Received a dump signal due to a collective timeout from  rank 1 and we"
                + " will try our best to dump the debug info. Last enqueued NCCL work: 79, last"
                + " completed NCCL work: 77.This is most likely caused by incorrect usages\n");

    GroupReport report = log.groups().getFirst();
    assertThat(report.isTimeout()).isFalse();
    assertThat(report.rank()).isEqualTo(3);
    assertThat(report.lastEnqueued()).isEqualTo(79);
    assertThat(report.lastCompleted()).isEqualTo(77);
  }

  @Test
  void a_watchdog_that_stands_still_is_told() {
    JobLog log =
        Text.job(
            "[rank0]:[F1003 18:37:02.1 ProcessGroupNCCL.cpp:1557] [PG ID 0 PG GUID 0(default_pg)"
                + " Rank 0] ProcessGroupNCCL's watchdog got stuck for 480 seconds without making"
                + " progress in monitoring enqueued collectives.\n");

    assertThat(log.groups().getFirst().isStuck()).isTrue();
    assertThat(log.groups().getFirst().waitedMillis()).isEqualTo(480_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "host7.log [stderr] %s",
        "(RayTrainWorker pid=123, ip=10.0.0.1) %s",
        "[80746] %s",
        " 3: %s",
        "2026-10-03T18:37:01.832146912Z %s",
        "\u001b[31m%s\u001b[0m",
        "(\u001b[36mWorker pid=7\u001b[0m) %s",
        "Epoch 3:  12%%|###   | 17/140 [00:03<00:11]%s",
        "Epoch 3:  12%%|###   | 17/140\r%s"
      })
  void launchers_colours_and_progress_bars_may_stand_before_it(String form) {
    JobLog log = Text.job(form.formatted(NEWEST) + "\r\n");

    assertThat(log.groups()).extracting(GroupReport::rank).containsExactly(5);
    assertThat(log.groups()).extracting(GroupReport::awaited).containsExactly(808L);
    assertThat(log.groups()).extracting(GroupReport::lastCompleted).containsExactly(807L);
  }

  @Test
  void the_containers_time_is_the_time() {
    JobLog log = Text.job("2026-10-03T18:37:01.5Z " + NEWEST + "\n");

    assertThat(log.groups().getFirst().time()).isEqualTo(Instant.parse("2026-10-03T18:37:01.5Z"));
    assertThat(Text.job(NEWEST).groups().getFirst().time()).isNull();
    assertThat(Text.job(NEWEST).groups().getFirst().clock()).isEqualTo("1003 18:37:01.832146912");
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 79, 80, 120, 150, 171})
  void a_wrapped_message_is_read(int width) {
    StringBuilder text = new StringBuilder();
    for (int from = 0; from < TIMEOUT.length(); from += width) {
      text.append(TIMEOUT, from, Math.min(TIMEOUT.length(), from + width)).append('\n');
    }

    GroupReport report = Text.job(text + "next line\n").groups().getFirst();
    assertThat(report.rank()).isEqualTo(5);
    assertThat(report.awaited()).isEqualTo(808);
    assertThat(report.waitedMillis()).isEqualTo(1_800_017);
  }

  @Test
  void wrapped_messages_of_two_ranks_may_interleave() {
    String other = TIMEOUT.replace("[rank5]", "[rank6]").replace("808", "900");
    String text =
        TIMEOUT.substring(0, 100)
            + "\n"
            + other.substring(0, 110)
            + "\n[rank5]: "
            + TIMEOUT.substring(100)
            + "\n[rank6]: "
            + other.substring(110)
            + "\n";

    assertThat(Text.job(text).groups())
        .extracting(GroupReport::rank, GroupReport::awaited)
        .containsExactlyInAnyOrder(tuple(5, 808L), tuple(6, 900L));
  }

  @Test
  void two_messages_in_one_line_are_two() {
    String line = NEWEST + NEWEST.replace("[rank5]", "[rank4]").replace("Rank 1]", "Rank 0]");

    assertThat(Text.job(line + "\n").groups())
        .extracting(GroupReport::rank)
        .containsExactlyInAnyOrder(5, 4);
  }

  @Test
  void a_message_within_ten_megabytes_of_line_is_found() {
    String text = "x".repeat(5_000_000) + NEWEST + "y".repeat(5_000_000) + "\n" + "z\n";
    JobLog log = Text.job(text.getBytes(StandardCharsets.UTF_8), 8192);

    assertThat(log.groups()).extracting(GroupReport::awaited).containsExactly(808L);
    assertThat(log.lines()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 64, 4096})
  void a_log_says_the_same_in_pieces_of_any_size(int piece) {
    byte[] text =
        (TIMEOUT + "\r\n" + NEWEST + "\n[rank2]: Traceback (most recent call last):\n")
            .getBytes(StandardCharsets.UTF_8);

    assertThat(Text.job(text, piece)).isEqualTo(Text.job(text, text.length));
  }

  @Test
  void the_exception_under_a_traceback_is_the_ranks_own() {
    JobLog log =
        Text.job(
            """
            [rank2]: Traceback (most recent call last):
            [rank1]: Traceback (most recent call last):
            [rank2]:   File "train.py", line 15, in <module>
            [rank1]:   File "train.py", line 23, in <module>
            [rank2]:     raise ValueError("bad batch")
            [rank2]: ValueError: bad batch
            [rank1]: RuntimeError: [pair.cc:561] Connection closed by peer [127.0.0.1]:6566.
            """);

    assertThat(log.errors())
        .extracting(RankError::rank, RankError::kind)
        .containsExactly(tuple(2, Kind.OWN), tuple(1, Kind.PEER_LOST));
    assertThat(log.errors().getFirst().text()).isEqualTo("ValueError: bad batch");
  }

  @Test
  void a_line_without_the_ranks_prefix_is_its_workers() {
    JobLog log =
        Text.job(
            """
            (Worker pid=9, ip=10.0.0.4) [rank7]:[I1003 18:37:01.8 x.cpp:1] hello
            (Worker pid=9, ip=10.0.0.4) Traceback (most recent call last):
            (Worker pid=9, ip=10.0.0.4)   File "a.py", line 1
            (Worker pid=9, ip=10.0.0.4) KeyError: 'image'
            """);

    assertThat(log.errors()).extracting(RankError::rank).containsExactly(7);
    assertThat(log.hosts()).containsEntry(7, "10.0.0.4");
  }

  @Test
  void a_gpus_fault_that_the_watchdog_met_is_the_ranks_own() {
    JobLog log =
        Text.job(
            "[rank3]:[E1003 18:37:01.8 ProcessGroupNCCL.cpp:1595] [PG ID 0 PG GUID 0(default_pg)"
                + " Rank 3] Process group watchdog thread terminated with exception: CUDA error:"
                + " an illegal memory access was encountered\n");

    assertThat(log.errors()).extracting(RankError::kind).containsExactly(Kind.OWN);
    assertThat(log.errors()).extracting(RankError::rank).containsExactly(3);
  }

  @Test
  void the_launchers_blocks_tell_how_each_process_ended() {
    JobLog log =
        Text.job(
            """
            0: W1130 06:21:24.24 5344 api.py:1028] Sending process 5348 closing signal SIGTERM
            0: Failures:
            0: [1]:
            0:   time      : 2026-11-30_06:21:24
            0:   host      : node1
            0:   rank      : 0 (local_rank: 0)
            0:   exitcode  : -9 (pid: 5348)  (SIGKILL)
            0:   error_file: <N/A>
            0: ------------------------------------------------------------
            0: Root Cause (first observed failure):
            0: [0]:
            0:   time      : 2026-11-30_06:21:23
            0:   host      : node2
            0:   rank      : 2 (local_rank: 2)
            0:   exitcode  : 1 (pid: 5350)
            0:   error_file: /tmp/e.json
            0:   traceback : Traceback (most recent call last):
            0:     File "a.py", line 1
            0:   ValueError: bad batch
            0: ============================================================
            """);

    assertThat(log.exits())
        .extracting(
            ProcessExit::rank, ProcessExit::host, ProcessExit::exitCode, ProcessExit::isFirst)
        .containsExactly(tuple(0, "node1", -9, false), tuple(2, "node2", 1, true));
    assertThat(log.exits().get(0).wasEnded()).isTrue();
    assertThat(log.exits().get(1).wasEnded()).isFalse();
    assertThat(log.exits().get(1).error()).isEqualTo("ValueError: bad batch");
    assertThat(log.exits().get(1).time()).isEqualTo(Instant.parse("2026-11-30T06:21:23Z"));
  }

  @Test
  void a_log_that_tells_nothing_is_silent() {
    JobLog log = Text.job("step 1 loss 3.2\nstep 2 loss 3.1\n[rank0]: saved\n");

    assertThat(log.isSilent()).isTrue();
    assertThat(log.ranks()).containsExactly(0);
    assertThat(log.lines()).isEqualTo(3);
  }
}
