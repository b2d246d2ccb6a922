package io.fabrichealth.verdict;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.topology.PortId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what all detectors, at both ends, say of one subject.
 *
 * <p>Log-odds start at the prior. Of each family of evidence only the strongest line counts, since
 * the counters of a family see the same errors (and the two ends of a link the same outage); the
 * others are listed with 0 nats. The sum stops at {@link #CERTAIN}: more is not a claim that the
 * evidence supports, nor one that a probability in double precision can carry, so the line that
 * would pass it is shortened. What congestion, routing and compute say of a link is listed with 0
 * nats: these never make a link degraded. So is what the open incident of something else explains,
 * such as the losses of a link whose switch loses packets.
 */
public final class Fusion {
  /** Largest log-odds, in nats: all but 3e-7. */
  public static final double CERTAIN = 15;

  private Fusion() {}

  /**
   * @param ends the ports of a link; empty for other subjects
   * @param findings what the detectors say of this subject now
   */
  public static Fused fuse(
      Subject subject, List<PortId> ends, Collection<Finding> findings, Instant at) {
    return fuse(subject, ends, findings, Set.of(), at);
  }

  /**
   * @param ends the ports of a link; empty for other subjects
   * @param findings what the detectors say of this subject now
   * @param known causes of open incidents of other subjects that this one is a member of
   */
  public static Fused fuse(
      Subject subject,
      List<PortId> ends,
      Collection<Finding> findings,
      Set<Cause> known,
      Instant at) {
    double sum = Prior.LOG_ODDS;
    List<Evidence> evidence = new ArrayList<>();
    evidence.add(prior(subject, sum, at));

    List<Finding> byStrength = new ArrayList<>(findings);
    byStrength.sort(
        Comparator.comparingDouble(Fusion::clipped)
            .thenComparing(Comparator.comparingDouble(Finding::nats))
            .reversed()
            .thenComparing(finding -> finding.cause().ordinal())
            .thenComparing(finding -> finding.evidence().subject().id())
            .thenComparing(Finding::detector));
    Set<Family> counted = EnumSet.noneOf(Family.class);
    Map<Cause, Double> nats = new EnumMap<>(Cause.class);
    boolean explained = false;
    for (Finding finding : byStrength) {
      double counts = 0;
      double alone = 0;
      if (isExplained(finding.cause(), known)) {
        explained |= clipped(finding) >= -Prior.LOG_ODDS;
      } else if (concerns(subject, finding)) {
        alone = clipped(finding);
        nats.merge(finding.cause(), alone, Math::max);
        if (counted.add(finding.family())) {
          counts = Math.min(alone, CERTAIN - sum);
        }
      }
      sum += counts;
      evidence.add(finding.evidence().counted(counts, alone));
    }

    Cause cause = Explanation.likeliest(nats, -Prior.LOG_ODDS);
    double probability = Prior.probability(sum);
    Finding strongest = probability >= Track.CLOSE_BELOW ? strongest(byStrength, cause) : null;
    return new Fused(
        subject,
        sum,
        probability,
        cause,
        nats,
        evidence,
        members(subject, ends, byStrength),
        explains(cause, byStrength),
        explained && known.stream().anyMatch(Cause::degradesLink),
        nats.getOrDefault(Cause.LINK_DOWN, 0.0) >= -Prior.LOG_ODDS,
        Sentence.of(subject, ends, strongest));
  }

  private static boolean isExplained(Cause cause, Set<Cause> known) {
    for (Cause other : known) {
      if (Explanation.explainsElsewhere(other, cause)) {
        return true;
      }
    }
    return false;
  }

  private static List<Subject> explains(@Nullable Cause cause, List<Finding> findings) {
    Set<Subject> members = new LinkedHashSet<>();
    for (Finding finding : findings) {
      if (finding.cause() == cause) {
        members.addAll(finding.members());
      }
    }
    return List.copyOf(members);
  }

  private static double clipped(Finding finding) {
    double nats = finding.nats();
    return Double.isNaN(nats) ? 0 : finding.family().clip(nats);
  }

  private static boolean concerns(Subject subject, Finding finding) {
    return finding.cause().degradesLink() || subject.type() != SubjectType.LINK;
  }

  /** The finding that says best why: of a bad lane, one that was counted by lane. */
  private static @Nullable Finding strongest(List<Finding> byStrength, @Nullable Cause cause) {
    Finding first = null;
    for (Finding finding : byStrength) {
      if (finding.cause() == cause) {
        if (cause != Cause.PHY_LANE || finding.evidence().signal().startsWith("fec.")) {
          return finding;
        }
        first = first == null ? finding : first;
      }
    }
    return first;
  }

  private static List<String> members(
      Subject subject, List<PortId> ends, List<Finding> byStrength) {
    Set<String> members = new LinkedHashSet<>();
    ends.forEach(end -> members.add(end.id()));
    for (Finding finding : byStrength) {
      members.add(finding.evidence().subject().id());
      finding.members().forEach(member -> members.add(member.id()));
    }
    members.remove(subject.id());
    return List.copyOf(members);
  }

  private static Evidence prior(Subject subject, double nats, Instant at) {
    return new Evidence(
        Family.PRIOR,
        "prior",
        subject,
        "nothing yet",
        Prior.PER_DAY + " faults a day",
        Reference.HISTORY,
        nats,
        at,
        at,
        "published fault rates");
  }
}
