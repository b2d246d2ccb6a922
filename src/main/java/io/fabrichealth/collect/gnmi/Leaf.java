package io.fabrichealth.collect.gnmi;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A path that is mapped, as it is kept.
 *
 * @param subscription index of the subscription that brings it
 * @param elements how many elements its readings can have; 1 where it has one
 * @param states what the texts of a state mean; empty for other contents
 */
record Leaf(
    int index,
    String path,
    Of of,
    Content content,
    @Nullable FactKind fact,
    int subscription,
    int elements,
    Map<String, Double> states) {
  Leaf {
    states = Map.copyOf(states);
  }

  /** What it is told of. */
  enum Of {
    PORT,
    COMPONENT,
    NEIGHBOUR,
    DEVICE
  }

  /** What its value is. */
  enum Content {
    /** An unsigned number of 64 bits. */
    COUNTER,
    GAUGE,
    STATE,
    /** Bits a second, also as an OpenConfig identity: {@code SPEED_400GB}. */
    SPEED,
    FACT
  }
}
