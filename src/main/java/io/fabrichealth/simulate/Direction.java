package io.fabrichealth.simulate;

import io.fabrichealth.topology.PortId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a link: what one end sends and the other receives, with the counters that both
 * keep of it. Pause frames travel against it: the receiver pauses the sender.
 */
final class Direction {
  /** Packets of 4 KiB with Ethernet, IP, UDP, BTH, ICRC and FCS. */
  static final int PACKET_OCTETS = 4096 + 62;

  /** Octets that a packet occupies on the wire beyond those that ports count. */
  private static final int GAP_OCTETS = 20;

  private static final double BURSTS_PER_SECOND = .4;
  private static final double BURST_CODEWORDS = 40;
  private static final double BURST_BIT_ERROR_RATIO = 1.2e-2;
  private static final double STRAY_PAUSES_PER_SECOND = .1;
  private static final int STRAY_PAUSE_MICROS = 20;
  private static final int MICROS_PER_PAUSE_FRAME = 50;
  private static final double MICROS = 1e6;

  private final PortId from;
  private final PortId to;
  private final List<Lane> lanes;
  private double uncorrectableRatio;
  private @Nullable Lane bursty;
  private double burstUncorrectableRatio;

  private long offeredPackets;
  private double pausedRatio;

  private long sentPackets;
  private long lostPackets;
  private long discardedPackets;
  private long lostInLastTick;
  private double bits;
  private long uncorrectableCodewords;
  private long pauseFrames;
  private long pauseMicros;

  Direction(PortId from, PortId to, List<Lane> lanes) {
    this.from = from;
    this.to = to;
    this.lanes = List.copyOf(lanes);
    refreshUncorrectableRatio();
  }

  /** Packets that the line carries in that time at that part of its speed. */
  static long packets(double load, double seconds) {
    return Math.round(load * DemoPlan.SPEED * seconds / (Byte.SIZE * (PACKET_OCTETS + GAP_OCTETS)));
  }

  /** Packets to send in this tick, beside those that were offered before. */
  void offer(long packets) {
    offeredPackets += packets;
  }

  /** Packets that the sender drops in this tick for want of room. */
  void discard(long packets) {
    discardedPackets += packets;
  }

  /** Part of this tick for which the receiver pauses the sender. */
  void pause(double ratio) {
    pausedRatio = Math.max(pausedRatio, ratio);
  }

  void setBitErrorRatio(int lane, double ratio) {
    lanes.get(lane).setBitErrorRatio(ratio);
    refreshUncorrectableRatio();
  }

  /** Soils the lane: more errors, less light, and bursts. */
  void soil(Fault.DirtyLane dirt) {
    Lane lane = lanes.get(dirt.lane());
    setBitErrorRatio(dirt.lane(), dirt.bitErrorRatio());
    lane.attenuate(dirt.lossDecibels());
    bursty = lane;
    burstUncorrectableRatio =
        ForwardErrorCorrection.uncorrectableRatio(
            lanes.stream()
                .mapToDouble(l -> l.equals(lane) ? BURST_BIT_ERROR_RATIO : l.bitErrorRatio())
                .toArray());
  }

  /** Ends the tick of a link that is down: nothing moves. */
  void rest() {
    offeredPackets = 0;
    pausedRatio = 0;
    lostInLastTick = 0;
  }

  /**
   * Ends the tick of a link that is up.
   *
   * @param errorFactor by which all lanes err more or less than usual (temperature)
   */
  void advance(double seconds, double errorFactor, Draws draws) {
    for (Lane lane : lanes) {
      lane.advance(seconds, errorFactor, draws);
    }
    double lineBits = lanes.size() * Lane.BITS_PER_SECOND * seconds;
    bits += lineBits;
    long uncorrectable =
        draws.poisson(lineBits / ForwardErrorCorrection.CODEWORD_BITS * uncorrectableRatio)
            + bursts(seconds, draws);
    uncorrectableCodewords += uncorrectable;

    double load = (double) offeredPackets / packets(1, seconds);
    lostInLastTick = Math.min(offeredPackets, draws.poisson(uncorrectable * load));
    lostPackets += lostInLastTick;
    sentPackets += offeredPackets;

    long micros = Math.round(pausedRatio * draws.uniform(.97, 1.03) * seconds * MICROS);
    long stray = draws.poisson(STRAY_PAUSES_PER_SECOND * seconds);
    pauseMicros += micros + stray * STRAY_PAUSE_MICROS;
    pauseFrames += micros / MICROS_PER_PAUSE_FRAME + stray;
    offeredPackets = 0;
    pausedRatio = 0;
  }

  private long bursts(double seconds, Draws draws) {
    if (bursty == null) {
      return 0;
    }
    long uncorrectable = 0;
    for (long left = draws.poisson(BURSTS_PER_SECOND * seconds); left > 0; left--) {
      long codewords = draws.geometric(BURST_CODEWORDS);
      uncorrectable += Math.min(codewords, draws.poisson(codewords * burstUncorrectableRatio));
    }
    return uncorrectable;
  }

  private void refreshUncorrectableRatio() {
    uncorrectableRatio =
        ForwardErrorCorrection.uncorrectableRatio(
            lanes.stream().mapToDouble(Lane::bitErrorRatio).toArray());
  }

  /** Packets offered so far in this tick. */
  long offeredPackets() {
    return offeredPackets;
  }

  PortId from() {
    return from;
  }

  PortId to() {
    return to;
  }

  List<Lane> lanes() {
    return lanes;
  }

  long sentPackets() {
    return sentPackets;
  }

  long sentOctets() {
    return sentPackets * PACKET_OCTETS;
  }

  long receivedPackets() {
    return sentPackets - lostPackets;
  }

  long receivedOctets() {
    return receivedPackets() * PACKET_OCTETS;
  }

  /** Packets that the receiver threw away because a codeword could not be corrected. */
  long lostPackets() {
    return lostPackets;
  }

  long lostInLastTick() {
    return lostInLastTick;
  }

  /** Packets that the sender dropped before sending. */
  long discardedPackets() {
    return discardedPackets;
  }

  /** Bits on all lanes, with the overhead of the code. */
  long bits() {
    return (long) bits;
  }

  long codewords() {
    return (long) (bits / ForwardErrorCorrection.CODEWORD_BITS);
  }

  long correctedBits() {
    return lanes.stream().mapToLong(Lane::correctedBits).sum();
  }

  long uncorrectableCodewords() {
    return uncorrectableCodewords;
  }

  /** Symbols left wrong after correction: at least one more than is correctable per codeword. */
  long symbolErrors() {
    return uncorrectableCodewords * (ForwardErrorCorrection.CORRECTABLE_SYMBOLS + 1);
  }

  /** Pause frames that the receiver sent to the sender. */
  long pauseFrames() {
    return pauseFrames;
  }

  /** Time for which the sender was paused. */
  long pauseMicros() {
    return pauseMicros;
  }
}
