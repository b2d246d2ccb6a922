package io.fabrichealth.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collective.log.Text;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class JointAnalysisTest {
  private static final String RAISED =
      """
      [rank2]: Traceback (most recent call last):
      [rank2]:   File "train.py", line 15, in <module>
      [rank2]: ValueError: bad batch
      """;
  private static final String BARRIER =
      "[rank0]:[E1130 06:21:58.5 ProcessGroupGloo.cpp:69] [Rank 0]: Ranks 2 failed to pass"
          + " monitoredBarrier in 6000 ms\n";

  private static JobAnalysis recorded(Cause cause, double probability, Integer... ranks) {
    Subject subject = new Subject(SubjectType.JOB, "-");
    Evidence line =
        new Evidence(
            Family.COLLECTIVE,
            "recorder",
            subject,
            "seen",
            "wanted",
            Reference.PEERS,
            2,
            Instant.EPOCH,
            Instant.EPOCH,
            "dump");
    return new JobAnalysis(
        List.of(
            new CollectiveFinding(
                cause,
                subject,
                List.of(ranks),
                List.of(),
                List.of(),
                probability,
                null,
                "By recorders.",
                List.of(line))),
        List.of(0, 1, 3),
        List.of());
  }

  private static JobAnalysis joined(JobAnalysis recorded, String text) {
    return JointAnalysis.of(Job.UNNAMED, List.of(), recorded, List.of(Text.job(text)));
  }

  @Test
  void a_rank_that_the_dumps_miss_and_the_log_saw_end_has_failed() {
    JobAnalysis joined = joined(recorded(Cause.HUNG_RANK, .9, 2), RAISED);

    assertThat(joined.findings())
        .extracting(CollectiveFinding::cause)
        .containsExactly(Cause.RANK_FAILED);
    assertThat(joined.findings().getFirst().ranks()).containsExactly(2);
    assertThat(joined.findings().getFirst().evidence())
        .extracting(Evidence::signal)
        .contains("recorder");
    assertThat(joined.victims()).containsExactly(0, 1, 3);
  }

  @Test
  void the_same_from_both_is_said_once() {
    JobAnalysis joined = joined(recorded(Cause.HUNG_RANK, .9, 2), BARRIER);

    assertThat(joined.findings()).hasSize(1);
    assertThat(joined.findings().getFirst().ranks()).containsExactly(2);
    assertThat(joined.findings().getFirst().evidence())
        .extracting(Evidence::signal)
        .containsExactlyInAnyOrder("recorder", "monitored-barrier");
  }

  @Test
  void the_log_chooses_between_ranks_that_look_alike_in_the_dumps() {
    JobAnalysis joined = joined(recorded(Cause.HUNG_RANK, .6, 2, 5), BARRIER);

    assertThat(joined.findings().getFirst().ranks()).containsExactly(2);
  }

  @Test
  void the_dumps_know_better_that_all_came() {
    JobAnalysis joined = joined(recorded(Cause.COLLECTIVE_STALLED, .9), BARRIER);

    assertThat(joined.findings())
        .extracting(CollectiveFinding::cause)
        .containsExactly(Cause.COLLECTIVE_STALLED);
  }

  @Test
  void what_only_one_of_them_tells_stays() {
    JobAnalysis joined = joined(recorded(Cause.COMPUTE_STRAGGLER, .9, 4), BARRIER);

    assertThat(joined.findings())
        .extracting(CollectiveFinding::cause)
        .containsExactlyInAnyOrder(Cause.COMPUTE_STRAGGLER, Cause.HUNG_RANK);
  }

  @Test
  void a_log_without_a_word_changes_nothing() {
    JobAnalysis recorded = recorded(Cause.HUNG_RANK, .9, 2);

    assertThat(joined(recorded, "step 1\n").findings()).isEqualTo(recorded.findings());
  }
}
