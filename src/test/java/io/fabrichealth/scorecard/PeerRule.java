package io.fabrichealth.scorecard;

import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Fabric;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The published rules of another product, written anew by us from their description: neither its
 * code nor its measurement, but what those rules say of the same records. One instance sees one
 * run.
 */
abstract class PeerRule {
  final SignalDictionary dictionary;
  private final Map<String, Long> counters = new HashMap<>();
  Fabric fabric = Fabric.EMPTY;

  PeerRule(SignalDictionary dictionary) {
    this.dictionary = dictionary;
  }

  abstract String name();

  /** A poll; what it makes the rules say goes to {@code alarm}, by id of port or device. */
  abstract void poll(PollBatch batch, Consumer<String> alarm);

  void see(EngineInput input, Consumer<String> alarm) {
    switch (input) {
      case EngineInput.Topology topology -> fabric = topology.fabric();
      case EngineInput.Poll poll -> poll(poll.batch(), alarm);
      case EngineInput.Probe probe -> {}
      case EngineInput.Event event -> {}
      case EngineInput.Maintenance maintenance -> {}
      case EngineInput.Roster roster -> {}
      case EngineInput.Timing timing -> {}
      case EngineInput.Analysis analysis -> {}
    }
  }

  /** A value of a batch; NaN where it was not read. */
  static double value(PollBatch batch, int reading) {
    return batch.quality(reading).hasValue() ? batch.value(reading) : Double.NaN;
  }

  static String port(PollBatch batch, int reading) {
    return batch.device() + ":" + batch.ports().get(batch.portIndex(reading));
  }

  /**
   * Growth of a counter since this was last asked of it, as a plain difference; NaN the first time.
   */
  double growth(String port, String what, long now) {
    Long before = counters.put(port + " " + what, now);
    return before == null ? Double.NaN : (double) (now - before);
  }

  /** The value that {@link #growth} saw last; 0 where there was none. */
  long last(String port, String what) {
    return counters.getOrDefault(port + " " + what, 0L);
  }
}
