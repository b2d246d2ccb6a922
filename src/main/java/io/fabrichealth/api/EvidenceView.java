package io.fabrichealth.api;

import io.fabrichealth.finding.Evidence;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;

/** One line of the sum that a probability is; the nats of all lines add up to its logit. */
record EvidenceView(
    @Schema(example = "phy") String family,
    @Schema(example = "fec.uncorrectable_codewords") String signal,
    SubjectView subject,
    String observed,
    String expected,
    @Schema(allowableValues = {"history", "peers", "limit", "path", "collective"}) String reference,
    @Schema(description = "log-likelihood ratio of faulty against healthy, natural logarithm")
        double nats,
    Instant from,
    Instant to,
    String source) {

  static EvidenceView of(Evidence line) {
    return new EvidenceView(
        line.family().label(),
        line.signal(),
        SubjectView.of(line.subject()),
        line.observed(),
        line.expected(),
        line.reference().label(),
        line.nats(),
        line.from(),
        line.to(),
        line.source());
  }
}
