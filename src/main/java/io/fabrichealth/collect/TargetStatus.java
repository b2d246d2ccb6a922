package io.fabrichealth.collect;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a target fares.
 *
 * @param address where it is read, without credentials
 * @param lastAttempt end of the last pass; null before the first
 * @param lastSuccess end of the last pass that was complete; null before the first
 * @param lastSeconds duration of the last pass
 * @param failure the gravest problem of the last pass; null where it was complete
 * @param message what that problem was, for people
 * @param failures problems so far, by code
 * @param ports ports read in the last pass that read any
 * @param readings readings of the last pass that read any
 * @param leftOut rows left out in the last pass, by rule
 */
public record TargetStatus(
    String device,
    String collector,
    String address,
    @Nullable Instant lastAttempt,
    @Nullable Instant lastSuccess,
    double lastSeconds,
    @Nullable FailureCode failure,
    @Nullable String message,
    long passes,
    Map<FailureCode, Long> failures,
    int ports,
    int readings,
    Map<String, Integer> leftOut) {
  public TargetStatus {
    failures = Map.copyOf(failures);
    leftOut = Map.copyOf(leftOut);
  }
}
