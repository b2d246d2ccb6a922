package io.fabrichealth.simulate.world;

import io.fabrichealth.simulate.Draws;
import io.fabrichealth.topology.Port;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A port: its end of a link with all that it counts. */
final class PortModel {
  private static final double MICROS_PER_PAUSE_FRAME = 50;
  private static final double STRAY_PAUSE_RATIO = 2e-6;
  private static final double EVERYDAY_MARKS = 2e-6;
  private static final double MARKING_FROM = .8;
  private static final double MOST_MARKED = .03;
  private static final double MARKED_PER_NOTIFICATION = 3.3;

  /** Part of the packets around a codeword that is beyond repair, at full load. */
  static final double PACKETS_HIT = .35;

  /** Multicast of the control plane, packets a second. */
  private static final double CONTROL_PACKETS = .2;

  private static final double TICKS_PER_SECOND = 4e4;

  private final DeviceModel device;
  private final Port port;
  private final Draws draws;
  private final Receiver receiver;
  private final @Nullable Optics optics;
  private final @Nullable HostSide host;
  private final boolean retransmits;
  private final long[] base = new long[Counter.SLOTS];

  private @Nullable Wire out;
  private @Nullable Wire in;
  private double throughput = 1;
  private long speed;
  private int lanes;
  private int mtu;
  private double readAt;
  private double sentBefore;
  private double receivedBefore;
  private double marked;
  private double hit;
  private double ownErrors;
  private @Nullable String discontinuity;
  private double utilisation;

  PortModel(
      DeviceModel device,
      Port port,
      Receiver receiver,
      @Nullable Optics optics,
      Flavour flavour,
      Draws draws) {
    this.device = device;
    this.port = port;
    this.receiver = receiver;
    this.optics = optics;
    this.draws = draws;
    retransmits = flavour == Flavour.INFINIBAND;
    host = device.isSwitch() ? null : new HostSide();
    speed = port.speedBitsPerSecond();
    lanes = port.lanes();
    mtu = port.mtu();
    beginSomewhere();
  }

  /** Counters have a past. */
  private void beginSomewhere() {
    for (Counter counter : Counter.values()) {
      for (int element = 0; element < counter.elements(); element++) {
        if (counter.magnitude() > 0) {
          base[counter.slot() + element] =
              (long) Math.pow(10, draws.uniform(.7 * counter.magnitude(), counter.magnitude()));
        }
      }
    }
    int bins = Counter.BINS.slot();
    base[bins] = (long) Math.pow(10, draws.uniform(15, 16.5));
    base[bins + 1] = (long) Math.pow(10, draws.uniform(7, 9));
    base[bins + 2] = (long) Math.pow(10, draws.uniform(3, 5));
    long corrected = base[bins + 1] + base[bins + 2];
    for (int bin = 3; bin <= receiver.code().correctable(); bin++) {
      base[bins + bin] = (long) Math.pow(10, draws.uniform(0, 2));
      corrected += base[bins + bin];
    }
    long uncorrectable = (long) Math.pow(10, draws.uniform(0, 2.5));
    base[bins + receiver.code().correctable() + 1] = uncorrectable;
    base[Counter.TOTAL_CODEWORDS.slot()] = base[bins] + corrected + uncorrectable;
    base[Counter.CORRECTED_CODEWORDS.slot()] = corrected;
    base[Counter.UNCORRECTABLE_CODEWORDS.slot()] = uncorrectable;
  }

  void wire(Wire outgoing, Wire incoming) {
    out = outgoing;
    in = incoming;
  }

  /** All counters of the port begin anew. */
  void clear(double now) {
    long[] values = new long[Counter.SLOTS];
    Arrays.fill(base, 0);
    count(now, values);
    for (int slot = 0; slot < base.length; slot++) {
      base[slot] = -values[slot];
    }
  }

  /**
   * Goes on to a time and tells all counters as of then.
   *
   * @param into one for each slot
   */
  void count(double now, long[] into) {
    Wire sending = out();
    Wire receiving = in();
    double sent = Math.max(sentBefore, sending.sent().packets(now));
    double seconds = Math.max(1e-3, now - readAt);
    utilisation = (sent - sentBefore) / (seconds * sending.capacity(Traffic.LARGE_OCTETS));
    double more = sent - sentBefore;
    marked += draws.count(more * markedPart(utilisation));
    long beyondRepair = receiver.advance(link().upSeconds(now), device.warmer(now));
    double received = receiving.receivedPackets(now);
    if (beyondRepair > 0 && !retransmits) {
      double load = Math.min(1, receiving.load());
      hit += draws.successes(beyondRepair, Math.min(1, load * PACKETS_HIT));
    }
    received = Math.max(receivedBefore, received - hit);
    if (host != null) {
      double marks = (received - receivedBefore) * EVERYDAY_MARKS;
      long drawn = draws.count(marks);
      host.marked.add(drawn);
      host.notificationsSent.add(draws.successes(drawn, 1 / MARKED_PER_NOTIFICATION));
      host.notificationsHandled.add(draws.count(marks / MARKED_PER_NOTIFICATION));
    }
    sentBefore = sent;
    receivedBefore = received;
    readAt = now;
    fill(now, into, sent, received);
    for (int slot = 0; slot < base.length; slot++) {
      into[slot] += base[slot];
    }
  }

  private static double markedPart(double utilisation) {
    double over = Math.max(0, utilisation - MARKING_FROM) / (1 - MARKING_FROM);
    return EVERYDAY_MARKS + MOST_MARKED * Math.min(1, over * over * over);
  }

  private void fill(double now, long[] into, double sent, double received) {
    Arrays.fill(into, 0);
    Wire sending = out();
    Wire receiving = in();
    long control = (long) (CONTROL_PACKETS * now);
    set(into, Counter.IN_OCTETS, receiving.receivedOctets(now) - hit * Traffic.LARGE_OCTETS);
    set(into, Counter.OUT_OCTETS, sending.sent().octets(now));
    set(into, Counter.IN_PACKETS, received);
    set(into, Counter.OUT_PACKETS, sent);
    set(into, Counter.IN_UNICAST, received - control);
    set(into, Counter.OUT_UNICAST, sent - control);
    set(into, Counter.IN_ERRORS, hit + ownErrors);
    set(into, Counter.IN_DISCARDS, receiving.refusedPackets(now));
    set(into, Counter.OUT_DISCARDS, sending.discarded(now));
    set(into, Counter.LINK_DOWNED, link().downs());
    set(into, Counter.DOWN_MILLISECONDS, link().downMillis(now));
    fillCodewords(into);
    double rxPause = sending.pausedMicros(now) + STRAY_PAUSE_RATIO * 1e6 * now;
    double txPause = receiving.pausedMicros(now) + STRAY_PAUSE_RATIO * 1e6 * now;
    set(into, Counter.RX_PAUSE_FRAMES, rxPause / MICROS_PER_PAUSE_FRAME);
    set(into, Counter.TX_PAUSE_FRAMES, txPause / MICROS_PER_PAUSE_FRAME);
    set(into, Counter.RX_PAUSE_MICROS, rxPause);
    set(into, Counter.TX_PAUSE_MICROS, txPause);
    set(into, Counter.MARKED, marked + sending.marked(now));
    set(into, Counter.QUEUE_PACKETS, sent);
    set(into, Counter.QUEUE_DROPPED, sending.discarded(now));
    if (host != null) {
      fillTransport(now, into, host);
    }
    if (retransmits) {
      fillInfiniband(now, into);
    }
  }

  private void fillCodewords(long[] into) {
    set(into, Counter.TOTAL_CODEWORDS, receiver.totalCodewords());
    set(into, Counter.CORRECTED_CODEWORDS, receiver.correctedCodewords());
    set(into, Counter.UNCORRECTABLE_CODEWORDS, receiver.uncorrectableCodewords());
    for (int bin = 0; bin <= receiver.code().correctable() + 1; bin++) {
      into[Counter.BINS.slot() + bin] = receiver.codewords(bin);
    }
    for (int lane = 0; lane < receiver.lanes(); lane++) {
      into[Counter.SYMBOL_ERRORS.slot() + lane] = receiver.symbolErrors(lane);
      into[Counter.CORRECTED_BITS.slot() + lane] = receiver.correctedBits(lane);
    }
  }

  private static void fillTransport(double now, long[] into, HostSide host) {
    set(into, Counter.CNP_SENT, host.notificationsSent.at(now));
    set(into, Counter.CNP_HANDLED, host.notificationsHandled.at(now));
    set(into, Counter.ROCE_MARKED, host.marked.at(now));
    set(into, Counter.OUT_OF_SEQUENCE, host.outOfSequence.at(now));
    set(into, Counter.SEQUENCE_ERRORS, host.sequenceErrors.at(now));
    set(into, Counter.IMPLIED_NAKS, host.impliedNaks.at(now));
    set(into, Counter.ACK_TIMEOUTS, host.timeouts.at(now));
    set(into, Counter.RNR_RETRIES, host.notReadyRetries.at(now));
    set(into, Counter.OUT_OF_BUFFER, host.outOfBuffer.at(now));
    set(into, Counter.ADAPTIVE_RETRANSMISSIONS, host.adaptiveRetransmissions.at(now));
  }

  private void fillInfiniband(double now, long[] into) {
    set(into, Counter.IB_RECOVERIES, 0);
    set(into, Counter.IB_RECEIVE_ERRORS, ownErrors);
    set(into, Counter.IB_TRANSMIT_DISCARDS, out().discarded(now));
    double waited = now * .02 + out().pausedMicros(now) / 1e6;
    set(into, Counter.IB_TRANSMIT_WAIT, waited * TICKS_PER_SECOND);
    set(into, Counter.PLR_RECEIVED, receiver.totalCodewords());
    set(into, Counter.PLR_RECEIVED_ERRORS, receiver.uncorrectableCodewords());
    long again = out().to().receiver.uncorrectableCodewords();
    set(into, Counter.PLR_RETRANSMITTED, 4.0 * again);
    set(into, Counter.PLR_EVENTS, again);
  }

  private static void set(long[] into, Counter counter, double value) {
    into[counter.slot()] = (long) value;
  }

  DeviceModel device() {
    return device;
  }

  Port port() {
    return port;
  }

  String name() {
    return port.id().port();
  }

  String id() {
    return port.id().id();
  }

  Wire out() {
    return Objects.requireNonNull(out);
  }

  Wire in() {
    return Objects.requireNonNull(in);
  }

  LinkModel link() {
    return out().link();
  }

  PortModel peer() {
    return out().to();
  }

  Receiver receiver() {
    return receiver;
  }

  @Nullable Optics optics() {
    return optics;
  }

  @Nullable HostSide host() {
    return host;
  }

  /** Part of its flows' usual rate that it takes and gives. */
  double throughput() {
    return throughput;
  }

  void setThroughput(double part) {
    throughput = part;
  }

  long speed() {
    return speed;
  }

  int lanes() {
    return lanes;
  }

  /** What it negotiated from now on. */
  void negotiate(long bitsPerSecond, int negotiatedLanes) {
    speed = bitsPerSecond;
    lanes = negotiatedLanes;
    receiver.setBitsPerSecond(bitsPerSecond);
  }

  int mtu() {
    return mtu;
  }

  void setMtu(int octets) {
    mtu = octets;
  }

  /** Packets that arrived broken, which no codeword tells. */
  void err(double packets) {
    ownErrors += packets;
  }

  /** Part of the line in use between the last two readings. */
  double utilisation() {
    return utilisation;
  }

  /** Moves when the counters of this port alone are cleared; null where the device does not say. */
  @Nullable String discontinuity() {
    return discontinuity;
  }

  void setDiscontinuity(String identity) {
    discontinuity = identity;
  }
}
