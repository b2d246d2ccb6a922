package io.fabrichealth.detect;

/**
 * Whether full queues explain that packets were dropped. Load is the mean of a poll, and a queue
 * may be full for a part of it: where marks are counted and there are none, it was not; where
 * nobody counts them, less load is enough.
 */
final class Congestion {
  /** Share of marked packets from which queues are called full. */
  static final double MARKED = 1e-3;

  private static final double PAUSED = .01;

  private final double busy;
  private final double busyUnmarked;
  private final double busyToHost;

  Congestion(Thresholds thresholds) {
    busy = thresholds.number("packet-loss.busy-share");
    busyUnmarked = thresholds.number("packet-loss.busy-share-unmarked");
    busyToHost = thresholds.number("packet-loss.busy-share-unmarked-to-host");
  }

  /**
   * Of packets dropped on their way out. True also where the load cannot be told: then a full queue
   * cannot be ruled out.
   *
   * @param toHost whether many may send to what the port leads to
   */
  boolean explainsOut(PortView port, boolean toHost) {
    double marked = port.markedShare();
    double full = !Double.isNaN(marked) ? busy : toHost ? busyToHost : busyUnmarked;
    return !(port.utilisation(port.signals.outOctets) < full)
        || port.pauseRatio(port.signals.rxPauseMicroseconds) >= PAUSED
        || marked >= MARKED;
  }

  /** The same of packets dropped on their way in; a host drops them for want of buffers. */
  boolean explainsIn(PortView port) {
    return !(port.utilisation(port.signals.inOctets) < busy)
        || port.pauseRatio(port.signals.txPauseMicroseconds) >= PAUSED
        || port.markedShare() >= MARKED
        || port.growth(port.signals.outOfBuffer) > 0;
  }
}
