package io.fabrichealth.collect.push;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.prometheus.MetricMapping;
import io.fabrichealth.collect.push.PushException.Code;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Receives OTLP/HTTP metrics. Gauges and cumulative sums become readings; what cannot become one is
 * said in the answer's partial success, as the protocol has it.
 */
final class OtlpReceiver {
  private static final String NAME = "otlp";

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

  private final PushSettings settings;
  private final PushTally tally;
  private final Scrapes scrapes;
  private final OtlpIntake intake;

  OtlpReceiver(
      PushSettings settings,
      MetricMapping mapping,
      InstantSource clock,
      Predicate<CollectOutcome> sink,
      MeterRegistry meters) {
    this.settings = settings;
    tally = new PushTally(NAME, meters);
    scrapes = new Scrapes(NAME, settings, mapping, clock, sink, tally);
    intake = new OtlpIntake(scrapes, tally);
    tally.show(scrapes);
  }

  byte[] take(OtlpEncoding encoding, Compression packed, byte[] body) throws PushException {
    byte[] message = packed.unpack(body, settings.maxBytes());
    // Decoded messages are many times as large as the body: one at a time.
    synchronized (this) {
      if (!scrapes.begin()) {
        throw new PushException(Code.BUSY, "too many samples wait for detection");
      }
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

  synchronized void endQuiet() {
    scrapes.endQuiet();
    tally.flush();
  }

  /** Hands on all that waits. */
  synchronized void endAll() {
    scrapes.endAll();
    tally.flush();
  }
}
