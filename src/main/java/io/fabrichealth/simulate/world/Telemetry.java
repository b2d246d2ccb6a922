package io.fabrichealth.simulate.world;

/** What the devices of a site tell. */
public enum Telemetry {
  /** Each vendor its own: histograms, totals, gauges; widths, clocks and ages differ. */
  MIXED,
  /** Every device the same few counters: states, traffic, errors, codewords in total. */
  COUNTERS
}
