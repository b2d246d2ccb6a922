package io.fabrichealth.collect.push;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * Receives OTLP/HTTP metrics. Gauges and cumulative sums become readings; what cannot become one is
 * said in the answer's partial success, as the protocol has it.
 */
final class OtlpReceiver {
  static final String NAME = "otlp";

  /** What the sender should know of; metrics that nobody asked for are no failure. */
  private static final List<Refusal> REJECTED =
      List.of(
          Refusal.DELTA,
          Refusal.NO_INSTANCE,
          Refusal.LABELS,
          Refusal.LATE,
          Refusal.OLD,
          Refusal.FUTURE,
          Refusal.ROOM);

  private final Scrapes scrapes;
  private final OtlpIntake intake;

  OtlpReceiver(Scrapes scrapes) {
    this.scrapes = scrapes;
    intake = new OtlpIntake(scrapes);
  }

  byte[] take(OtlpEncoding encoding, byte[] message) throws PushException {
    PushTally tally = scrapes.tally();
    // Decoded messages are many times as large as the body: one at a time.
    synchronized (scrapes) {
      scrapes.begin();
      ExportMetricsServiceRequest request = encoding.decode(message);
      request.getResourceMetricsList().forEach(intake::take);
      long rejected = 0;
      List<String> reasons = new ArrayList<>();
      for (Refusal why : REJECTED) {
        long count = tally.refused(why);
        if (count > 0) {
          rejected += count;
          reasons.add(count + " " + why.tag());
        }
      }
      tally.flush();
      return encoding.success(rejected, String.join(", ", reasons));
    }
  }
}
