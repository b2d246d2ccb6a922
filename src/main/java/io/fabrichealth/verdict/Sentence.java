package io.fabrichealth.verdict;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.topology.PortId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says in one sentence what is wrong, of whom, and what was seen. */
final class Sentence {

  private Sentence() {}

  static String of(Subject subject, List<PortId> ends, @Nullable Finding strongest) {
    String who = name(subject, ends);
    if (strongest == null) {
      return "Nothing speaks against " + who + ".";
    }
    Evidence evidence = strongest.evidence();
    if (strongest.cause() == Cause.LINK_DOWN) {
      boolean lasts = evidence.to().isAfter(evidence.from());
      return "%s %s %s, though both ends are enabled."
          .formatted(capitalised(who), lasts ? "has been" : "is", evidence.observed());
    }
    return "%s %s: %s at %s, expected %s."
        .formatted(
            capitalised(who),
            phrase(strongest.cause()),
            evidence.observed(),
            evidence.subject().id(),
            evidence.expected());
  }

  static String down(Subject subject) {
    return capitalised(name(subject, List.of())) + " " + phrase(Cause.LINK_DOWN) + ".";
  }

  static String unknown(Subject subject) {
    return "%s is not read well enough to say how it is."
        .formatted(capitalised(name(subject, List.of())));
  }

  private static String name(Subject subject, List<PortId> ends) {
    if (subject.type() != SubjectType.LINK) {
      return subject.type().label().replace('_', ' ') + " " + subject.id();
    }
    return switch (ends.size()) {
      case 0 -> "link " + subject.id();
      case 1 -> "the link at " + ends.getFirst().id();
      default -> "the link " + ends.getFirst().id() + " to " + ends.getLast().id();
    };
  }

  private static String capitalised(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }

  private static String phrase(Cause cause) {
    return switch (cause) {
      case PHY_LANE -> "has one bad lane";
      case PHY_LINK -> "has too many bit errors";
      case LINK_SLOW -> "is slow, and no counter says why";
      case OPTICS_CONTAMINATION -> "has a dirty connector";
      case OPTICS_FAILING -> "has a failing module";
      case LINK_FLAP -> "flaps";
      case LINK_DOWN -> "is down";
      case SPEED_DOWNGRADE -> "runs below its speed";
      case WIDTH_DOWNGRADE -> "runs with too few lanes";
      case MTU_MISMATCH -> "has different MTUs at its ends";
      case FEC_MISMATCH -> "has different FEC modes at its ends";
      case WRONG_CABLE -> "is cabled to the wrong port";
      case BUFFER_MISCONFIGURATION -> "has misconfigured buffers";
      case PACKET_LOSS, SWITCH_PACKET_LOSS -> "loses packets";
      case SLOW_RECEIVER -> "receives too slowly and pauses the fabric";
      case PFC_STORM -> "sends a storm of pause frames";
      case PFC_DEADLOCK -> "is part of a pause deadlock";
      case CONGESTION -> "is congested";
      case ROUTE_COLLISION -> "carries colliding flows";
      case ROUTE_POLARISATION -> "spreads its flows badly";
      case SOCKET_FALLBACK -> "runs its job over sockets";
      case RAIL_FAILOVER -> "runs on a failed-over rail";
      case PCIE_DOWNGRADE -> "has a slow PCIe slot";
      case COMPUTE_STRAGGLER -> "computes late";
      case WORKLOAD_IMBALANCE -> "has unbalanced work";
      case HUNG_RANK -> "hangs";
      case RANK_FAILED -> "has failed";
      case COLLECTIVE_STALLED -> "has a stalled collective";
      case COLLECTIVE_MISMATCH -> "issues another collective than its group";
      case COLLECTIVE_DEADLOCK -> "is part of a collective deadlock";
      case ALGORITHMIC_SCALING -> "is as slow as its scale demands";
      case SHARED_COMPONENT -> "is faulty";
      case DEVICE_UNREACHABLE -> "cannot be reached";
    };
  }
}
