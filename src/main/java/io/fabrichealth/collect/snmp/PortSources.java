package io.fabrichealth.collect.snmp;

import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Where the signals of one port are read. A port keeps its source of a signal for as long as that
 * answers: two tables that count the same thing do not agree to the packet, and going from one to
 * the other looks like growth. Where a source does change, the port's counters are said to begin
 * anew.
 */
final class PortSources {
  private final int[] source;
  private final int[] rank;
  private final long[] lastPass;
  private final boolean[] counted;
  private int changes;
  private long discontinuityTicks = -1;
  private @Nullable String discontinuity;

  /**
   * @param signals in the dictionary
   */
  PortSources(int signals) {
    source = new int[signals];
    rank = new int[signals];
    lastPass = new long[signals];
    counted = new boolean[signals];
  }

  /**
   * Whether the signal is to be read from this source.
   *
   * @param group the source, above 0
   * @param preference the lower, the better
   */
  boolean accepts(int signal, int group, int preference, boolean counter, long pass) {
    if (source[signal] != group) {
      if (source[signal] != 0 && rank[signal] <= preference) {
        return false;
      }
      if (counter && counted[signal]) {
        changes++;
        discontinuity = null;
      }
      source[signal] = group;
      rank[signal] = preference;
      counted[signal] |= counter;
    }
    lastPass[signal] = pass;
    return true;
  }

  /** Where the signal is read; 0 where nowhere. */
  int source(int signal) {
    return source[signal];
  }

  /**
   * Gives up sources that no longer answer, so that the next best may take over.
   *
   * @param readToTheEnd whether a source was read to its end in this pass
   */
  void release(long pass, IntPredicate readToTheEnd) {
    for (int signal = 0; signal < source.length; signal++) {
      if (source[signal] != 0 && lastPass[signal] != pass && readToTheEnd.test(source[signal])) {
        source[signal] = 0;
      }
    }
  }

  void discontinuityTicks(long ticks) {
    if (ticks != discontinuityTicks) {
      discontinuityTicks = ticks;
      discontinuity = null;
    }
  }

  /** Changes where the port's counters began anew; null where nothing tells. */
  @Nullable String discontinuity() {
    if (discontinuity == null && (discontinuityTicks >= 0 || changes > 0)) {
      discontinuity =
          changes == 0 ? Long.toString(discontinuityTicks) : discontinuityTicks + "/" + changes;
    }
    return discontinuity;
  }
}
