package io.fabrichealth.detect;

/** Whether full queues explain that packets were dropped. */
final class Congestion {
  /** Share of marked packets from which queues are called full. */
  static final double MARKED = 1e-3;

  private static final double BUSY = .7;
  private static final double PAUSED = .01;

  private Congestion() {}

  /**
   * Of packets dropped on their way out. True also where the load cannot be told: then a full queue
   * cannot be ruled out.
   */
  static boolean explainsOut(PortView port) {
    return !(port.utilisation(port.signals.outOctets) < BUSY)
        || port.pauseRatio(port.signals.rxPauseMicroseconds) >= PAUSED
        || port.markedShare() >= MARKED;
  }

  /** The same of packets dropped on their way in; a host drops them for want of buffers. */
  static boolean explainsIn(PortView port) {
    return !(port.utilisation(port.signals.inOctets) < BUSY)
        || port.pauseRatio(port.signals.txPauseMicroseconds) >= PAUSED
        || port.markedShare() >= MARKED
        || port.growth(port.signals.outOfBuffer) > 0;
  }
}
