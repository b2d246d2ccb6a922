package io.fabrichealth.signal;

import io.fabrichealth.topology.PortId;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The readings that several collectors have of one port, as one: each signal comes whole from the
 * collector that read it best, values of two collectors are never mixed within a signal.
 */
public final class MergedReadings implements PortReadings {
  private final PortReadings newest;
  private final PortReadings[] bySignal;

  private MergedReadings(List<PortReadings> sources, PortReadings newest, int signals) {
    this.newest = newest;
    bySignal = new PortReadings[signals];
    for (int signal = 0; signal < signals; signal++) {
      PortReadings best = newest;
      for (PortReadings source : sources) {
        if (isBetter(source, best, signal)) {
          best = source;
        }
      }
      bySignal[signal] = best;
    }
  }

  /**
   * @param sources of one port, at least one
   * @param signals size of the dictionary
   */
  public static PortReadings of(Collection<? extends PortReadings> sources, int signals) {
    List<PortReadings> all = List.copyOf(sources);
    PortReadings newest = all.getFirst();
    for (PortReadings source : all) {
      newest = source.readNanos() > newest.readNanos() ? source : newest;
    }
    return all.size() == 1 ? newest : new MergedReadings(all, newest, signals);
  }

  private static boolean isBetter(PortReadings one, PortReadings other, int signal) {
    int difference = rank(one, signal) - rank(other, signal);
    return difference > 0
        || (difference == 0
            && one.elements(signal) > 0
            && one.elements(signal) > other.elements(signal));
  }

  /** A fresh value, an old value, a word on why there is none, nothing. */
  private static int rank(PortReadings readings, int signal) {
    int best = 0;
    for (int element = 0; element < readings.elements(signal); element++) {
      Quality quality = readings.quality(signal, element);
      if (quality.hasValue()) {
        return readings.isFresh(signal) && quality != Quality.STALE ? 4 : 3;
      }
      best = Math.max(best, quality == Quality.UNREADABLE ? 2 : 1);
    }
    return best;
  }

  @Override
  public PortId port() {
    return newest.port();
  }

  @Override
  public String collector() {
    return newest.collector();
  }

  @Override
  public long timeNanos() {
    return newest.timeNanos();
  }

  @Override
  public long readNanos() {
    return newest.readNanos();
  }

  @Override
  public int elements(int signal) {
    return bySignal[signal].elements(signal);
  }

  @Override
  public boolean isFresh(int signal) {
    return bySignal[signal].isFresh(signal);
  }

  @Override
  public Quality quality(int signal, int element) {
    return bySignal[signal].quality(signal, element);
  }

  @Override
  public @Nullable String reason(int signal, int element) {
    return bySignal[signal].reason(signal, element);
  }

  @Override
  public double value(int signal, int element) {
    return bySignal[signal].value(signal, element);
  }

  @Override
  public long raw(int signal, int element) {
    return bySignal[signal].raw(signal, element);
  }

  @Override
  public long total(int signal, int element) {
    return bySignal[signal].total(signal, element);
  }
}
