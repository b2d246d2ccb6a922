package io.fabrichealth.detect;

import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.signal.Unsigned;
import io.fabrichealth.topology.PortId;
import org.jspecify.annotations.Nullable;

/**
 * Reads how long links were paused, from whichever end tells it best.
 *
 * <p>Durations outrank frames, and the paused end outranks the pausing one, with two exceptions. A
 * counter that stands still while the other end goes on to pause for much of the time is frozen: a
 * watchdog that drops the queue's packets takes flow control off it. A paused end whose peer counts
 * that it hardly sent any pause is doubted.
 */
final class PauseReader {
  private static final double QUANTA_BITS = 65_535.0 * 512;
  private static final double NO_RATIO = 1.1;
  private static final double STILL = .01;
  private static final double NEXT_TO_NOTHING = .001;
  private static final double PACKET_BITS = 4096 * 8.0;
  private static final double MUCH = .3;
  private static final double LITTLE = .1;

  final Signals signals;
  final int rxFrames;
  final int txFrames;
  private final int storms;
  private final int rxMicroseconds;
  private final int txMicroseconds;
  private final SignalDictionary dictionary;

  PauseReader(SignalDictionary dictionary) {
    this.dictionary = dictionary;
    signals = new Signals(dictionary);
    rxMicroseconds = signals.rxPauseMicroseconds;
    txMicroseconds = signals.txPauseMicroseconds;
    rxFrames = dictionary.ordinal("pfc.rx_pause_frames");
    txFrames = dictionary.ordinal("pfc.tx_pause_frames");
    storms = dictionary.ordinal("pfc.watchdog_storms");
  }

  /** Whether the port counted any pause, received or sent, in its last poll. */
  boolean hasMoved(@Nullable SignalWindow window) {
    return EndReading.moved(window, rxMicroseconds)
        || EndReading.moved(window, txMicroseconds)
        || EndReading.moved(window, rxFrames)
        || EndReading.moved(window, txFrames)
        || EndReading.moved(window, storms);
  }

  /** Whether the port was paused for much of its last poll, in any priority. */
  boolean isHeldUp(@Nullable SignalWindow own, @Nullable SignalWindow peer, double speed) {
    int priorities = Math.max(priorities(own), priorities(peer));
    for (int priority = 0; priority < priorities; priority++) {
      double quanta = speed > 0 ? QUANTA_BITS / speed : 0;
      if (EndReading.rate(own, rxMicroseconds, priority) / 1e6 >= LITTLE
          || EndReading.rate(peer, txMicroseconds, priority) / 1e6 >= LITTLE
          || EndReading.rate(own, rxFrames, priority) * quanta >= LITTLE
          || EndReading.rate(peer, txFrames, priority) * quanta >= LITTLE) {
        return true;
      }
    }
    return false;
  }

  /** Whether the port paused its peer in its last poll. */
  boolean sendsPause(SignalWindow window) {
    return EndReading.moved(window, txMicroseconds) || EndReading.moved(window, txFrames);
  }

  /** Whether the port has any counter of pause, received or sent. */
  boolean hasPause(@Nullable SignalWindow window, boolean received) {
    return window != null
        && window.elements(received ? rxMicroseconds : txMicroseconds)
                + window.elements(received ? rxFrames : txFrames)
            > 0;
  }

  int priorities(@Nullable SignalWindow window) {
    if (window == null) {
      return 0;
    }
    int most = Math.max(window.elements(rxMicroseconds), window.elements(txMicroseconds));
    most = Math.max(most, Math.max(window.elements(rxFrames), window.elements(txFrames)));
    return Math.max(most, window.elements(storms));
  }

  /**
   * @param memory what is remembered of it; null where nothing is
   * @return null where neither end tells anything of the present
   */
  @Nullable PauseReading read(
      FabricView view,
      PortId senderId,
      PortId receiverId,
      int priority,
      @Nullable PauseMemory memory,
      long nowNanos) {
    SignalWindow sender = view.window(senderId);
    SignalWindow receiver = view.window(receiverId);
    double own = ratio(sender, rxMicroseconds, priority, memory, nowNanos);
    double peers = ratio(receiver, txMicroseconds, priority, memory, nowNanos);
    boolean frozen = own < LITTLE / 10 && peers >= MUCH && !grows(sender, rxMicroseconds, priority);
    boolean weak = false;
    SignalWindow window = sender;
    int signal = rxMicroseconds;
    double ratio = own;
    if (Double.isNaN(own) || frozen) {
      window = receiver;
      signal = txMicroseconds;
      ratio = peers;
    } else if (own >= MUCH && peers < LITTLE && isNotBefore(receiver, sender)) {
      weak = true;
    }
    double speed = EndReading.speed(signals, sender, view.fabric().port(senderId));
    if (speed <= 0) {
      speed = EndReading.speed(signals, receiver, view.fabric().port(receiverId));
    }
    boolean counts =
        isNow(sender, rxMicroseconds, priority, nowNanos)
            || isNow(receiver, txMicroseconds, priority, nowNanos);
    if (Double.isNaN(ratio) && !counts) {
      weak = true;
      boolean ofSender = isNow(sender, rxFrames, priority, nowNanos);
      window = ofSender ? sender : receiver;
      signal = ofSender ? rxFrames : txFrames;
      ratio =
          isNow(window, signal, priority, nowNanos) && speed > 0
              ? Math.min(1, EndReading.rate(window, signal, priority) * QUANTA_BITS / speed)
              : Double.NaN;
    }
    double stopped = EndReading.rate(sender, storms, priority) > 0 ? growth(sender, priority) : 0;
    if (Double.isNaN(ratio) && stopped > 0) {
      window = sender;
      signal = storms;
    }
    if (window == null || (Double.isNaN(ratio) && stopped == 0)) {
      return null;
    }
    double load = EndReading.utilisation(sender, signals.outOctets, speed);
    if (Double.isNaN(load)) {
      load = EndReading.utilisation(receiver, signals.inOctets, speed);
    }
    double outOfBuffer = receiver == null ? 0 : receiver.deltaSum(signals.outOfBuffer);
    return new PauseReading(
        ratio,
        weak,
        frozen,
        window,
        dictionary.signal(signal).id(),
        window.total(signal, priority),
        isStill(sender, priority, load, speed),
        load,
        outOfBuffer,
        stopped);
  }

  private double growth(@Nullable SignalWindow window, int priority) {
    return window == null ? 0 : Unsigned.toDouble(window.delta(storms, priority));
  }

  private static boolean grows(@Nullable SignalWindow window, int signal, int priority) {
    return window != null && window.delta(signal, priority) != 0;
  }

  private static boolean isNotBefore(@Nullable SignalWindow one, @Nullable SignalWindow other) {
    return one != null && other != null && one.readNanos() >= other.readNanos();
  }

  private static boolean isNow(
      @Nullable SignalWindow window, int signal, int priority, long nowNanos) {
    return window != null
        && EndReading.hasGrowth(window, signal, priority)
        && EndReading.isRecent(window, window.seconds(signal, priority), nowNanos);
  }

  /** Over all polls since it was last judged, where it was; else over the last one. */
  private double ratio(
      @Nullable SignalWindow window,
      int signal,
      int priority,
      @Nullable PauseMemory memory,
      long nowNanos) {
    if (window == null || !isNow(window, signal, priority, nowNanos)) {
      return Double.NaN;
    }
    double ratio = EndReading.rate(window, signal, priority) / 1e6;
    if (memory != null
        && memory.signal().equals(dictionary.signal(signal).id())
        && window.timeNanos() > memory.totalNanos()) {
      double grown = Unsigned.toDouble(window.total(signal, priority) - memory.total());
      ratio = grown * 1e3 / (window.timeNanos() - memory.totalNanos());
    }
    return ratio > NO_RATIO ? Double.NaN : Math.min(1, ratio);
  }

  /** Of the queue where its packets are counted, as it may share the port; else of the port. */
  private boolean isStill(@Nullable SignalWindow sender, int priority, double load, double speed) {
    if (sender != null
        && EndReading.hasGrowth(sender, signals.queuePackets, priority)
        && sender.raw(signals.queuePackets, priority) != 0) {
      double rate = EndReading.rate(sender, signals.queuePackets, priority);
      return rate * PACKET_BITS <= NEXT_TO_NOTHING * speed;
    }
    return load < STILL;
  }
}
