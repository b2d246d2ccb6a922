package io.fabrichealth.collect.gnmi;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a name or a key in a path stands for: {@code {port}}, {@code {lane}}, ... */
enum Variable {
  PORT(0),
  /** A module or another part of the device, which a port may refer to. */
  COMPONENT(0),
  /** One of the devices that are seen behind a port. */
  NEIGHBOUR(0),
  /** One more than there are, as some devices count from 1. */
  LANE(17),
  PRIORITY(8),
  QUEUE(64),
  BIN(32),
  /** Whatever it is, it does not matter. */
  ANY(0);

  private final int elements;

  Variable(int elements) {
    this.elements = elements;
  }

  /** How many elements there can be; 0 where it does not number elements. */
  int elements() {
    return elements;
  }

  boolean numbersElements() {
    return elements > 0;
  }

  static @Nullable Variable of(String name) {
    for (Variable variable : values()) {
      if (variable.name().toLowerCase(Locale.ROOT).equals(name)) {
        return variable;
      }
    }
    return null;
  }
}
