package io.fabrichealth.collect.gnmi;

import java.util.List;

/**
 * What gives a signal: one leaf, or several that are added up.
 *
 * @param rank the lowest one that has a value is taken
 * @param scale what a gauge is multiplied by
 * @param divisor what a counter is divided by
 */
record MappedReading(int rank, List<Leaf> leaves, double scale, int divisor) {
  MappedReading {
    leaves = List.copyOf(leaves);
  }
}
