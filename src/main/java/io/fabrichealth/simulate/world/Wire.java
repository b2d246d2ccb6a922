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

  double lostPackets(double seconds) {
    return lost == null ? 0 : lost.packets(seconds);
  }

  double receivedPackets(double seconds) {
    return sent.packets(seconds) - lostPackets(seconds);
  }

  double receivedOctets(double seconds) {
    return sent.octets(seconds) - (lost == null ? 0 : lost.octets(seconds));
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
