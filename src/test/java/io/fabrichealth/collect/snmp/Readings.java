package io.fabrichealth.collect.snmp;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.SignalDictionary;

/** Finds readings in a batch by name. */
record Readings(PollBatch batch, SignalDictionary dictionary) {

  double value(String port, String signal, int element) {
    return batch.value(at(port, signal, element));
  }

  long counter(String port, String signal, int element) {
    return batch.raw(at(port, signal, element));
  }

  /** The reading's number; fails where there is none. */
  int at(String port, String signal, int element) {
    int found = find(port, signal, element);
    assertThat(found).as("%s of '%s'", signal, port).isNotNegative();
    return found;
  }

  boolean has(String port, String signal) {
    return find(port, signal, 0) >= 0;
  }

  int find(String port, String signal, int element) {
    int ordinal = dictionary.ordinal(signal);
    for (int reading = 0; reading < batch.size(); reading++) {
      if (batch.signal(reading) == ordinal
          && batch.element(reading) == element
          && batch.ports().get(batch.portIndex(reading)).equals(port)) {
        return reading;
      }
    }
    return -1;
  }
}
