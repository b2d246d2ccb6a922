package io.fabrichealth.collective.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.fabrichealth.collective.CollectiveFinding;
import io.fabrichealth.collective.Job;
import io.fabrichealth.collective.JobAnalysis;
import io.fabrichealth.collective.JobAnalyzer;
import java.util.List;

/** Logs that anybody may have written: whatever they hold, they are read to their end. */
class JobLogFuzzTest {

  /** The same facts in whatever pieces it comes, and an analysis that can be told. */
  @FuzzTest
  void a_log_becomes_facts(byte[] bytes) {
    JobLog log = Text.job(bytes, Math.max(1, bytes.length));

    assertThat(Text.job(bytes, 7)).isEqualTo(log);
    assertThat(log.lines()).isEqualTo(linesOf(bytes));
    assertThat(log.errors()).allMatch(error -> error.text().length() <= RankError.LONGEST);
    assertThat(log.groups()).allMatch(report -> report.rank() >= -1 && report.groupRank() >= -1);
    assertThat(log.ranks()).allMatch(rank -> rank >= 0);

    JobAnalysis analysis = JobAnalyzer.analyze(Job.UNNAMED, List.of(), List.of(), List.of(log));
    for (CollectiveFinding finding : analysis.findings()) {
      assertThat(finding.probability()).isStrictlyBetween(0.0, 1.0);
      assertThat(finding.evidence()).isNotEmpty();
      assertThat(finding.summary()).isNotBlank();
      assertThat(analysis.victims()).noneMatch(finding.ranks()::contains);
    }
  }

  private static long linesOf(byte[] bytes) {
    long lines = 0;
    for (byte letter : bytes) {
      lines += letter == '\n' ? 1 : 0;
    }
    boolean isOpen = bytes.length > 0 && bytes[bytes.length - 1] != '\n';
    return lines + (isOpen ? 1 : 0);
  }
}
