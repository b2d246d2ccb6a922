package io.fabrichealth.detect;

/**
 * From which shares of the time on pause means what.
 *
 * @param edge from which a link waits
 * @param slow from which its receiver is suspicious
 * @param clear below which it is no longer
 * @param stopped from which it is all of the time, as far as polls can tell
 * @param full share of the line rate from which a port is full
 * @param rememberedNanos how long what was paused is remembered
 */
record PauseLimits(
    double edge, double slow, double clear, double stopped, double full, long rememberedNanos) {

  static PauseLimits of(Thresholds thresholds) {
    return new PauseLimits(
        thresholds.number("pause-graph.waiting-ratio"),
        thresholds.number("pause-graph.slow-ratio"),
        thresholds.number("pause-graph.clear-ratio"),
        thresholds.number("pause-graph.stopped-ratio"),
        thresholds.number("pause-graph.full-load"),
        Math.round(thresholds.number("pause-graph.remembered-seconds") * 1e9));
  }
}
