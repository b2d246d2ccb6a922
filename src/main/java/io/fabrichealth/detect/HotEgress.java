package io.fabrichealth.detect;

import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.PortId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which ports of a device send at their limit, and since when. */
final class HotEgress {
  /** Polls in a row in which a port is not hot before it has cooled down. */
  private static final int COLD = 2;

  private static final long FORGOTTEN_NANOS = 600_000_000_000L;

  final PauseReader pause;
  final Signals signals;
  private final double hot;
  private final double hotUnmarked;
  private final double marked;

  HotEgress(PauseReader pause, Thresholds thresholds) {
    this.pause = pause;
    signals = pause.signals;
    hot = thresholds.number("ecn.hot-load");
    hotUnmarked = thresholds.number("ecn.hot-load-unmarked");
    marked = thresholds.number("ecn.marked-ratio");
  }

  /**
   * What is remembered of a port that is hot.
   *
   * @param port its name on the device
   * @param cold polls in a row in which it was not
   * @param sinceNanos since when it is hot, and when it was last read
   */
  record Hot(String port, int cold, long sinceNanos, long atNanos) {

    double seconds() {
      return (atNanos - sinceNanos) / 1e9;
    }
  }

  /**
   * What one port does now.
   *
   * @param up false where its link is or was down in the last poll
   * @param heldUp whether its peer pauses it for much of the time
   * @param out share of the line rate that it sends; NaN where it cannot be told
   * @param in the same that it receives
   * @param marks share of the packets it sends that are marked; NaN where nobody counts them
   */
  record Load(PortId port, boolean up, boolean heldUp, double out, double in, double marks) {}

  Load load(DeviceView view, PortId port, @Nullable PortId peerId) {
    SignalWindow own = view.window(port);
    SignalWindow peer = peerId == null ? null : view.window(peerId);
    if (EndReading.isDisturbed(signals, own) || EndReading.isDisturbed(signals, peer)) {
      return new Load(port, false, false, Double.NaN, Double.NaN, Double.NaN);
    }
    double speed = EndReading.speed(signals, own, view.fabric().port(port));
    double out = EndReading.utilisation(own, signals.outOctets, speed);
    double in = EndReading.utilisation(own, signals.inOctets, speed);
    double marks = EndReading.markedShare(signals, own);
    if (Double.isNaN(marks)) {
      marks = EndReading.receivedMarkedShare(signals, peer);
    }
    return new Load(port, true, pause.isHeldUp(own, peer, speed), out, in, marks);
  }

  /** Whether it sends at its limit and marks packets; more is asked of one that counts no marks. */
  boolean isHot(Load load) {
    return Double.isNaN(load.marks())
        ? load.out() >= hotUnmarked
        : load.out() >= hot && load.marks() >= marked;
  }

  /** The ports that are hot after these loads, of those that were and of new ones. */
  List<Hot> next(List<Hot> before, List<Load> loads, long nowNanos) {
    List<Hot> next = new ArrayList<>(before.size());
    for (Load load : loads) {
      Hot last = find(before, load.port().port());
      if (Double.isNaN(load.out())) {
        if (last != null && nowNanos - last.atNanos() < FORGOTTEN_NANOS) {
          next.add(last);
        }
      } else if (isHot(load)) {
        next.add(
            new Hot(load.port().port(), 0, last == null ? nowNanos : last.sinceNanos(), nowNanos));
      } else if (last != null && last.cold() + 1 < COLD) {
        next.add(new Hot(last.port(), last.cold() + 1, last.sinceNanos(), last.atNanos()));
      }
    }
    return next;
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
