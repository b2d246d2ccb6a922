package io.fabrichealth.maintenance;

import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Suppressor;
import io.fabrichealth.topology.Fabric;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Suppresses the incidents of whatever is being worked on: those whose subject lies in the scope of
 * a window, and those of several devices or ports that all do, while the window is open.
 *
 * <p>An incident that opened in the window stays suppressed for half an hour after its end: what
 * was repaired needs minutes of quiet before its incident closes. One that lives on after that was
 * left behind by the work, and is nobody's expectation.
 *
 * <p>Pure; not for use by several threads at once.
 */
public final class MaintenanceWindows implements Suppressor {
  private static final Duration AFTERMATH = Duration.ofMinutes(30);
  private static final String JOINED = "\\+";

  private final Map<String, Scoped> windows = new TreeMap<>();
  private Fabric fabric = Fabric.EMPTY;

  private record Scoped(MaintenanceWindow window, Set<String> ids) {}

  /** Adds a window, or replaces the one of its id. */
  public void put(MaintenanceWindow window) {
    windows.put(window.id(), new Scoped(window, window.scope().ids(fabric)));
  }

  /** What the scopes are parts of, from now on. */
  public void fabric(Fabric changed) {
    fabric = changed;
    windows.replaceAll(
        (id, scoped) -> new Scoped(scoped.window(), scoped.window().scope().ids(changed)));
  }

  @Override
  public @Nullable String suppressedBy(Incident incident, Instant at) {
    for (Scoped scoped : windows.values()) {
      if (isExpected(scoped.window(), incident.openedAt(), at) && covers(scoped.ids(), incident)) {
        return scoped.window().id();
      }
    }
    return null;
  }

  private static boolean isExpected(MaintenanceWindow window, Instant openedAt, Instant at) {
    return window.isOn(at)
        || window.isOn(openedAt)
            && !at.isBefore(window.endsAt())
            && at.isBefore(window.endsAt().plus(AFTERMATH));
  }

  private static boolean covers(Set<String> ids, Incident incident) {
    String id = incident.subject().id();
    if (ids.contains(id)) {
      return true;
    }
    if (incident.subject().type() == SubjectType.LANE) {
      return ids.contains(id.substring(0, Math.max(0, id.lastIndexOf('#'))));
    }
    boolean isJoined =
        incident.subject().type() == SubjectType.PAUSE_DOMAIN
            || incident.subject().type() == SubjectType.SHARED_COMPONENT;
    return isJoined && ids.containsAll(Set.of(id.split(JOINED)));
  }
}
