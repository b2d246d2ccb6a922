package io.fabrichealth.collect.torchdebug;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.collect.torchdebug.TorchDebugTarget.Worker;
import io.fabrichealth.collective.CollectiveFinding;
import io.fabrichealth.collective.Job;
import io.fabrichealth.collective.JobAnalysis;
import io.fabrichealth.collective.JobRank;
import io.fabrichealth.finding.Cause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TorchDebugCollectorTest {
  private static final Path RECORDED = Path.of("../shared/fixtures/flight-recorder/debug-server");
  private static final int WORLD = 4;
  private static final long START = 1_790_000_000L;

  private final FakeJob job = new FakeJob();
  private final List<LiveReport> reports = new ArrayList<>();
  private Instant now = Instant.ofEpochSecond(START + 100);
  private final TorchDebugCollectors collectors = new TorchDebugCollectors(() -> now, reports::add);
  private final Collector collector = collectors.collector(target(1 << 20));

  private TorchDebugTarget target(long maxBytes) {
    return new TorchDebugTarget(
        new Job(
            "llm",
            IntStream.range(0, WORLD)
                .mapToObj(rank -> new JobRank(rank, "host-" + rank / 2, rank % 2, null))
                .toList(),
            List.of()),
        IntStream.range(0, WORLD).mapToObj(rank -> new Worker(rank, job.url(rank))).toList(),
        List.of("nccl", "gloo"),
        Duration.ofSeconds(10),
        Duration.ofSeconds(5),
        maxBytes,
        2);
  }

  @AfterEach
  void close() {
    collector.close();
    collectors.close();
    job.close();
  }

  private CollectOutcome pull() throws InterruptedException {
    CollectOutcome outcome = collector.collect(now.plusSeconds(10));
    now = now.plusSeconds(10);
    return outcome;
  }

  private JobAnalysis said() {
    return reports.getLast().analysis();
  }

  /** Rank 2 lacks the last all_reduce, in which the others wait. */
  private static String hung(int rank) {
    return FakeJob.loop(WORLD, 1, rank == 2 ? 59 : 60, START);
  }

  @Test
  void a_hung_rank_is_named_by_the_second_pull_with_the_line_where_it_stands() throws Exception {
    job.dumps = TorchDebugCollectorTest::hung;

    pull();
    assertThat(said().findings()).isEmpty();
    assertThat(job.calls).noneMatch(call -> call.contains("traceback"));
    CollectOutcome outcome = pull();

    assertThat(outcome.problems()).isEmpty();
    assertThat(said().victims()).containsExactly(0, 1, 3);
    assertThat(said().findings()).hasSize(1);
    CollectiveFinding finding = said().findings().getFirst();
    assertThat(finding.cause()).isEqualTo(Cause.HUNG_RANK);
    assertThat(finding.ranks()).containsExactly(2);
    assertThat(finding.hosts()).containsExactly("host-1");
    assertThat(finding.summary()).endsWith("It stands in next_batch (/job/data.py:41).");
    assertThat(finding.evidence().getLast().observed())
        .isEqualTo("next_batch (/job/data.py:41) < <module> (/job/train.py:7)");
    assertThat(reports.getLast().entries()).isEqualTo(4 * 60 - 1);
    pull();
    assertThat(job.calls.stream().filter(call -> call.contains("traceback")))
        .as("once, as long as it stands there")
        .containsExactly("2 dump_traceback");
    assertThat(job.calls).noneMatch(call -> call.contains("torch_profile"));
  }

  @Test
  void the_recorded_job_has_its_hung_rank_named_by_the_second_pull() throws Exception {
    assumeThat(RECORDED).as("recorded answers are not here").isDirectory();
    job.dumps = rank -> read(RECORDED.resolve("rank" + rank + ".json"));
    job.stacks = rank -> read(RECORDED.resolve("dump_traceback-rank2.txt"));

    pull();
    assertThat(said().findings()).isEmpty();
    pull();

    assertThat(said().victims()).containsExactly(0, 1, 3);
    assertThat(said().findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.cause()).isEqualTo(Cause.HUNG_RANK);
              assertThat(finding.ranks()).containsExactly(2);
              assertThat(finding.summary()).contains("/workspace/dbg/job.py:11");
            });
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void a_job_that_goes_on_has_nothing_said_of_it_however_its_pulls_look() throws Exception {
    for (int pull = 0; pull < 5; pull++) {
      int last = 60 + 100 * pull;
      job.dumps = rank -> FakeJob.loop(WORLD, last - 50, rank == 2 ? last - 1 : last, START);
      pull();
      assertThat(said().findings()).isEmpty();
      assertThat(said().victims()).isEmpty();
    }
    assertThat(reports.getLast().unseen())
        .as("a ring of 51 entries, and 100 between two pulls")
        .isEqualTo(4 * (3 * 49 + 50));
  }

  @Test
  void a_rank_that_does_not_answer_is_unknown_and_no_culprit() throws Exception {
    job.dumps = rank -> rank == 2 ? null : hung(rank);

    pull();
    CollectOutcome outcome = pull();

    assertThat(said().findings()).isEmpty();
    assertThat(said().unknown())
        .singleElement()
        .satisfies(
            unknown -> {
              assertThat(unknown.rank()).isEqualTo(2);
              assertThat(unknown.reason()).contains("HTTP status 500");
            });
    assertThat(outcome.problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.code()).isEqualTo(FailureCode.HTTP_STATUS));
    assertThat(outcome.remarks()).containsExactly("3 of 4 ranks answered");
  }

  @Test
  void a_rank_that_answers_rubbish_or_too_much_is_unknown_with_the_reason() throws Exception {
    job.dumps = rank -> rank == 0 ? "<html>" : rank == 1 ? "{\"version\":[" : hung(rank);

    CollectOutcome outcome = pull();

    assertThat(outcome.problems()).hasSize(2);
    assertThat(said().unknown()).extracting(unknown -> unknown.rank()).containsExactly(0, 1);
    Collector small = collectors.collector(target(5_000));
    assertThat(small.collect(now.plusSeconds(10)).problems())
        .extracting(CollectOutcome.Problem::code)
        .contains(FailureCode.TOO_LARGE);
  }

  @Test
  void a_job_that_began_anew_is_not_held_against_what_it_did_before() throws Exception {
    job.dumps = TorchDebugCollectorTest::hung;
    pull();
    pull();
    assertThat(said().findings()).hasSize(1);

    long again = START + 110;
    job.dumps = rank -> FakeJob.loop(WORLD, 1, rank == 2 ? 19 : 20, again);
    pull();
    assertThat(said().findings()).isEmpty();
    assertThat(reports.getLast().restarts()).isEqualTo(1);
    assertThat(reports.getLast().entries()).isEqualTo(4 * 20 - 1);

    // Past the number at which it stood before, so that only the times tell.
    job.dumps = rank -> FakeJob.loop(WORLD, 1, rank == 2 ? 79 : 80, again + 10);
    pull();
    assertThat(said().findings()).isEmpty();
    assertThat(reports.getLast().restarts()).isEqualTo(2);
    pull();
    assertThat(said().findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.ranks()).containsExactly(2));
  }

  @Test
  void a_program_that_has_hardly_begun_is_given_a_minute() throws Exception {
    job.dumps = rank -> FakeJob.loop(WORLD, 1, rank == 2 ? 2 : 3, START);

    for (int pull = 0; pull < 6; pull++) {
      pull();
      assertThat(said().findings()).isEmpty();
    }
    pull();

    assertThat(said().findings()).hasSize(1);
  }

  @Test
  void a_stack_that_cannot_be_fetched_loses_no_finding() throws Exception {
    job.dumps = TorchDebugCollectorTest::hung;
    job.stacks = rank -> null;

    pull();
    CollectOutcome outcome = pull();

    assertThat(said().findings()).hasSize(1);
    assertThat(outcome.problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).startsWith("stack of rank 2"));
  }

  @Test
  void a_straggler_is_named_while_the_job_goes_on_where_two_pulls_agree() throws Exception {
    for (int pull = 1; pull <= 2; pull++) {
      int last = 100 * pull;
      job.dumps = rank -> FakeJob.loop(WORLD, last - 80, last, START, rank == 1 ? 60 : 0);
      assertThat(reports.stream().flatMap(report -> report.analysis().findings().stream()))
          .isEmpty();
      pull();
    }

    assertThat(said().findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.cause()).isEqualTo(Cause.COMPUTE_STRAGGLER);
              assertThat(finding.ranks()).containsExactly(1);
              assertThat(finding.hosts()).containsExactly("host-0");
            });
    assertThat(job.calls).noneMatch(call -> call.contains("traceback"));
  }
}
