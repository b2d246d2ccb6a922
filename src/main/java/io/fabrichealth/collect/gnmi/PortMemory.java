package io.fabrichealth.collect.gnmi;

import java.util.BitSet;

/** What was learnt of one port in the passes before. */
final class PortMemory {
  /** So many passes without it, and the device is taken to have it no more. */
  private static final int FORGOTTEN_AFTER = 30;

  private final BitSet given = new BitSet();
  private final short[] source;
  private int changes;
  private int passesWithout;

  PortMemory(int signals) {
    source = new short[signals];
  }

  void seen() {
    passesWithout = 0;
  }

  /** The device does not tell of the port; false where it is to be forgotten. */
  boolean unseen() {
    return ++passesWithout <= FORGOTTEN_AFTER;
  }

  /** Signals that it gave once. */
  BitSet given() {
    return given;
  }

  /** The counter's value came from the path of that rank. */
  void counted(int signal, int rank) {
    short by = (short) (rank + 1);
    if (source[signal] != 0 && source[signal] != by) {
      changes++;
    }
    source[signal] = by;
  }

  /** How often a counter came from another path than before, and so began anew. */
  int changes() {
    return changes;
  }
}
