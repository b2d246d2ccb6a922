package io.fabrichealth.incident;

import io.fabrichealth.finding.Cause;
import java.util.Locale;

/** How urgent an incident is: page, ticket, context. */
public enum Severity {
  CRITICAL,
  WARNING,
  INFO;

  /** From here on a cause whose impact would page somebody does. */
  private static final double CERTAIN = .99;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * From impact and certainty. Critical is what stops a run, or is about to, once its probability
   * is .99 or more; a warning is what makes runs slower until somebody repairs it; the rest, where
   * nothing is broken, is context.
   *
   * @param probability that the subject is faulty, 0 to 1
   */
  public static Severity of(Cause cause, double probability) {
    Severity impact = impact(cause);
    return impact == CRITICAL && probability < CERTAIN ? WARNING : impact;
  }

  /** The more urgent of two. */
  public Severity or(Severity other) {
    return compareTo(other) <= 0 ? this : other;
  }

  private static Severity impact(Cause cause) {
    return switch (cause) {
      // A collective waits for every rank: one link that goes away, even for seconds, stops all.
      case LINK_DOWN,
          LINK_FLAP,
          PFC_STORM,
          PFC_DEADLOCK,
          SHARED_COMPONENT,
          HUNG_RANK,
          RANK_FAILED,
          COLLECTIVE_STALLED,
          COLLECTIVE_MISMATCH,
          COLLECTIVE_DEADLOCK ->
          CRITICAL;
      case PHY_LANE,
          PHY_LINK,
          LINK_SLOW,
          OPTICS_CONTAMINATION,
          OPTICS_FAILING,
          SPEED_DOWNGRADE,
          WIDTH_DOWNGRADE,
          MTU_MISMATCH,
          FEC_MISMATCH,
          WRONG_CABLE,
          BUFFER_MISCONFIGURATION,
          PACKET_LOSS,
          SWITCH_PACKET_LOSS,
          SLOW_RECEIVER,
          SOCKET_FALLBACK,
          RAIL_FAILOVER,
          PCIE_DOWNGRADE,
          COMPUTE_STRAGGLER,
          DEVICE_UNREACHABLE ->
          WARNING;
      case CONGESTION,
          ROUTE_COLLISION,
          ROUTE_POLARISATION,
          WORKLOAD_IMBALANCE,
          ALGORITHMIC_SCALING ->
          INFO;
    };
  }
}
