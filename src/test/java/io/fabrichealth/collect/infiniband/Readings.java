package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.Signal;
import io.fabrichealth.signal.SignalDictionary;

/** What a batch holds, as text: quality and value, or {@code -} where a signal is not in it. */
record Readings(PollBatch batch) {
  static final SignalDictionary DICTIONARY = SignalCatalogue.load();

  static Readings of(CollectOutcome outcome, String device) {
    return new Readings(batch(outcome, device));
  }

  static PollBatch batch(CollectOutcome outcome, String device) {
    return outcome.batches().stream()
        .filter(batch -> batch.device().equals(device))
        .findFirst()
        .orElseThrow(
            () ->
                new AssertionError(
                    device
                        + " is none of "
                        + outcome.batches().stream().map(PollBatch::device).toList()));
  }

  String of(String port, String signal) {
    int ordinal = DICTIONARY.ordinal(signal);
    for (int reading = 0; reading < batch.size(); reading++) {
      if (batch.signal(reading) == ordinal
          && batch.ports().get(batch.portIndex(reading)).equals(port)) {
        Quality quality = batch.quality(reading);
        if (!quality.hasValue()) {
          return quality + " " + batch.reason(reading);
        }
        boolean counts = DICTIONARY.signal(ordinal).kind() == Signal.Kind.COUNTER;
        return quality
            + " "
            + (counts
                ? Long.toUnsignedString(batch.raw(reading))
                : Double.toString(batch.value(reading)));
      }
    }
    return "-";
  }
}
