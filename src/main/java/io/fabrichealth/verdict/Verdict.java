package io.fabrichealth.verdict;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.JobImpact;
import io.fabrichealth.finding.Subject;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one subject now.
 *
 * @param probability that the subject is faulty, 0 to 1
 * @param cause the likeliest cause; null while nothing speaks for a fault
 * @param since when the present state began
 * @param openedAt when its incident opened; null while none is open. Opens above .95, stays open
 *     until it was below .50 for 10 minutes and 3 clean polls
 * @param evidence begins with the prior; its nats add up to {@code logit(probability)}
 * @param members ids of all that the fault touches: the link's ends, victims
 * @param summary one sentence
 * @param impacts what it costs the jobs that say so
 */
public record Verdict(
    Subject subject,
    LinkState state,
    double probability,
    @Nullable Cause cause,
    Instant since,
    @Nullable Instant openedAt,
    List<Evidence> evidence,
    List<String> members,
    Coverage coverage,
    String summary,
    List<JobImpact> impacts) {

  /** One of which no job says what it costs. */
  public Verdict(
      Subject subject,
      LinkState state,
      double probability,
      @Nullable Cause cause,
      Instant since,
      @Nullable Instant openedAt,
      List<Evidence> evidence,
      List<String> members,
      Coverage coverage,
      String summary) {
    this(
        subject,
        state,
        probability,
        cause,
        since,
        openedAt,
        evidence,
        members,
        coverage,
        summary,
        List.of());
  }

  public Verdict {
    evidence = List.copyOf(evidence);
    members = List.copyOf(members);
    impacts = List.copyOf(impacts);
  }

  /** The same, with what it costs. */
  public Verdict withImpacts(List<JobImpact> costs) {
    return costs.isEmpty()
        ? this
        : new Verdict(
            subject,
            state,
            probability,
            cause,
            since,
            openedAt,
            evidence,
            members,
            coverage,
            summary,
            costs);
  }

  public boolean isOpen() {
    return openedAt != null;
  }
}
