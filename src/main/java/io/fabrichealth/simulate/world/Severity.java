package io.fabrichealth.simulate.world;

import java.util.Locale;

/** How hard a fault is to see. */
public enum Severity {
  LOW,
  MEDIUM,
  HIGH;

  /** The value of three that is this severity's. */
  double of(double low, double medium, double high) {
    return switch (this) {
      case LOW -> low;
      case MEDIUM -> medium;
      case HIGH -> high;
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
