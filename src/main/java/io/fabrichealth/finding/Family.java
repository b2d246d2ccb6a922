package io.fabrichealth.finding;

import java.util.Locale;

/**
 * Independent kinds of evidence. Counters of one family are correlated, so within a family only the
 * strongest counts, clipped to the bounds given here (nats).
 */
public enum Family {
  PRIOR(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY),
  PHY(-3, 20),
  LOSS(-3, 20),
  EVENT(-3, 20),
  LATENCY(-3, 9),
  PAUSE(-3, 9),
  COLLECTIVE(-3, 9);

  private final double floor;
  private final double ceiling;

  Family(double floor, double ceiling) {
    this.floor = floor;
    this.ceiling = ceiling;
  }

  public double clip(double nats) {
    return Math.max(floor, Math.min(ceiling, nats));
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
