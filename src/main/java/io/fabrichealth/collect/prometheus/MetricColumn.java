package io.fabrichealth.collect.prometheus;

import io.fabrichealth.signal.Signal;

/**
 * A metric that gives a signal of a port. A metric by lane, priority or bin is one column for each.
 *
 * @param index place among the columns of its shape
 * @param signal ordinal in the dictionary
 * @param rank where several metrics give one signal of one port the lowest rank is used
 * @param oldAfterSeconds the exporter reads it from a file, which is old after so long; 0: it reads
 *     it itself
 * @param value what its numbers mean
 */
record MetricColumn(
    int index,
    String metric,
    PortShape shape,
    int signal,
    int element,
    int rank,
    int oldAfterSeconds,
    MetricValue value) {

  boolean isCounter() {
    return value.kind() == Signal.Kind.COUNTER;
  }
}
