package io.fabrichealth.collect.infiniband;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counters of a port's performance management agent, by the names that the tools print, with the
 * signal that each one is.
 *
 * <p>Source: InfiniBand Architecture Specification, PortCounters and PortCountersExtended (names
 * and widths); {@code libibmad/fields.c} of rdma-core for the names as printed, today and before
 * 2012.
 */
enum PmaCounter {
  TRANSMITTED_DATA("port.out_octets", 32, 4, "PortXmitData", "XmtData", "XmtBytes"),
  RECEIVED_DATA("port.in_octets", 32, 4, "PortRcvData", "RcvData", "RcvBytes"),
  TRANSMITTED_PACKETS("port.out_packets", 32, 1, "PortXmitPkts", "XmtPkts"),
  RECEIVED_PACKETS("port.in_packets", 32, 1, "PortRcvPkts", "RcvPkts"),
  TRANSMITTED_UNICAST("port.out_unicast_packets", 64, 1, "PortUnicastXmitPkts"),
  RECEIVED_UNICAST("port.in_unicast_packets", 64, 1, "PortUnicastRcvPkts"),
  LINK_DOWNED("port.link_downed", 8, 1, "LinkDownedCounter", "LinkDowned"),
  SYMBOL_ERRORS("ib.symbol_errors", 16, 1, "SymbolErrorCounter", "SymbolErrors"),
  LINK_RECOVERIES("ib.link_error_recoveries", 8, 1, "LinkErrorRecoveryCounter", "LinkRecovers"),
  RECEIVE_ERRORS("ib.receive_errors", 16, 1, "PortRcvErrors", "RcvErrors"),
  REMOTE_PHYSICAL_ERRORS(
      "ib.receive_remote_physical_errors",
      16,
      1,
      "PortRcvRemotePhysicalErrors",
      "RcvRemotePhysErrors"),
  TRANSMIT_DISCARDS("ib.transmit_discards", 16, 1, "PortXmitDiscards", "XmtDiscards"),
  LINK_INTEGRITY_ERRORS(
      "ib.local_link_integrity_errors", 4, 1, "LocalLinkIntegrityErrors", "LinkIntegrityErrors"),
  BUFFER_OVERRUNS(
      "ib.buffer_overruns", 4, 1, "ExcessiveBufferOverrunErrors", "ExcBufOverrunErrors"),
  TRANSMIT_WAIT("ib.transmit_wait_ticks", 32, 1, "PortXmitWait", "XmtWait");

  private static final Map<String, PmaCounter> BY_NAME = new HashMap<>();

  static {
    for (PmaCounter counter : values()) {
      counter.names.forEach(name -> BY_NAME.put(name, counter));
    }
  }

  private final String signal;
  private final int classicBits;
  private final int octets;
  private final List<String> names;

  PmaCounter(String signal, int classicBits, int octets, String... names) {
    this.signal = signal;
    this.classicBits = classicBits;
    this.octets = octets;
    this.names = List.of(names);
  }

  /** The counter of that name; null where it is no signal. */
  static @Nullable PmaCounter of(String name) {
    return BY_NAME.get(name);
  }

  /** Id of the signal. */
  String signal() {
    return signal;
  }

  /** The largest value of the classic counter, where it stays; the extended ones have 64 bits. */
  long classicEnd() {
    return classicBits == 64 ? -1L : (1L << classicBits) - 1;
  }

  /** What one unit stands for: data are counted in units of four octets. */
  int units() {
    return octets;
  }

  /** Whether data and packets are counted: the extended ones came first for these. */
  boolean countsTraffic() {
    return compareTo(LINK_DOWNED) < 0;
  }
}
