package io.fabrichealth.scorecard;

import java.util.List;

/**
 * How one run fared.
 *
 * @param label of the run, for people
 * @param right incidents of faults, at the right entity
 * @param echoes incidents at what a fault touches: a fault must be one incident
 * @param wrong incidents of no fault, each in words
 * @param linksBlamed incidents, but for those of a confounder, whose cause is a link's
 * @param allowed incidents that a confounder may have
 * @param suppressed incidents that announced work made expected
 * @param audited incidents whose evidence was added up
 * @param auditFailures those of them where the sum is not the logit of the probability
 */
record RunScore(
    String label,
    int faultClass,
    String className,
    String severity,
    double linkDays,
    List<FaultScore> faults,
    int right,
    List<String> echoes,
    List<String> wrong,
    int linksBlamed,
    int allowed,
    int suppressed,
    int audited,
    int auditFailures) {

  RunScore {
    faults = List.copyOf(faults);
    echoes = List.copyOf(echoes);
    wrong = List.copyOf(wrong);
  }
}
