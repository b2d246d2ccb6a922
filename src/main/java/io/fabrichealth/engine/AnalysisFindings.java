package io.fabrichealth.engine;

import io.fabrichealth.collective.CollectiveFinding;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.verdict.Prior;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What the analysis of a job's dumps and logs says of the subjects that it names. */
final class AnalysisFindings {
  private static final String DETECTOR = "job-analysis";

  /** Further lines of the evidence are in the analysis, for those who want them. */
  private static final int MOST_LINES = 8;

  /** What files tell of so long ago is history, for example of a job of last week. */
  private static final Duration HISTORY = Duration.ofHours(1);

  private AnalysisFindings() {}

  static List<Finding> of(EngineInput.Analysis analysis) {
    List<Finding> all = new ArrayList<>();
    for (CollectiveFinding finding : analysis.findings()) {
      Instant since = finding.since();
      if (since == null
          || analysis.source().equals(EngineInput.Analysis.LIVE)
          || !since.isBefore(analysis.at().minus(HISTORY))) {
        add(analysis, finding, since == null ? analysis.at() : since, all);
      }
    }
    return all;
  }

  /** The first line carries what the analysis is sure of: it has weighed its lines itself. */
  private static void add(
      EngineInput.Analysis analysis, CollectiveFinding finding, Instant since, List<Finding> to) {
    List<Subject> members = members(analysis.job(), finding);
    Evidence first = finding.evidence().getFirst();
    Evidence summary =
        new Evidence(
            first.family(),
            first.signal(),
            finding.subject(),
            finding.summary(),
            first.expected(),
            first.reference(),
            first.family().clip(Prior.natsTo(finding.probability())),
            since,
            analysis.at(),
            "job " + analysis.job());
    to.add(new Finding(DETECTOR, finding.subject(), finding.cause(), summary, since, members));
    for (int line = 0; line < Math.min(MOST_LINES, finding.evidence().size()); line++) {
      Evidence evidence = finding.evidence().get(line).counted(0, 0);
      to.add(new Finding(DETECTOR, finding.subject(), finding.cause(), evidence, since));
    }
  }

  private static List<Subject> members(String job, CollectiveFinding finding) {
    List<Subject> members = new ArrayList<>();
    finding.ranks().forEach(rank -> members.add(Subject.rank(job, rank)));
    finding.hosts().forEach(host -> members.add(Subject.host(host)));
    members.remove(finding.subject());
    return members;
  }
}
