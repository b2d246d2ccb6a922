package io.fabrichealth.detect;

/**
 * An outage of a port that goes on or just ended, until it is known what to make of it: the other
 * end, and the other ports of the device, may be read seconds later.
 *
 * @param counted outages by the port's counter
 * @param seen outages as changes of state from poll to poll
 * @param beganNanos when it was first noticed; 0 without an outage
 * @param upNanos last time before it that the port was up, as far as known
 * @param firstDownNanos first time that either end was seen down; 0 if none was
 * @param lastDownNanos last time that either end was seen down
 * @param backNanos since when the port is seen up again; 0 while it is not
 * @param downSeconds time spent down by the port's own counter, or else by the other end's; 0 where
 *     neither has one
 * @param leadSeconds how much earlier than the other end this one went down; 0 where unknown
 * @param peerSaw whether the other end went down too
 * @param excused whether something else than the link explains it
 */
record Outage(
    double counted,
    double seen,
    long beganNanos,
    long upNanos,
    long firstDownNanos,
    long lastDownNanos,
    long backNanos,
    double downSeconds,
    double leadSeconds,
    boolean peerSaw,
    boolean excused) {

  static final Outage NONE = new Outage(0, 0, 0, 0, 0, 0, 0, 0, 0, false, false);

  boolean exists() {
    return beganNanos != 0;
  }

  boolean isOver() {
    return backNanos != 0;
  }

  /** A counter may miss what was seen, and the polls what was counted. */
  double events() {
    return Math.max(counted, seen);
  }

  /** Of one of them, at least. */
  double seconds() {
    double seconds = downSeconds > 0 ? downSeconds : (lastDownNanos - firstDownNanos) / 1e9;
    return seconds / Math.max(1, events());
  }

  /**
   * Probability that one of them lasted that long. Where nothing counts the time, it is between
   * what was seen and what the polls leave room for; what no poll saw was rather short.
   */
  double shareBeyond(double limitSeconds) {
    double least = seconds();
    if (least >= limitSeconds) {
      return 1;
    }
    double most = (backNanos - upNanos) / 1e9 / Math.max(1, events());
    if (downSeconds > 0 || !isOver() || most <= limitSeconds) {
      return 0;
    }
    double room = (most - limitSeconds) / (most - least);
    return firstDownNanos > 0 ? room : room * room;
  }
}
