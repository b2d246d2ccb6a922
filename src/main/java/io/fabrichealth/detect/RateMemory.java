package io.fabrichealth.detect;

import java.time.Duration;

/**
 * Events and the exposure in which they came, remembered over a short and a long time, the older
 * the less.
 *
 * <p>The short memory stops to grow where more would make nothing surer, so that it clears within a
 * few of its time constants. The long one drops its past as soon as the rate in it is refuted: when
 * no event came in an exposure in which 7 were due. It also drops it when no event came in the span
 * of the memory, be it for want of exposure: a port that carries nothing any more is not accused
 * for ever.
 *
 * @param recent weighted events of the short memory
 * @param past weighted events of the long memory
 * @param quiet exposure since the last event
 * @param seen events since {@code sinceNanos}, not weighted
 * @param sinceNanos when the present run of events began, nanoseconds since 1970; 0 without one
 * @param eventNanos time of the last event; 0 before the first
 * @param atNanos time of the last update; 0 before the first
 */
record RateMemory(
    double recent,
    double recentExposure,
    double past,
    double pastExposure,
    double quiet,
    double seen,
    double seenExposure,
    long sinceNanos,
    long eventNanos,
    long atNanos) {

  static final RateMemory EMPTY = new RateMemory(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  private static final double REFUTED = 7;
  private static final double NEGLIGIBLE = .5;

  /** Time constants of the two memories. */
  record Span(Duration recent, Duration past) {}

  /**
   * Time passes, and it may be that something was read.
   *
   * @param count events since the last update; 0 where nothing was read
   * @param exposure in which they came; 0 where nothing was read
   */
  RateMemory next(double count, double exposure, long nowNanos, RateLimit limit, Span span) {
    double seconds = atNanos == 0 ? 0 : Math.max(0, nowNanos - atNanos) / 1e9;
    double fade = Math.exp(-seconds / span.recent().toSeconds());
    double slowFade = Math.exp(-seconds / span.past().toSeconds());
    double nextExposure = recentExposure * fade + exposure;
    double next = Math.min(recent * fade + count, limit.cap(nextExposure));
    double nextPast = past * slowFade + count;
    double nextPastExposure = pastExposure * slowFade + exposure;
    double nextQuiet = count > 0 ? 0 : quiet + exposure;
    long lastEvent = count > 0 ? nowNanos : eventNanos;
    boolean isOver = nowNanos - lastEvent > span.past().toNanos();
    if (isOver || nextPast * nextQuiet > REFUTED * nextPastExposure) {
      nextPast = 0;
      nextPastExposure = nextQuiet;
    }
    boolean running = next + nextPast > NEGLIGIBLE;
    boolean began = running && sinceNanos == 0;
    return new RateMemory(
        next,
        nextExposure,
        nextPast,
        nextPastExposure,
        nextQuiet,
        running ? seen + count : 0,
        running ? seenExposure + exposure : 0,
        !running ? 0 : began ? startNanos(nowNanos, seconds) : sinceNanos,
        lastEvent,
        Math.max(atNanos, nowNanos));
  }

  private static long startNanos(long nowNanos, double seconds) {
    return nowNanos - Math.round(seconds * 1e9);
  }

  double recentNats(RateLimit limit) {
    return limit.nats(recent, recentExposure);
  }

  /** The stronger of what the two memories say. */
  double nats(RateLimit limit) {
    return Math.max(recentNats(limit), limit.nats(past, pastExposure));
  }
}
