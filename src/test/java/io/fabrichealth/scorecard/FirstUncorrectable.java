package io.fabrichealth.scorecard;

import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.simulate.world.Truth;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * When a port first counts an uncorrectable codeword after its fault began, as the records tell.
 */
final class FirstUncorrectable {
  private final int signal;
  private final Map<String, Instant> from = new HashMap<>();
  private final Map<String, Long> counts = new HashMap<>();
  private final Map<String, Instant> grown = new HashMap<>();
  private Instant last = Instant.EPOCH;

  FirstUncorrectable(SignalDictionary dictionary, Truth truth) {
    signal = dictionary.ordinal("fec.uncorrectable_codewords");
    truth.faults().stream()
        .filter(fault -> fault.faultClass() == 1)
        .forEach(fault -> ports(fault.subject().id(), fault.onset()));
  }

  private void ports(String link, Instant onset) {
    for (String port : link.split("--")) {
      from.put(port.replaceFirst("#.*", ""), onset);
    }
  }

  void see(EngineInput input) {
    if (from.isEmpty() || !(input instanceof EngineInput.Poll poll)) {
      return;
    }
    PollBatch batch = poll.batch();
    last = batch.at();
    for (int reading = 0; reading < batch.size(); reading++) {
      if (batch.signal(reading) == signal && batch.quality(reading).hasValue()) {
        see(batch, reading);
      }
    }
  }

  private void see(PollBatch batch, int reading) {
    String port = batch.device() + ":" + batch.ports().get(batch.portIndex(reading));
    Instant onset = from.get(port);
    if (onset == null) {
      return;
    }
    Long before = counts.put(port, batch.raw(reading));
    boolean grew = before != null && Long.compareUnsigned(batch.raw(reading), before) > 0;
    if (grew && batch.at().isAfter(onset)) {
      grown.putIfAbsent(port, batch.at());
    }
  }

  /** Seconds since 1970, the end of the records where none was counted; NaN for other faults. */
  double seconds(Truth.Fault fault) {
    if (fault.faultClass() != 1) {
      return Double.NaN;
    }
    Instant first = last;
    for (String port : fault.subject().id().split("--")) {
      Instant at = grown.get(port.replaceFirst("#.*", ""));
      first = at != null && at.isBefore(first) ? at : first;
    }
    return first.toEpochMilli() / 1000.0;
  }
}
