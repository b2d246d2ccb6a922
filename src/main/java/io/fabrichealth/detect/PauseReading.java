package io.fabrichealth.detect;

import io.fabrichealth.signal.SignalWindow;

/**
 * How long one direction of a link was paused in one priority.
 *
 * @param ratio share of the time; NaN where it cannot be told
 * @param weak whether nothing but frames tells of it, or the two ends contradict each other
 * @param frozen whether the paused end stopped to count while the other end goes on
 * @param window where it was read
 * @param signal id of the counter
 * @param total of it
 * @param still whether no packet of the priority moved
 * @param load share of the line rate that is sent; NaN where it cannot be told
 * @param outOfBuffer packets that the receiver dropped for want of buffers
 * @param storms that the watchdog of the paused end stopped
 */
record PauseReading(
    double ratio,
    boolean weak,
    boolean frozen,
    SignalWindow window,
    String signal,
    long total,
    boolean still,
    double load,
    double outOfBuffer,
    double storms) {}
