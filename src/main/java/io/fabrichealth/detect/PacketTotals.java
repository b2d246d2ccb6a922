package io.fabrichealth.detect;

import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;

/** What packets a port sent and received since it was first read. */
final class PacketTotals {
  private final int out;
  private final int in;
  private final int[] notSent;
  private final int[] notReceived;
  private final int pauseSent;

  PacketTotals(SignalDictionary dictionary) {
    this(dictionary, "port.out_packets", "port.in_packets");
  }

  private PacketTotals(SignalDictionary dictionary, String outPackets, String inPackets) {
    out = dictionary.ordinal(outPackets);
    in = dictionary.ordinal(inPackets);
    notSent =
        new int[] {dictionary.ordinal("port.out_errors"), dictionary.ordinal("port.out_discards")};
    notReceived =
        new int[] {dictionary.ordinal("port.in_errors"), dictionary.ordinal("port.in_discards")};
    pauseSent = dictionary.ordinal("pfc.tx_pause_frames");
  }

  /** Of unicast packets alone. */
  static PacketTotals ofUnicast(SignalDictionary dictionary) {
    return new PacketTotals(dictionary, "port.out_unicast_packets", "port.in_unicast_packets");
  }

  /** Whether the last poll read both counters, and knows how much they grew. */
  boolean isRead(SignalWindow window) {
    return window.hasDelta(out, 0) && window.hasDelta(in, 0);
  }

  /** Whether the last poll read both counters, be it for the first time. */
  boolean isKnown(SignalWindow window) {
    return window.isFresh(out) && window.isFresh(in);
  }

  /**
   * A number that stays the same for as long as neither counter began anew: what the counters show
   * less what they grew by, but for wraps, which come at 2^32 or a multiple of it.
   */
  long mark(SignalWindow window) {
    int ofOut = (int) (window.raw(out, 0) - window.total(out, 0));
    int ofIn = (int) (window.raw(in, 0) - window.total(in, 0));
    return (long) ofOut << Integer.SIZE | ofIn & 0xFFFF_FFFFL;
  }

  /** Without those that are counted as lost here, and without what only one end counts. */
  double sent(SignalWindow window) {
    return total(window, out) - sum(window, notSent) - total(window, pauseSent);
  }

  /** With those that are counted as lost here, on their way in or out. */
  double sentAtMost(SignalWindow window) {
    return total(window, out) + sum(window, notSent) + sum(window, notReceived);
  }

  double arrived(SignalWindow window) {
    return total(window, in);
  }

  double received(SignalWindow window) {
    return total(window, in) + sum(window, notReceived);
  }

  private static double sum(SignalWindow window, int[] signals) {
    double sum = 0;
    for (int signal : signals) {
      sum += total(window, signal);
    }
    return sum;
  }

  private static double total(SignalWindow window, int signal) {
    double total = 0;
    for (int element = 0; element < window.elements(signal); element++) {
      total += window.total(signal, element);
    }
    return total;
  }
}
