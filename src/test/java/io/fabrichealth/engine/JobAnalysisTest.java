package io.fabrichealth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collective.CollectiveFinding;
import io.fabrichealth.collective.Job;
import io.fabrichealth.collective.JobRank;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.testing.EngineRun;
import io.fabrichealth.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What was found in a job's dumps and logs becomes incidents of its ranks and hosts. */
class JobAnalysisTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final Subject RANK = Subject.rank("train-7", 12);

  private final Engine engine = new Engine(SignalCatalogue.load(), EngineRun.DETECTORS);
  private final EngineState state = engine.initial();
  private Instant now = START;

  private static CollectiveFinding hung(double probability, @Nullable Instant since) {
    return new CollectiveFinding(
        Cause.HUNG_RANK,
        RANK,
        List.of(12),
        List.of("gpu-002"),
        List.of(),
        probability,
        since,
        "Rank 12 holds the job up: 15 ranks wait for it.",
        List.of(line("collective_seq_id", "dp0 41 is waited for"), line("stack", "data.py:41")));
  }

  private static Evidence line(String signal, String observed) {
    return new Evidence(
        Family.COLLECTIVE,
        signal,
        RANK,
        observed,
        "all members issue it",
        Reference.PEERS,
        3,
        START,
        START,
        "rank 0");
  }

  private Optional<Verdict> take(CollectiveFinding... findings) {
    return step(new EngineInput.Analysis(now, "train-7", "files", List.of(findings)));
  }

  private Optional<Verdict> step(EngineInput input) {
    return engine.step(state, input).stream()
        .filter(verdict -> verdict.subject().equals(RANK))
        .reduce((first, last) -> last);
  }

  /** Time goes on, and nothing more is said of this job. */
  private Optional<Verdict> idle(Duration time) {
    Optional<Verdict> last = Optional.empty();
    for (Instant end = now.plus(time); now.isBefore(end); ) {
      now = now.plusSeconds(60);
      Optional<Verdict> verdict =
          step(
              new EngineInput.Roster(
                  now,
                  new Job("other", List.of(new JobRank(0, null, null, null)), List.of()),
                  false));
      last = verdict.isPresent() ? verdict : last;
    }
    return last;
  }

  @Test
  void a_hung_rank_opens_an_incident_that_is_as_sure_as_the_analysis() {
    Verdict verdict = take(hung(.957, null)).orElseThrow();

    assertThat(verdict.isOpen()).isTrue();
    assertThat(verdict.cause()).isEqualTo(Cause.HUNG_RANK);
    assertThat(verdict.probability()).isEqualTo(.957, Offset.offset(1e-9));
    assertThat(verdict.members()).contains("gpu-002");
    assertThat(verdict.evidence())
        .extracting(Evidence::observed)
        .contains("Rank 12 holds the job up: 15 ranks wait for it.", "data.py:41");
    double sum = verdict.evidence().stream().mapToDouble(Evidence::nats).sum();
    assertThat(sum)
        .isEqualTo(
            Math.log(verdict.probability() / (1 - verdict.probability())), Offset.offset(1e-9));
  }

  @Test
  void collectives_alone_are_never_surer_than_their_family_may_be() {
    assertThat(take(hung(.999999, null)).orElseThrow().probability()).isBetween(.955, .965);
  }

  @Test
  void what_another_analysis_no_longer_finds_ends() {
    take(hung(.957, null));
    assertThat(take().orElseThrow().probability()).isLessThan(.01);

    Optional<Verdict> last = idle(Duration.ofMinutes(14));

    assertThat(last).hasValueSatisfying(verdict -> assertThat(verdict.isOpen()).isFalse());
  }

  @Test
  void what_live_ranks_say_does_not_take_back_what_their_logs_say() {
    take(hung(.957, null));

    Optional<Verdict> verdict = step(new EngineInput.Analysis(now, "train-7", "live", List.of()));

    assertThat(verdict.orElseThrow().probability()).isEqualTo(.957, Offset.offset(1e-9));
  }

  @Test
  void what_nobody_says_again_ends_by_itself() {
    take(hung(.957, null));

    assertThat(idle(Duration.ofMinutes(10)).map(Verdict::isOpen)).isNotEqualTo(Optional.of(false));
    assertThat(idle(Duration.ofMinutes(25)).map(Verdict::isOpen)).hasValue(false);
  }

  @Test
  void what_began_long_ago_is_history_and_pages_nobody() {
    assertThat(take(hung(.957, START.minus(Duration.ofHours(2))))).isEmpty();
    assertThat(take(hung(.957, START.minus(Duration.ofMinutes(30))))).isPresent();
  }

  @Test
  void a_rank_that_hangs_for_long_and_still_does_is_no_history() {
    CollectiveFinding old = hung(.957, START.minus(Duration.ofHours(5)));

    assertThat(step(new EngineInput.Analysis(now, "train-7", "live", List.of(old))))
        .hasValueSatisfying(verdict -> assertThat(verdict.isOpen()).isTrue());
  }

  @Test
  void a_job_that_begins_anew_elsewhere_is_not_what_was_analysed() {
    Job before = new Job("train-7", List.of(new JobRank(12, "gpu-002", 4, null)), List.of());
    Job after = new Job("train-7", List.of(new JobRank(12, "gpu-009", 4, null)), List.of());
    step(new EngineInput.Roster(now, before, false));
    take(hung(.957, null));

    Verdict verdict = step(new EngineInput.Roster(now, after, false)).orElseThrow();

    assertThat(verdict.probability()).isLessThan(.01);
  }
}
