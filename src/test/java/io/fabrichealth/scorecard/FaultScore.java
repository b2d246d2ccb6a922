package io.fabrichealth.scorecard;

import org.jspecify.annotations.Nullable;

/**
 * How one fault fared.
 *
 * @param announced whether it is part of announced work, so that its incident must be suppressed
 * @param rank of the first incident at the right entity among those of its time, by probability; 0
 *     where there is none
 * @param causeRight whether that incident's cause is one of those accepted
 * @param secondsFromObservable from when on it could be seen to the opening
 * @param secondsFromOnset from its begin to the opening
 * @param leadSeconds from the opening to the first uncorrectable codeword, or to the end of the
 *     run; NaN where that is not asked
 * @param said what was found of it; null where nothing
 */
record FaultScore(
    int faultClass,
    String severity,
    String subject,
    String cause,
    boolean announced,
    int rank,
    boolean causeRight,
    double secondsFromObservable,
    double secondsFromOnset,
    double leadSeconds,
    @Nullable String said) {

  boolean isFound() {
    return rank > 0;
  }
}
