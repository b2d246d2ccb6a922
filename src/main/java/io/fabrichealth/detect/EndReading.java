package io.fabrichealth.detect;

import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.signal.Unsigned;
import io.fabrichealth.topology.Port;
import org.jspecify.annotations.Nullable;

/** What wide detectors ask of the last poll of one port. */
final class EndReading {
  private static final double POLLS = 2.5;
  private static final double RECENT_SECONDS = 90;

  private EndReading() {}

  /** Growth over all elements in the last poll; NaN where nothing can be told. */
  static double growth(@Nullable SignalWindow window, int signal) {
    if (window == null) {
      return Double.NaN;
    }
    for (int element = 0; element < window.elements(signal); element++) {
      if (hasGrowth(window, signal, element)) {
        return window.deltaSum(signal);
      }
    }
    return Double.NaN;
  }

  /** False also where a counter stands at its end and hides what goes on. */
  static boolean hasGrowth(SignalWindow window, int signal, int element) {
    return window.hasDelta(signal, element)
        && (window.quality(signal, element) != Quality.SATURATED
            || window.delta(signal, element) != 0);
  }

  /** Growth of one element a second; NaN where nothing can be told. */
  static double rate(@Nullable SignalWindow window, int signal, int element) {
    if (window == null || !hasGrowth(window, signal, element)) {
      return Double.NaN;
    }
    double seconds = window.seconds(signal, element);
    return seconds > 0 ? Unsigned.toDouble(window.delta(signal, element)) / seconds : Double.NaN;
  }

  /** Whether any element of the signal grew in the last poll. */
  static boolean moved(@Nullable SignalWindow window, int signal) {
    if (window != null) {
      for (int element = 0; element < window.elements(signal); element++) {
        if (window.delta(signal, element) != 0) {
          return true;
        }
      }
    }
    return false;
  }

  /** Negotiated speed, else the planned one; 0 where neither is known. */
  static double speed(Signals signals, @Nullable SignalWindow window, @Nullable Port port) {
    double negotiated = window == null ? Double.NaN : window.value(signals.speed, 0);
    if (negotiated > 0 && Double.isFinite(negotiated)) {
      return negotiated;
    }
    return port == null ? 0 : port.speedBitsPerSecond();
  }

  /** Share of the line rate in the last poll; NaN where it cannot be told. */
  static double utilisation(@Nullable SignalWindow window, int octets, double speed) {
    double rate = rate(window, octets, 0);
    return speed > 0 ? rate * 8 / speed : Double.NaN;
  }

  /**
   * Share of the packets sent on this port that were marked, as its device counts; NaN where it
   * does not.
   */
  static double markedShare(Signals signals, @Nullable SignalWindow window) {
    double packets = growth(window, signals.outPackets);
    if (Double.isNaN(packets)) {
      packets = growth(window, signals.queuePackets);
    }
    return packets > 0 ? growth(window, signals.ecnMarked) / packets : Double.NaN;
  }

  /** The same, as the host at the other end counts what it receives. */
  static double receivedMarkedShare(Signals signals, @Nullable SignalWindow host) {
    double packets = growth(host, signals.inPackets);
    return packets > 0 ? growth(host, signals.hostEcnMarked) / packets : Double.NaN;
  }

  /** Whether the port is down or was in its last poll: what it counted then says little. */
  static boolean isDisturbed(Signals signals, @Nullable SignalWindow window) {
    return window != null
        && (window.value(signals.operUp, 0) == 0
            || window.deltaSum(signals.linkDowned) > 0
            || window.deltaSum(signals.downMilliseconds) > 0);
  }

  /** Whether the last poll is so recent that it tells of the present; by the reader's clock. */
  static boolean isRecent(SignalWindow window, double intervalSeconds, long nowNanos) {
    double allowed = Math.max(RECENT_SECONDS, POLLS * intervalSeconds);
    return Math.abs(nowNanos - window.readNanos()) / 1e9 < allowed;
  }
}
