package io.fabrichealth.collect.infiniband;

/**
 * Counters of one port as one text gives them. What is not in the text is not in here: it is not
 * zero.
 */
final class PortCounters {
  /** Port number of a sum over all ports of a node. */
  static final int ALL = 255;

  private final long guid;
  private final int lid;
  private final int port;
  private final long[] values = new long[PmaCounter.values().length];
  private int present;
  private int wide;

  /**
   * @param guid of the node or of the port; 0 where the LID says which it is
   * @param lid 0 where the GUID says which it is
   */
  PortCounters(long guid, int lid, int port) {
    this.guid = guid;
    this.lid = lid;
    this.port = port;
  }

  long guid() {
    return guid;
  }

  int lid() {
    return lid;
  }

  int port() {
    return port;
  }

  /** Takes a value; one of 64 bits stands before a classic one. */
  void put(PmaCounter counter, long unsigned, boolean isWide) {
    int bit = 1 << counter.ordinal();
    if ((wide & bit) != 0 && !isWide) {
      return;
    }
    values[counter.ordinal()] = unsigned;
    present |= bit;
    wide = isWide ? wide | bit : wide;
  }

  boolean has(PmaCounter counter) {
    return (present & 1 << counter.ordinal()) != 0;
  }

  /** As read, unsigned, in the counter's own unit. */
  long value(PmaCounter counter) {
    return values[counter.ordinal()];
  }

  /** Whether the counter has 64 bits. */
  boolean isWide(PmaCounter counter) {
    return (wide & 1 << counter.ordinal()) != 0;
  }

  boolean isEmpty() {
    return present == 0;
  }

  /** Takes what another text gives of the same port. */
  void putAll(PortCounters other) {
    for (PmaCounter counter : PmaCounter.values()) {
      if (other.has(counter)) {
        put(counter, other.value(counter), other.isWide(counter));
      }
    }
  }
}
