package io.fabrichealth.detect;

/**
 * What is remembered of one direction of a link in one priority.
 *
 * @param link its id
 * @param fromA whether the end that sorts first is the one that is paused
 * @param ratio share of the time of the last bad look
 * @param weak whether nothing but frames tells of the pause, or the two ends contradict each other
 * @param score grows by one with each bad look and falls by one with each good one, 0 to 3
 * @param stuck looks in a row with pause all of the time and without a packet
 * @param stuckNanos since when
 * @param outOfBuffer packets that the receiver dropped for want of buffers since the score is not 0
 * @param storms storms that the watchdog of the paused end stopped since then
 * @param stormNanos when it last did; 0 where it did not
 * @param signal id of the counter that was judged
 * @param total of that counter
 * @param totalNanos time of that total, of the device's clock
 * @param sinceNanos when the last run of bad looks began
 * @param badNanos when it was last bad
 * @param judgedNanos when it was last judged
 */
record PauseMemory(
    String link,
    boolean fromA,
    int priority,
    double ratio,
    boolean weak,
    int score,
    int stuck,
    long stuckNanos,
    double outOfBuffer,
    double storms,
    long stormNanos,
    String signal,
    long total,
    long totalNanos,
    long sinceNanos,
    long badNanos,
    long judgedNanos) {

  static PauseMemory of(String link, boolean fromA, int priority) {
    return new PauseMemory(link, fromA, priority, 0, false, 0, 0, 0, 0, 0, 0, "", 0, 0, 0, 0, 0);
  }
}
