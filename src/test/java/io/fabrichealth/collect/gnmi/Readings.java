package io.fabrichealth.collect.gnmi;

import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.Signal;
import io.fabrichealth.signal.SignalDictionary;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The readings of a batch as text, by port, signal and element. */
record Readings(Map<String, String> texts) {
  static final SignalDictionary DICTIONARY = SignalCatalogue.load();

  Readings(PollBatch batch) {
    this(texts(batch));
  }

  private static Map<String, String> texts(PollBatch batch) {
    Map<String, String> texts = new HashMap<>();
    for (int reading = 0; reading < batch.size(); reading++) {
      String port = batch.ports().get(batch.portIndex(reading));
      Signal signal = DICTIONARY.signal(batch.signal(reading));
      String key = key(port, signal.id(), batch.element(reading));
      if (texts.put(key, text(batch, reading, signal)) != null) {
        throw new AssertionError(key + " is in the batch twice");
      }
    }
    return texts;
  }

  private static String text(PollBatch batch, int reading, Signal signal) {
    Quality quality = batch.quality(reading);
    if (!quality.hasValue()) {
      String reason = batch.reason(reading);
      return reason == null ? quality.name() : quality + " " + reason;
    }
    return quality
        + " "
        + (signal.kind() == Signal.Kind.COUNTER
            ? Long.toUnsignedString(batch.raw(reading))
            : Double.toString(batch.value(reading)));
  }

  private static String key(String port, String signal, int element) {
    return port + " " + signal + " " + element;
  }

  @Nullable String of(String port, String signal) {
    return of(port, signal, 0);
  }

  @Nullable String of(String port, String signal, int element) {
    return texts.get(key(port, signal, element));
  }
}
