package io.fabrichealth.simulate.world;

import java.util.Locale;

/** What the fabric is made of. */
public enum Flavour {
  /** Ethernet with RoCE: PFC, ECN, switches of several vendors. */
  ROCE,
  /** InfiniBand NDR: PMA counters that stick at their end, physical-layer retransmission. */
  INFINIBAND;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
