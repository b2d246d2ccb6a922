package io.fabrichealth.verdict;

import io.fabrichealth.finding.Cause;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which of several causes explains the others.
 *
 * <p>A link that flaps is also down now and then; one bad lane raises the errors of its whole link,
 * and too little light those of lanes and link; each of these loses packets. The cause that
 * explains another outranks it as soon as it is likelier than not by itself; else the stronger one
 * wins.
 */
final class Explanation {

  private Explanation() {}

  /**
   * @param nats what speaks for each cause
   * @param sufficient nats that make a cause likelier than not by itself
   */
  static @Nullable Cause likeliest(Map<Cause, Double> nats, double sufficient) {
    Cause best = null;
    for (Map.Entry<Cause, Double> candidate : nats.entrySet()) {
      if (candidate.getValue() > 0
          && (best == null || wins(candidate.getKey(), best, nats, sufficient))) {
        best = candidate.getKey();
      }
    }
    return best;
  }

  /** Whether the first cause brings the second one about. */
  static boolean explains(Cause cause, Cause symptom) {
    return switch (symptom) {
      case PHY_LINK -> cause == Cause.PHY_LANE || cause == Cause.FEC_MISMATCH || isOfOptics(cause);
      case PHY_LANE -> isOfOptics(cause);
      case SPEED_DOWNGRADE -> cause == Cause.WIDTH_DOWNGRADE;
      case SLOW_RECEIVER -> cause == Cause.PCIE_DOWNGRADE;
      case LINK_DOWN -> cause == Cause.LINK_FLAP;
      case PACKET_LOSS -> cause.degradesLink() && cause != Cause.PACKET_LOSS;
      default -> false;
    };
  }

  /** Whether the cause, at something that the subject is a member of, brings the symptom about. */
  static boolean explainsElsewhere(Cause cause, Cause symptom) {
    return switch (cause) {
      case SHARED_COMPONENT -> symptom.degradesLink();
      case SWITCH_PACKET_LOSS -> symptom == Cause.PACKET_LOSS;
      case SLOW_RECEIVER, PCIE_DOWNGRADE, PFC_STORM, PFC_DEADLOCK, BUFFER_MISCONFIGURATION ->
          symptom == Cause.PACKET_LOSS || isOfPause(symptom);
      default -> false;
    };
  }

  private static boolean isOfOptics(Cause cause) {
    return cause == Cause.OPTICS_CONTAMINATION || cause == Cause.OPTICS_FAILING;
  }

  private static boolean isOfPause(Cause cause) {
    return switch (cause) {
      case SLOW_RECEIVER, PFC_STORM, PFC_DEADLOCK, BUFFER_MISCONFIGURATION, CONGESTION -> true;
      default -> false;
    };
  }

  private static boolean wins(
      Cause challenger, Cause best, Map<Cause, Double> nats, double sufficient) {
    double of = nats.getOrDefault(challenger, 0.0);
    double against = nats.getOrDefault(best, 0.0);
    if (explains(challenger, best) && of >= sufficient) {
      return true;
    }
    if (explains(best, challenger) && against >= sufficient) {
      return false;
    }
    return of > against;
  }
}
