package io.fabrichealth.simulate.world;

import org.jspecify.annotations.Nullable;

/**
 * One direction of a link. Packets run with it, pause frames against it: the receiver pauses the
 * sender.
 */
final class Wire {
  /** Preamble and gap, which ports do not count. */
  private static final int GAP_OCTETS = 20;

  private final LinkModel link;
  private final PortModel from;
  private final PortModel to;
  private final Tally sent = new Tally();
  private @Nullable Tally lost;
  private @Nullable Meter pausedMicros;
  private @Nullable Meter marked;
  private @Nullable Meter discarded;
  private double lossRatio;
  private double speed;
  private double delayMicros;
  private double erring;
  private @Nullable Tally refused;
  private boolean blocked;
  private int largestOctets = Integer.MAX_VALUE;

  Wire(LinkModel link, PortModel from, PortModel to, double bitsPerSecond) {
    this.link = link;
    this.from = from;
    this.to = to;
    speed = bitsPerSecond;
  }

  LinkModel link() {
    return link;
  }

  PortModel from() {
    return from;
  }

  PortModel to() {
    return to;
  }

  Tally sent() {
    return sent;
  }

  void lose(Activity activity, double packetsPerSecond, double at) {
    if (lost == null) {
      lost = new Tally();
    }
    lost.add(activity, packetsPerSecond, at);
  }

  /** The receiver drops packets that are too large for it. */
  void refuse(Activity activity, double packetsPerSecond, double at) {
    if (refused == null) {
      refused = new Tally();
    }
    refused.add(activity, packetsPerSecond, at);
  }

  double refusedPackets(double seconds) {
    return refused == null ? 0 : refused.packets(seconds);
  }

  double receivedPackets(double seconds) {
    double vanished = lost == null ? 0 : lost.packets(seconds);
    return sent.packets(seconds) - vanished - refusedPackets(seconds);
  }

  double receivedOctets(double seconds) {
    double vanished = lost == null ? 0 : lost.octets(seconds);
    return sent.octets(seconds) - vanished - (refused == null ? 0 : refused.octets(seconds));
  }

  /** Whether nothing moves on it, because its queue waits for itself. */
  boolean isBlocked() {
    return blocked;
  }

  void block() {
    blocked = true;
  }

  /** The largest packet that its receiver takes. */
  int largestOctets() {
    return largestOctets;
  }

  void setLargestOctets(int octets) {
    largestOctets = octets;
  }

  /** Part of all packets that vanish on the way. */
  double lossRatio() {
    return lossRatio;
  }

  void setLossRatio(double ratio) {
    lossRatio = ratio;
  }

  /** Part of the packets that arrive broken. */
  double errorRatio() {
    return erring;
  }

  void setErrorRatio(double ratio) {
    erring = ratio;
  }

  /** What a packet waits on it beyond the usual. */
  double delayMicros() {
    return delayMicros;
  }

  void setDelayMicros(double micros) {
    delayMicros = micros;
  }

  double bitsPerSecond() {
    return speed;
  }

  void setBitsPerSecond(double bitsPerSecond) {
    speed = bitsPerSecond;
  }

  /** Packets of that size that it can carry in a second. */
  double capacity(int octets) {
    return speed / (Byte.SIZE * (octets + GAP_OCTETS));
  }

  /** Part of its capacity in use now. */
  double load() {
    return sent.packetsPerSecond() / capacity(Traffic.LARGE_OCTETS);
  }

  /** Time for which the receiver paused the sender, microseconds. */
  Meter pausedMicros() {
    if (pausedMicros == null) {
      pausedMicros = new Meter();
    }
    return pausedMicros;
  }

  double pausedMicros(double seconds) {
    return pausedMicros == null ? 0 : pausedMicros.at(seconds);
  }

  /** Packets marked in the sender's queue beyond those of its everyday load. */
  Meter marked() {
    if (marked == null) {
      marked = new Meter();
    }
    return marked;
  }

  double marked(double seconds) {
    return marked == null ? 0 : marked.at(seconds);
  }

  /** Packets that the sender dropped for want of room. */
  Meter discarded() {
    if (discarded == null) {
      discarded = new Meter();
    }
    return discarded;
  }

  double discarded(double seconds) {
    return discarded == null ? 0 : discarded.at(seconds);
  }
}
