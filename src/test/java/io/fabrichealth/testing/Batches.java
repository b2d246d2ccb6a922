package io.fabrichealth.testing;

import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.Signal;
import io.fabrichealth.signal.SignalDictionary;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What a batch says, as text that tests compare. */
public final class Batches {

  private Batches() {}

  /** One line a reading, sorted: port, signal, element, value and quality, or why there is none. */
  public static List<String> lines(PollBatch batch, SignalDictionary dictionary) {
    List<String> lines = new ArrayList<>();
    for (int reading = 0; reading < batch.size(); reading++) {
      Signal signal = dictionary.signal(batch.signal(reading));
      Quality quality = batch.quality(reading);
      String value =
          !quality.hasValue() || quality == Quality.STALE
              ? quality + " " + batch.reason(reading)
              : signal.kind() == Signal.Kind.COUNTER
                  ? Long.toUnsignedString(batch.raw(reading)) + " " + quality
                  : batch.value(reading) + " " + quality;
      String port = batch.ports().get(batch.portIndex(reading));
      lines.add(
          (port.isEmpty() ? "" : port + " ")
              + signal.id()
              + "["
              + batch.element(reading)
              + "] "
              + value);
    }
    Collections.sort(lines);
    return lines;
  }
}
