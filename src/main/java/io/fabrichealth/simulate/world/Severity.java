package io.fabrichealth.simulate.world;

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
}
