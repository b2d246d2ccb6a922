package io.fabrichealth.runtime;

import io.fabrichealth.incident.Incident;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What other thresholds make of the same records. Two incidents are the same fault where they are
 * of one fingerprint and were open at the same time.
 *
 * @param gained incidents that only the other thresholds find
 * @param lost incidents that only the present ones find
 * @param moved incidents of both, but opened at other times
 * @param same incidents of both that opened at the same time
 */
public record ReplayComparison(
    List<Incident> gained, List<Incident> lost, List<Moved> moved, int same) {

  public ReplayComparison {
    gained = List.copyOf(gained);
    lost = List.copyOf(lost);
    moved = List.copyOf(moved);
  }

  /** One fault that is found at another time. */
  public record Moved(Incident present, Incident other) {

    /** By how much the other thresholds find it later; negative where earlier. */
    public Duration later() {
      return Duration.between(present.openedAt(), other.openedAt());
    }
  }

  /** Compares what two runs over the same records found. */
  public static ReplayComparison of(List<Incident> present, List<Incident> other) {
    List<Incident> gained = new ArrayList<>(other);
    List<Incident> lost = new ArrayList<>();
    List<Moved> moved = new ArrayList<>();
    int same = 0;
    for (Incident incident : present) {
      Incident match = match(incident, gained);
      if (match == null) {
        lost.add(incident);
        continue;
      }
      gained.remove(match);
      if (match.openedAt().equals(incident.openedAt())) {
        same++;
      } else {
        moved.add(new Moved(incident, match));
      }
    }
    return new ReplayComparison(gained, lost, moved, same);
  }

  private static @Nullable Incident match(Incident incident, List<Incident> candidates) {
    return candidates.stream()
        .filter(other -> other.fingerprint().equals(incident.fingerprint()))
        .filter(other -> overlap(incident, other))
        .findFirst()
        .orElse(null);
  }

  private static boolean overlap(Incident one, Incident other) {
    return !one.openedAt().isAfter(end(other)) && !other.openedAt().isAfter(end(one));
  }

  private static Instant end(Incident incident) {
    Instant resolved = incident.resolvedAt();
    return resolved == null ? Instant.MAX : resolved;
  }
}
