package io.fabrichealth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fabrichealth.collect.torchdebug.LiveReport;
import io.fabrichealth.collective.CollectiveFinding;
import io.fabrichealth.collective.JobAnalysis;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LiveJobsTest {
  private static final Logger LOG = (Logger) LoggerFactory.getLogger(LiveJobs.class);

  private static final Instant AT = Instant.parse("2026-03-01T00:00:00Z");

  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final LiveJobs jobs = new LiveJobs();

  @BeforeEach
  void listen() {
    lines.start();
    LOG.addAppender(lines);
  }

  @AfterEach
  void end() {
    LOG.detachAppender(lines);
  }

  /** What a pull says: a hung rank each. */
  private void pull(int answered, Integer... hung) {
    List<CollectiveFinding> findings = Arrays.stream(hung).map(rank -> finding(rank)).toList();
    jobs.take(
        new LiveReport(
            "llm", AT, 4, answered, 0, 0, 0, new JobAnalysis(findings, List.of(), List.of())));
  }

  private static CollectiveFinding finding(int rank) {
    return new CollectiveFinding(
        Cause.HUNG_RANK,
        new Subject(SubjectType.RANK, "llm/" + rank),
        List.of(rank),
        List.of(),
        List.of(),
        .9,
        null,
        "Rank " + rank + " hangs.",
        List.of());
  }

  private List<String> told() {
    return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void a_finding_is_logged_once_while_it_lasts() {
    pull(4, 2);
    pull(4, 2);
    pull(4, 2, 3);

    assertThat(told())
        .containsExactly(
            "event=job_finding job=llm cause=HUNG_RANK ranks=[2] probability=0.9"
                + " summary=\"Rank 2 hangs.\"",
            "event=job_finding job=llm cause=HUNG_RANK ranks=[3] probability=0.9"
                + " summary=\"Rank 3 hangs.\"");
  }

  @Test
  void one_that_comes_again_is_logged_again_but_not_because_nobody_answered_between() {
    pull(4, 2);
    pull(0);
    pull(4, 2);
    assertThat(told()).hasSize(1);

    pull(4);
    pull(4, 2);
    assertThat(told()).hasSize(2);
  }

  @Test
  void a_job_that_is_no_longer_configured_is_forgotten() {
    pull(4, 2);
    jobs.retain(Set.of());
    pull(4, 2);

    assertThat(told()).hasSize(2);
  }
}
