package io.fabrichealth.collective;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Subject;
import java.time.Instant;
import java.util.ArrayList;
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

  /** The same, surer or less sure; the first line of the evidence carries the difference. */
  CollectiveFinding withProbability(double changed) {
    List<Evidence> lines = new ArrayList<>(evidence);
    Evidence first = lines.getFirst();
    double nats = first.nats() + logit(changed) - logit(probability);
    lines.set(0, first.counted(nats, nats));
    return new CollectiveFinding(
        cause, subject, ranks, hosts, links, changed, since, summary, lines);
  }

  private static double logit(double probability) {
    return Math.log(probability) - Math.log1p(-probability);
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
