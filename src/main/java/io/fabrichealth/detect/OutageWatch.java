package io.fabrichealth.detect;

import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.signal.Unsigned;
import org.jspecify.annotations.Nullable;

/** Follows the outages of a port, as it and the other end of its link show them. */
final class OutageWatch {
  private static final long SETTLE_NANOS = 120_000_000_000L;
  private static final long PATIENCE_NANOS = 60_000_000_000L;
  private static final long STARTING_NANOS = 300_000_000_000L;
  private static final double UNKNOWN = -1;

  /** A link that comes back with less than this share of its speed has negotiated anew. */
  private static final double SLOWER = .9;

  private final Signals signals;

  OutageWatch(Signals signals) {
    this.signals = signals;
  }

  /**
   * How a port and its peer were at the last quiet poll.
   *
   * @param oper state at the last poll that read it
   * @param speed as negotiated; 0 where unknown
   * @param peerDowned the other end's count of outages; -1 where unknown
   * @param peerDownSeconds time that the other end spent down; -1 where unknown
   * @param settledNanos until when outages are those of a reboot
   */
  record Before(
      int oper, double speed, double peerDowned, double peerDownSeconds, long settledNanos) {
    static final Before NOTHING = new Before(PortView.UNKNOWN, 0, UNKNOWN, UNKNOWN, 0);
  }

  /**
   * What the next poll is to be compared with.
   *
   * @param quiet whether no outage waits for judgement: while one does, the speed and the counts of
   *     the other end stay those from before it
   */
  Before next(Before last, PortView port, boolean quiet) {
    int oper = port.oper() == PortView.UNKNOWN ? last.oper() : port.oper();
    long settled = settledNanos(last, port);
    if (!quiet) {
      return new Before(oper, last.speed(), last.peerDowned(), last.peerDownSeconds(), settled);
    }
    double negotiated = port.window.value(signals.speed, 0);
    SignalWindow peer = port.peer();
    double downed = total(peer, signals.linkDowned);
    double downSeconds = downSeconds(peer);
    double speed = negotiated > 0 ? negotiated : last.speed();
    boolean isSame =
        oper == last.oper()
            && speed == last.speed()
            && downed == last.peerDowned()
            && downSeconds == last.peerDownSeconds()
            && settled == last.settledNanos();
    return isSame ? last : new Before(oper, speed, downed, downSeconds, settled);
  }

  private static long settledNanos(Before last, PortView port) {
    return port.isRebooted() ? port.nowNanos() + SETTLE_NANOS : last.settledNanos();
  }

  private static double total(@Nullable SignalWindow of, int signal) {
    return of == null || !of.quality(signal, 0).hasValue()
        ? UNKNOWN
        : Unsigned.toDouble(of.total(signal, 0));
  }

  private double downSeconds(@Nullable SignalWindow of) {
    double milliseconds = total(of, signals.downMilliseconds);
    return milliseconds >= 0 ? milliseconds / 1000 : UNKNOWN;
  }

  /** The outage after this poll; the same instance where there is none. */
  Outage next(Outage outage, Before before, PortView port) {
    long now = port.nowNanos();
    int oper = port.oper() == PortView.UNKNOWN ? before.oper() : port.oper();
    double counted = port.growth(signals.linkDowned);
    double spent = port.growth(signals.downMilliseconds) / 1000;
    boolean wentDown = before.oper() == PortView.UP && oper == PortView.DOWN;
    boolean isCounted = counted > 0;
    boolean isTimed = Double.isNaN(counted) && spent > 0 && !outage.exists();
    if (!outage.exists() && !wentDown && !isCounted && !isTimed) {
      return outage;
    }
    SignalWindow peer = port.peer();
    boolean isDown = oper == PortView.DOWN;
    boolean isPeerDown = port.peerOper() == PortView.DOWN && isReadSince(peer, outage, port);
    long seenDown = isDown ? now : isPeerDown && peer != null ? peer.readNanos() : 0;
    return new Outage(
        outage.counted() + (isCounted ? counted : 0),
        outage.seen() + (wentDown || isTimed ? 1 : 0),
        outage.exists() ? outage.beganNanos() : now,
        outage.exists() ? outage.upNanos() : now - intervalNanos(port),
        outage.firstDownNanos() != 0
            ? Math.min(outage.firstDownNanos(), orMost(seenDown))
            : seenDown,
        Math.max(outage.lastDownNanos(), seenDown),
        isDown ? 0 : outage.isOver() && !isCounted ? outage.backNanos() : now,
        downSeconds(outage, before, peer, spent),
        lead(outage, port, peer, spent, isDown && isPeerDown),
        outage.peerSaw() || isPeerDown || sawOutage(before, peer, port),
        outage.excused() || isExcused(before, port));
  }

  private static long orMost(long nanos) {
    return nanos == 0 ? Long.MAX_VALUE : nanos;
  }

  /** Whether the peer was read in about the time of the outage. */
  private boolean isReadSince(@Nullable SignalWindow peer, Outage outage, PortView port) {
    if (peer == null) {
      return false;
    }
    long from = outage.exists() ? outage.upNanos() : port.nowNanos() - intervalNanos(port);
    return peer.readNanos() >= from;
  }

  /** Time since the port's last reading, by the longest of its counters' exposures. */
  private long intervalNanos(PortView port) {
    double seconds = Math.max(port.seconds(signals.linkDowned), port.seconds(signals.inOctets));
    return Math.round(Math.max(seconds, port.seconds(signals.downMilliseconds)) * 1e9);
  }

  private double downSeconds(
      Outage outage, Before before, @Nullable SignalWindow peer, double spent) {
    if (spent >= 0) {
      return outage.downSeconds() + spent;
    }
    double ofPeer = downSeconds(peer);
    return before.peerDownSeconds() >= 0 && ofPeer > before.peerDownSeconds()
        ? Math.max(outage.downSeconds(), ofPeer - before.peerDownSeconds())
        : outage.downSeconds();
  }

  /** Both ends count the time that they are down, so that each tells when it went down. */
  private double lead(
      Outage outage, PortView port, @Nullable SignalWindow peer, double spent, boolean bothDown) {
    if (outage.leadSeconds() != 0 || !bothDown || peer == null || !(spent > 0)) {
      return outage.leadSeconds();
    }
    double ofPeer = peer.deltaSum(signals.downMilliseconds) / 1000;
    double own = port.window.readNanos() / 1e9 - outage.downSeconds() - spent;
    return ofPeer > 0 ? peer.readNanos() / 1e9 - ofPeer - own : 0;
  }

  private boolean sawOutage(Before before, @Nullable SignalWindow peer, PortView port) {
    return peer != null
        && (before.peerDowned() >= 0 && total(peer, signals.linkDowned) > before.peerDowned()
            || before.peerDownSeconds() >= 0 && downSeconds(peer) > before.peerDownSeconds()
            || port.hadPeerOutage());
  }

  private boolean isExcused(Before before, PortView port) {
    return port.nowNanos() < settledNanos(before, port)
        || port.isAdminDown()
        || port.isPeerAdminDown()
        || port.isPeerRebooted()
        || port.isDeviceWide()
        || cameBackSlower(before, port);
  }

  private boolean cameBackSlower(Before before, PortView port) {
    double negotiated = port.window.value(signals.speed, 0);
    return port.oper() == PortView.UP
        && negotiated > 0
        && before.speed() > 0
        && negotiated < SLOWER * before.speed();
  }

  /** Whether enough was read since to judge the outage. */
  boolean isReady(Outage outage, PortView port) {
    long age = port.nowNanos() - outage.beganNanos();
    if (outage.excused()) {
      return outage.isOver();
    }
    if (!outage.isOver()) {
      return outage.events() > 1 && age >= PATIENCE_NANOS;
    }
    SignalWindow peer = port.peer();
    if (peer == null || peer.readNanos() >= outage.backNanos()) {
      return true;
    }
    boolean wentSilent =
        peer.readNanos() < outage.beganNanos()
            && outage.beganNanos() - peer.readNanos() < PATIENCE_NANOS;
    return age >= (wentSilent ? STARTING_NANOS : PATIENCE_NANOS);
  }

  /** Whether the other end counts outages and did not count this one. */
  boolean isDenied(Outage outage, Before before, PortView port) {
    SignalWindow peer = port.peer();
    return !outage.peerSaw()
        && before.peerDowned() >= 0
        && peer != null
        && peer.readNanos() >= outage.backNanos()
        && peer.quality(signals.linkDowned, 0).hasValue()
        && peer.quality(signals.linkDowned, 0) != Quality.SATURATED;
  }
}
