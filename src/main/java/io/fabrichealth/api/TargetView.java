package io.fabrichealth.api;

import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.collect.TargetStatus;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How a target fares. */
record TargetView(
    String device,
    @Schema(example = "snmp") String collector,
    @Schema(description = "without credentials") String address,
    @Schema(description = "end of the last pass; null before the first")
        @Nullable Instant lastAttempt,
    @Schema(description = "end of the last complete pass; null before the first")
        @Nullable Instant lastSuccess,
    @Schema(description = "seconds since lastSuccess") @Nullable Double ageSeconds,
    @Schema(description = "duration of the last pass") double lastDurationSeconds,
    @Schema(
            description =
                "the gravest problem of the last pass; null where it was complete; while the"
                    + " target is in back-off, that of the pass that led to it")
        @Nullable FailureCode failure,
    @Schema(description = "what that problem was") @Nullable String message,
    long passes,
    @Schema(description = "problems so far, by code") Map<FailureCode, Long> failures,
    @Schema(description = "passes so far that took longer than from one pass to the next")
        long latePasses,
    @Schema(description = "devices that the last pass that read any told of") int devices,
    @Schema(description = "ports read in the last pass that read any") int ports,
    @Schema(description = "readings of the last pass that read any") int readings,
    @Schema(description = "flows of probes that the last pass that read any told of") int probes,
    @Schema(description = "readings of that pass that were left out, over the budget of a device")
        int dropped,
    @Schema(description = "rows left out in the last pass, by the rule that says so")
        Map<String, Integer> leftOut,
    @Schema(description = "oddities of the device that lose no reading and may last")
        List<String> remarks) {

  static TargetView of(TargetStatus target, Instant now) {
    Instant success = target.lastSuccess();
    return new TargetView(
        target.device(),
        target.collector(),
        target.address(),
        target.lastAttempt(),
        success,
        success == null ? null : Math.max(0, Duration.between(success, now).toMillis()) / 1000.0,
        target.lastSeconds(),
        target.failure(),
        target.message(),
        target.passes(),
        new TreeMap<>(target.failures()),
        target.latePasses(),
        target.devices(),
        target.ports(),
        target.readings(),
        target.probes(),
        target.dropped(),
        new TreeMap<>(target.leftOut()),
        target.remarks());
  }
}
