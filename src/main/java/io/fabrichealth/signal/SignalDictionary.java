package io.fabrichealth.signal;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All signals, each with a dense number (its ordinal) that stands for it on hot paths. The ordinals
 * hold for one dictionary only: what is stored or sent names signals by id.
 */
public final class SignalDictionary {
  private final List<Signal> signals;
  private final Map<String, Integer> ordinals = new HashMap<>();

  /**
   * @throws IllegalArgumentException where two signals have the same id
   */
  public SignalDictionary(List<Signal> signals) {
    this.signals = List.copyOf(signals);
    for (int ordinal = 0; ordinal < this.signals.size(); ordinal++) {
      String id = this.signals.get(ordinal).id();
      if (ordinals.put(id, ordinal) != null) {
        throw new IllegalArgumentException("signal '" + id + "' is defined twice");
      }
    }
  }

  public int size() {
    return signals.size();
  }

  public List<Signal> signals() {
    return signals;
  }

  public Signal signal(int ordinal) {
    return signals.get(ordinal);
  }

  public boolean contains(String id) {
    return ordinals.containsKey(id);
  }

  /**
   * @throws IllegalArgumentException where the dictionary has no such signal
   */
  public int ordinal(String id) {
    Integer ordinal = ordinals.get(id);
    if (ordinal == null) {
      throw new IllegalArgumentException("signal '" + id + "' is not in the dictionary");
    }
    return ordinal;
  }
}
