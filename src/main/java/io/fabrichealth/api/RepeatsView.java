package io.fabrichealth.api;

import io.fabrichealth.incident.Repeats;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Earlier incidents of the same subject in the 30 days before. */
record RepeatsView(int count, @Nullable Instant lastResolvedAt) {

  static RepeatsView of(Repeats repeats) {
    return new RepeatsView(repeats.count(), repeats.lastResolvedAt());
  }
}
