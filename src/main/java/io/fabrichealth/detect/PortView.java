package io.fabrichealth.detect;

import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.signal.Unsigned;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What several detectors ask of a port and its surroundings at one poll. */
final class PortView {
  /** State of a port as last seen: not known, down, up. */
  static final int UNKNOWN = -1;

  static final int DOWN = 0;
  static final int UP = 1;

  private static final long RECENT_NANOS = 60_000_000_000L;

  final Signals signals;
  final SignalWindow window;
  final DetectContext context;

  PortView(Signals signals, SignalWindow window, DetectContext context) {
    this.signals = signals;
    this.window = window;
    this.context = context;
  }

  long nowNanos() {
    return nanos(context.at());
  }

  int oper() {
    return oper(window);
  }

  private int oper(SignalWindow of) {
    double value = of.value(signals.operUp, 0);
    return Double.isNaN(value) ? UNKNOWN : value > 0 ? UP : DOWN;
  }

  /** Whether the plan or the device says that the port is to be down. */
  boolean isAdminDown() {
    return isSetDown(window.port(), window);
  }

  boolean isPeerAdminDown() {
    PortId peer = context.link().peerOf(window.port());
    return peer != null && isSetDown(peer, context.window(peer));
  }

  private boolean isSetDown(PortId port, @Nullable SignalWindow seen) {
    Port known = context.fabric().port(port);
    return (known != null && !known.adminUp())
        || (seen != null && seen.value(signals.adminUp, 0) == 0);
  }

  int peerOper() {
    SignalWindow seen = peer();
    return seen == null ? UNKNOWN : oper(seen);
  }

  @Nullable SignalWindow peer() {
    PortId peer = context.link().peerOf(window.port());
    return peer == null ? null : context.window(peer);
  }

  /**
   * Whether the link went down or came up in this interval, as far as either end shows it: what the
   * counters did then says nothing of the link's quality.
   *
   * @param before state of the port at the poll before
   */
  boolean isDisturbed(int before) {
    int now = oper();
    if (now == DOWN || (before == DOWN && now == UP) || hadOutage(window)) {
      return true;
    }
    SignalWindow peer = peer();
    return peer != null && isRecent(peer) && (oper(peer) == DOWN || hadOutage(peer));
  }

  private boolean hadOutage(SignalWindow of) {
    return of.deltaSum(signals.linkDowned) > 0 || of.deltaSum(signals.downMilliseconds) > 0;
  }

  /** Whether the other end's last poll tells of an outage. */
  boolean hadPeerOutage() {
    SignalWindow peer = peer();
    return peer != null && isRecent(peer) && hadOutage(peer);
  }

  /** By the reader's clock: those of two devices need not agree. */
  private boolean isRecent(SignalWindow of) {
    return Math.abs(of.readNanos() - window.readNanos()) < RECENT_NANOS;
  }

  /** Negotiated speed, else the planned one; 0 where neither is known. */
  double speed() {
    double negotiated = window.value(signals.speed, 0);
    return negotiated > 0 && Double.isFinite(negotiated)
        ? negotiated
        : context.port().speedBitsPerSecond();
  }

  /** Growth over all elements in this poll; NaN where nothing can be told. */
  double growth(int signal) {
    for (int element = 0; element < window.elements(signal); element++) {
      if (hasGrowth(signal, element)) {
        return window.deltaSum(signal);
      }
    }
    return Double.NaN;
  }

  /** False also where a counter stands at its end and hides what goes on. */
  boolean hasGrowth(int signal, int element) {
    return hasGrowth(window, signal, element);
  }

  static boolean hasGrowth(SignalWindow of, int signal, int element) {
    return of.hasDelta(signal, element)
        && (of.quality(signal, element) != Quality.SATURATED || of.delta(signal, element) != 0);
  }

  double growth(int signal, int element) {
    return Unsigned.toDouble(window.delta(signal, element));
  }

  /** Longest exposure of the signal's elements in this poll; 0 without growth. */
  double seconds(int signal) {
    double seconds = 0;
    for (int element = 0; element < window.elements(signal); element++) {
      if (hasGrowth(signal, element)) {
        seconds = Math.max(seconds, window.seconds(signal, element));
      }
    }
    return seconds;
  }

  boolean isCensored(int signal) {
    for (int element = 0; element < window.elements(signal); element++) {
      if (window.quality(signal, element) == Quality.SATURATED) {
        return true;
      }
    }
    return false;
  }

  /** Share of the line rate in this poll, from 0; NaN where it cannot be told. */
  double utilisation(int octets) {
    double seconds = seconds(octets);
    double speed = speed();
    return seconds > 0 && speed > 0 ? growth(octets) * 8 / seconds / speed : Double.NaN;
  }

  /** Largest share of the time that one priority was paused; NaN where it cannot be told. */
  double pauseRatio(int microseconds) {
    double largest = Double.NaN;
    for (int priority = 0; priority < window.elements(microseconds); priority++) {
      double seconds = window.seconds(microseconds, priority);
      if (hasGrowth(microseconds, priority) && seconds > 0) {
        double ratio = growth(microseconds, priority) / 1e6 / seconds;
        largest = Double.isNaN(largest) ? ratio : Math.max(largest, ratio);
      }
    }
    return largest;
  }

  /** Share of the packets sent (a host: received) that carry a congestion mark; NaN if unknown. */
  double markedShare() {
    double marked = growth(signals.ecnMarked);
    double packets = growth(signals.outPackets);
    if (Double.isNaN(packets)) {
      packets = growth(signals.queuePackets);
    }
    if (Double.isNaN(marked)) {
      marked = growth(signals.hostEcnMarked);
      packets = growth(signals.inPackets);
    }
    return packets > 0 ? marked / packets : Double.NaN;
  }

  /**
   * Whether one end's whole device is down or starts anew, as far as its other links show: then no
   * link of it is at fault by itself. Only links in use count: an empty cage is always down. Of two
   * links, both must be out.
   */
  boolean isDeviceWide() {
    for (PortId end : context.link().ends()) {
      int inUse = 0;
      int out = 0;
      for (Link link : context.fabric().linksOf(end.device())) {
        if (isInUse(link)) {
          inUse++;
          out += isOut(link) ? 1 : 0;
        }
      }
      if (inUse > 1 && out * 2 > inUse) {
        return true;
      }
    }
    return false;
  }

  /** Both ends are known, and neither is set down. */
  private boolean isInUse(Link link) {
    return !link.isHalf()
        && link.ends().stream().noneMatch(end -> isSetDown(end, context.window(end)));
  }

  /**
   * Whether the counters of most of the device's ports began anew in this poll: a reboot. A port
   * that never counted anything cannot tell.
   */
  boolean isRebooted() {
    return isRebooted(window);
  }

  /** The same of the device at the other end. */
  boolean isPeerRebooted() {
    SignalWindow peer = peer();
    return peer != null && isRecent(peer) && isRebooted(peer);
  }

  private boolean isRebooted(SignalWindow of) {
    if (!isReset(of)) {
      return false;
    }
    int reset = 0;
    int others = 0;
    String device = of.port().device();
    for (Link link : context.fabric().linksOf(device)) {
      for (PortId end : link.ends()) {
        SignalWindow seen = end.equals(of.port()) ? of : context.window(end);
        if (seen != null && end.device().equals(device)) {
          reset += isReset(seen) ? 1 : 0;
          others += !isReset(seen) && hasCounted(seen) ? 1 : 0;
        }
      }
    }
    return reset > others;
  }

  private boolean hasCounted(SignalWindow of) {
    return of.raw(signals.linkDowned, 0) != 0 || of.raw(signals.inOctets, 0) != 0;
  }

  private boolean isReset(SignalWindow of) {
    return of.quality(signals.linkDowned, 0) == Quality.RESET
        || of.quality(signals.inOctets, 0) == Quality.RESET;
  }

  private boolean isOut(Link link) {
    for (PortId end : link.ends()) {
      SignalWindow seen = context.window(end);
      if (seen != null && isRecent(seen) && (oper(seen) == DOWN || hadOutage(seen))) {
        return true;
      }
    }
    return false;
  }

  Subject link() {
    return Subject.of(context.link());
  }

  Subject port() {
    return Subject.of(window.port());
  }

  /** A line of evidence read at this port, about what happened since then. */
  Evidence evidence(
      Family family,
      String signal,
      Subject subject,
      String observed,
      String expected,
      Reference reference,
      double nats,
      long sinceNanos) {
    return new Evidence(
        family,
        signal,
        subject,
        observed,
        expected,
        reference,
        nats,
        instant(sinceNanos),
        context.at(),
        window.collector() + " " + window.port().device());
  }

  boolean leadsToHost() {
    return Uplinks.isHost(context.fabric(), context.link().peerOf(window.port()));
  }

  static Instant instant(long nanos) {
    return Instant.ofEpochSecond(nanos / 1_000_000_000L, nanos % 1_000_000_000L);
  }

  static long nanos(Instant at) {
    return at.getEpochSecond() * 1_000_000_000L + at.getNano();
  }
}
