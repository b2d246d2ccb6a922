package io.fabrichealth.verdict;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Subject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All findings of one subject, added up at one moment; knows nothing of the past.
 *
 * @param logOdds sum of the evidence's nats
 * @param probability that the subject is faulty; its logit is {@code logOdds}
 * @param cause the likeliest cause; null where nothing speaks for a fault
 * @param nats what speaks for each cause, clipped to the bounds of its family
 * @param evidence begins with the prior; a line that repeats what a stronger one of its family says
 *     carries 0 nats
 * @param members ids of all that the fault touches
 * @param explains what else the likeliest cause touches, and explains there
 * @param explained whether it is degraded by a fault of something else that has its own incident
 * @param down whether it is down as of now
 * @param summary one sentence
 */
public record Fused(
    Subject subject,
    double logOdds,
    double probability,
    @Nullable Cause cause,
    Map<Cause, Double> nats,
    List<Evidence> evidence,
    List<String> members,
    List<Subject> explains,
    boolean explained,
    boolean down,
    String summary) {

  public Fused {
    nats = Map.copyOf(nats);
    evidence = List.copyOf(evidence);
    members = List.copyOf(members);
    explains = List.copyOf(explains);
  }

  /** The same, of a subject that is down for certain or for a reason that is no fault. */
  public Fused orDown(boolean isDown) {
    return !isDown || down
        ? this
        : new Fused(
            subject,
            logOdds,
            probability,
            cause,
            nats,
            evidence,
            members,
            explains,
            explained,
            true,
            probability < Track.CLOSE_BELOW ? Sentence.down(subject) : summary);
  }

  double natsOf(@Nullable Cause of) {
    return of == null ? 0 : nats.getOrDefault(of, 0.0);
  }
}
