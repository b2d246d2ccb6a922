package io.fabrichealth.engine;

import io.fabrichealth.detect.Detectors;
import io.fabrichealth.detect.SharedComponentDetector;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.NaturalOrder;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.verdict.Fused;
import io.fabrichealth.verdict.LinkState;
import io.fabrichealth.verdict.Track;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether a link that goes bad does so in company. The two ends of a link, and those of its
 * neighbours, are polled one after the other: what is one fault of a component behind several ports
 * shows as a fault of one or two links for some seconds. Where a neighbour went bad as well, the
 * link's incident waits until each of its ends was read once more, which is one poll. What stops a
 * link does not wait.
 */
final class Company {
  /** Places by which ports of one component lie apart at most. */
  private static final int REACH = SharedComponentDetector.LARGEST - 1;

  /** Null where nobody looks for shared components: then nothing waits for one. */
  private final @Nullable SharedComponentDetector component;

  Company(Detectors detectors) {
    component =
        detectors.devices().stream()
            .filter(SharedComponentDetector.class::isInstance)
            .map(SharedComponentDetector.class::cast)
            .findFirst()
            .orElse(null);
  }

  /** Whether no incident of the link is to open yet. */
  boolean waits(EngineState state, Track track, Fused fused, LinkEntry link) {
    if (component == null
        || track.isOpen()
        || track.state() == LinkState.DOWN
        || !isAboutToOpen(fused)) {
      return false;
    }
    Instant heldSince = track.heldSince();
    return heldSince == null
        ? link.ends().stream().anyMatch(end -> hasBadNeighbour(component, state, end, link.link()))
        : !link.ends().stream().allMatch(end -> isReadAfter(state, end.id.device(), heldSince));
  }

  private static boolean isAboutToOpen(Fused fused) {
    if (fused.probability() <= Track.OPEN_ABOVE || fused.cause() == null || fused.down()) {
      return false;
    }
    return switch (fused.cause()) {
      case PHY_LANE, PHY_LINK, OPTICS_CONTAMINATION, OPTICS_FAILING -> true;
      default -> false;
    };
  }

  private static boolean isReadAfter(EngineState state, String device, Instant time) {
    for (Source source : state.sources.getOrDefault(device, Map.of()).values()) {
      if (!source.lastAt.isAfter(time) && !source.isSilent(state.now)) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasBadNeighbour(
      SharedComponentDetector component, EngineState state, PortEntry end, Link link) {
    Device device = state.fabric.device(end.id.device());
    if (device == null || !device.role().isSwitch()) {
      return false;
    }
    List<Link> inOrder = new ArrayList<>(state.fabric.linksOf(device.name()));
    inOrder.sort(
        Comparator.comparing(one -> ownEnd(one, device.name()).port(), NaturalOrder.INSTANCE));
    int at = inOrder.indexOf(link);
    int last = Math.min(inOrder.size() - 1, at + REACH);
    for (int i = Math.max(0, at - REACH); i <= last; i++) {
      if (i != at && wentBad(component, state, inOrder.get(i))) {
        return true;
      }
    }
    return false;
  }

  private static PortId ownEnd(Link link, String device) {
    return link.a().device().equals(device) ? link.a() : link.ends().getLast();
  }

  private static boolean wentBad(SharedComponentDetector component, EngineState state, Link link) {
    for (PortId end : link.ends()) {
      for (Finding finding : state.findings(end)) {
        if (component.isRecent(finding, link, state.now)) {
          return true;
        }
      }
    }
    return false;
  }
}
