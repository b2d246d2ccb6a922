package io.fabrichealth.collective;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Subject;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a job.
 *
 * @param subject the rank, host, link or job
 * @param ranks the culprits only, ascending; empty where no rank is to blame
 * @param hosts of the culprits, as far as known
 * @param links to blame
 * @param probability 0 to 1
 * @param since null where the input has no time
 * @param summary one sentence for a tired reader
 * @param evidence at least one line
 */
public record CollectiveFinding(
    Cause cause,
    Subject subject,
    List<Integer> ranks,
    List<String> hosts,
    List<String> links,
    double probability,
    @Nullable Instant since,
    String summary,
    List<Evidence> evidence) {

  public CollectiveFinding {
    ranks = List.copyOf(ranks);
    hosts = List.copyOf(hosts);
    links = List.copyOf(links);
    evidence = List.copyOf(evidence);
  }

  CollectiveFinding withRanks(List<Integer> changed) {
    return new CollectiveFinding(
        cause, subject, changed, hosts, links, probability, since, summary, evidence);
  }

  CollectiveFinding withSummary(String changed) {
    return new CollectiveFinding(
        cause, subject, ranks, hosts, links, probability, since, changed, evidence);
  }

  CollectiveFinding withEvidence(List<Evidence> changed) {
    return new CollectiveFinding(
        cause, subject, ranks, hosts, links, probability, since, summary, changed);
  }
}
