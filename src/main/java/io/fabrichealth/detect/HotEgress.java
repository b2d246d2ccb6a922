package io.fabrichealth.detect;

import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which ports of a device send at their limit, and since when. Marks tell of a full queue, load
 * only of the mean of a poll: of an uplink that marks much, less load is asked for. Towards hosts
 * all that many send to one at once comes together, which marks as much.
 */
final class HotEgress {
  /** Polls in a row in which a port is not hot before it has cooled down. */
  private static final int COLD = 2;

  /** Part of the load from which it is hot, down to which an uplink neither is nor cools down. */
  private static final double LUKEWARM = .75;

  /** For so long at most: jobs beside it rest, and their flows are drawn anew. */
  private static final long LUKEWARM_NANOS = 120_000_000_000L;

  /** Polls in which it must be hot where it stands out. */
  private static final int ENOUGH_POLLS = 3;

  /** Spreads of the loads of its like by which it must be above their mean to stand out. */
  private static final double SPREADS = 6;

  /** A spread of loads that no group stays below. */
  private static final double LEAST_SPREAD = .05;

  /** So few tell no spread. */
  private static final int LEAST_OTHERS = 3;

  private static final long FORGOTTEN_NANOS = 600_000_000_000L;

  final PauseReader pause;
  final Signals signals;
  private final double hot;
  private final double hotUnmarked;
  private final double hotMuchMarked;
  private final double marked;
  private final double muchMarked;
  private final double wholeSpeed;

  HotEgress(PauseReader pause, Thresholds thresholds) {
    this.pause = pause;
    signals = pause.signals;
    hot = thresholds.number("ecn.hot-load");
    hotUnmarked = thresholds.number("ecn.hot-load-unmarked");
    hotMuchMarked = thresholds.number("ecn.hot-load-much-marked");
    marked = thresholds.number("ecn.marked-ratio");
    muchMarked = thresholds.number("ecn.much-marked-ratio");
    wholeSpeed = thresholds.number("speed-downgrade.share-of-planned");
  }

  /**
   * What is remembered of a port that is hot.
   *
   * @param port its name on the device
   * @param polls in which it was
   * @param cold polls in a row in which it was not
   * @param sinceNanos since when it is hot
   * @param atNanos when it last was
   */
  record Hot(String port, int polls, int cold, long sinceNanos, long atNanos) {

    double seconds() {
      return (atNanos - sinceNanos) / 1e9;
    }
  }

  /**
   * What one port does now.
   *
   * @param up false where its link is or was down in the last poll
   * @param slowed whether its link is slower than planned: that it is full is then a symptom
   * @param heldUp whether its peer pauses it for much of the time
   * @param out share of the line rate that it sends; NaN where it cannot be told
   * @param in the same that it receives
   * @param marks share of the packets it sends that are marked; NaN where nobody counts them
   */
  record Load(
      PortId port,
      boolean up,
      boolean slowed,
      boolean heldUp,
      double out,
      double in,
      double marks) {}

  Load load(DeviceView view, PortId port, @Nullable PortId peerId) {
    SignalWindow own = view.window(port);
    SignalWindow peer = peerId == null ? null : view.window(peerId);
    if (EndReading.isDisturbed(signals, own) || EndReading.isDisturbed(signals, peer)) {
      return new Load(port, false, false, false, Double.NaN, Double.NaN, Double.NaN);
    }
    Port planned = view.fabric().port(port);
    double speed = EndReading.speed(signals, own, planned);
    double out = EndReading.utilisation(own, signals.outOctets, speed);
    double in = EndReading.utilisation(own, signals.inOctets, speed);
    double marks = EndReading.markedShare(signals, own);
    if (Double.isNaN(marks)) {
      marks = EndReading.receivedMarkedShare(signals, peer);
    }
    boolean slowed = planned != null && speed < wholeSpeed * planned.speedBitsPerSecond();
    return new Load(port, true, slowed, pause.isHeldUp(own, peer, speed), out, in, marks);
  }

  /**
   * Whether it sends at its limit and marks packets; more is asked of one that counts no marks.
   *
   * @param uplink whether its device may choose another in its place
   */
  boolean isHot(Load load, boolean uplink) {
    if (load.slowed()) {
      return false;
    }
    if (Double.isNaN(load.marks())) {
      return load.out() >= (uplink ? hot : hotUnmarked);
    }
    boolean isMuch = uplink && load.marks() >= muchMarked;
    return load.out() >= (isMuch ? hotMuchMarked : hot) && load.marks() >= marked;
  }

  /** Whether it is hot now, and has been for that long. */
  boolean isLasting(Hot one, Load load, boolean uplink, double seconds) {
    return one.cold() == 0 && isHot(load, uplink) && one.seconds() >= seconds;
  }

  /** Whether it is so full that this alone tells, whatever its like do, or marks packets. */
  boolean isTelling(Load load) {
    return !Double.isNaN(load.marks()) || load.out() >= hotUnmarked;
  }

  /**
   * Whether an uplink that marks packets, or is so full that it would, is hot now and in two polls
   * before, and so far above its like that neither the luck of flows nor anything that all of them
   * do explains it.
   *
   * @param alike the loads of all uplinks, its own among them
   */
  boolean isBeyondLuck(Hot one, Load load, List<Load> alike) {
    return isLasting(one, load, true, 0)
        && one.polls() >= ENOUGH_POLLS
        && isTelling(load)
        && standsOut(load, alike);
  }

  static boolean standsOut(Load load, List<Load> alike) {
    int others = 0;
    double sum = 0;
    double squares = 0;
    for (Load other : alike) {
      if (other != load && !Double.isNaN(other.out())) {
        others++;
        sum += other.out();
        squares += other.out() * other.out();
      }
    }
    if (others < LEAST_OTHERS) {
      return false;
    }
    double mean = sum / others;
    double spread = Math.sqrt(Math.max(0, (squares - sum * mean) / (others - 1)));
    return load.out() - mean >= SPREADS * Math.max(spread, LEAST_SPREAD);
  }

  /** The ports that are hot after these loads, of those that were and of new ones. */
  List<Hot> next(List<Hot> before, List<Load> loads, boolean uplinks, long nowNanos) {
    List<Hot> next = new ArrayList<>(before.size());
    for (Load load : loads) {
      String port = load.port().port();
      Hot last = find(before, port);
      if (Double.isNaN(load.out())) {
        if (last != null && nowNanos - last.atNanos() < FORGOTTEN_NANOS) {
          next.add(last);
        }
      } else if (isHot(load, uplinks)) {
        int polls = last == null ? 0 : last.polls();
        long since = last == null ? nowNanos : last.sinceNanos();
        next.add(new Hot(port, polls + 1, 0, since, nowNanos));
      } else if (last != null && uplinks && isLukewarm(load, nowNanos - last.atNanos())) {
        next.add(last);
      } else if (last != null && last.cold() + 1 < COLD) {
        next.add(new Hot(port, last.polls(), last.cold() + 1, last.sinceNanos(), last.atNanos()));
      }
    }
    return next;
  }

  private boolean isLukewarm(Load load, long nanos) {
    return load.out() >= LUKEWARM * hot && !load.slowed() && nanos < LUKEWARM_NANOS;
  }

  static @Nullable Hot find(List<Hot> all, String port) {
    for (Hot hot : all) {
      if (hot.port().equals(port)) {
        return hot;
      }
    }
    return null;
  }
}
