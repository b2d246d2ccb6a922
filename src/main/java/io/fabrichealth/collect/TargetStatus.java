package io.fabrichealth.collect;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a target fares.
 *
 * @param address where it is read, without credentials
 * @param lastAttempt end of the last pass; null before the first
 * @param lastSuccess end of the last pass that was complete; null before the first
 * @param lastSeconds duration of the last pass
 * @param failure the gravest problem of the last pass; null where it was complete; in a back-off,
 *     that of the pass that led to it
 * @param message what that problem was, for people
 * @param failures problems so far, by code
 * @param devices devices that the last pass that read any told of
 * @param ports ports read in the last pass that read any
 * @param readings readings of the last pass that read any
 * @param probes flows that the last pass that read any told of
 * @param dropped readings over the budget of that pass
 * @param allDropped readings over the budget so far
 * @param latePasses passes so far that took longer than from one pass to the next
 * @param lastPassRead whether the last pass itself read any; where not, what is known of the device
 *     is of an earlier one
 * @param leftOut rows left out in the last pass, by rule
 * @param remarks oddities of the device that lose no reading, as of the last pass that read any
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
    int devices,
    int ports,
    int readings,
    int probes,
    int dropped,
    long allDropped,
    long latePasses,
    boolean lastPassRead,
    Map<String, Integer> leftOut,
    List<String> remarks) {
  public TargetStatus {
    failures = Map.copyOf(failures);
    leftOut = Map.copyOf(leftOut);
    remarks = List.copyOf(remarks);
  }
}
