package io.fabrichealth.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.Signal;
import io.fabrichealth.signal.SignalDictionary;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The readings of a batch by port, signal and element; each is in it once. */
public final class Readings {
  public static final SignalDictionary DICTIONARY = SignalCatalogue.load();

  private final PollBatch batch;
  private final Map<String, Integer> numbers = new HashMap<>();

  public Readings(PollBatch batch) {
    this.batch = batch;
    for (int reading = 0; reading < batch.size(); reading++) {
      String port = batch.ports().get(batch.portIndex(reading));
      String signal = DICTIONARY.signal(batch.signal(reading)).id();
      String key = key(port, signal, batch.element(reading));
      if (numbers.put(key, reading) != null) {
        throw new AssertionError(key + " is in the batch twice");
      }
    }
  }

  private static String key(String port, String signal, int element) {
    return port + " " + signal + " " + element;
  }

  /** Quality and value, or why there is none; null where the reading is not in the batch. */
  public @Nullable String of(String port, String signal) {
    return of(port, signal, 0);
  }

  public @Nullable String of(String port, String signal, int element) {
    Integer reading = numbers.get(key(port, signal, element));
    return reading == null ? null : text(reading);
  }

  /** All of them as text, by port, signal and element. */
  public Map<String, String> texts() {
    Map<String, String> texts = new HashMap<>();
    numbers.forEach((key, reading) -> texts.put(key, text(reading)));
    return texts;
  }

  private String text(int reading) {
    Quality quality = batch.quality(reading);
    if (!quality.hasValue()) {
      String reason = batch.reason(reading);
      return reason == null ? quality.name() : quality + " " + reason;
    }
    Signal signal = DICTIONARY.signal(batch.signal(reading));
    return quality
        + " "
        + (signal.kind() == Signal.Kind.COUNTER
            ? Long.toUnsignedString(batch.raw(reading))
            : Double.toString(batch.value(reading)));
  }

  public boolean has(String port, String signal) {
    return numbers.containsKey(key(port, signal, 0));
  }

  /** The reading's number in the batch; fails where there is none. */
  public int at(String port, String signal, int element) {
    assertThat(numbers).as("%s of '%s'", signal, port).containsKey(key(port, signal, element));
    return numbers.get(key(port, signal, element));
  }

  public double value(String port, String signal, int element) {
    return batch.value(at(port, signal, element));
  }

  public long counter(String port, String signal, int element) {
    return batch.raw(at(port, signal, element));
  }
}
