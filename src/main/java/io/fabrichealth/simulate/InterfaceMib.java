package io.fabrichealth.simulate;

/** Rows of IF-MIB (RFC 2863) and of ARISTA-IF-MIB, which counts the changes of state. */
final class InterfaceMib {
  private static final String IF = "1.3.6.1.2.1.2.2.1.";
  private static final String IFX = "1.3.6.1.2.1.31.1.1.1.";
  private static final String OPER_STATUS_CHANGES = "1.3.6.1.4.1.30065.3.15.1.1.1.8.";
  private static final int ETHERNET_CSMACD = 6;
  private static final int UP = 1;
  private static final int DOWN = 2;
  private static final long MEGABIT = 1_000_000;
  private static final long MOST_GAUGE32 = 0xffff_ffffL;

  private InterfaceMib() {}

  static void addTo(MibView.Builder mib, SwitchPort row) {
    SimulatedPort port = row.port();
    SimulatedLink link = port.link();
    Direction in = port.in();
    Direction out = port.out();
    String index = Integer.toString(row.ifIndex());
    mib.integer(IF + "1." + index, row.ifIndex())
        .text(IF + "2." + index, port.name())
        .integer(IF + "3." + index, ETHERNET_CSMACD)
        .integer(IF + "4." + index, port.port().mtu())
        .gauge32(IF + "5." + index, () -> MOST_GAUGE32)
        .mac(IF + "6." + index, port.mac())
        .integer(IF + "7." + index, UP)
        .integer(IF + "8." + index, () -> link.isUp() ? UP : DOWN)
        .timeTicks(IF + "9." + index, link::lastChangeSeconds)
        .counter32(IF + "10." + index, in::receivedOctets)
        .counter32(IF + "11." + index, in::receivedPackets)
        .counter32(IF + "13." + index, () -> 0)
        .counter32(IF + "14." + index, in::lostPackets)
        .counter32(IF + "16." + index, out::sentOctets)
        .counter32(IF + "17." + index, out::sentPackets)
        .counter32(IF + "19." + index, out::discardedPackets)
        .counter32(IF + "20." + index, () -> 0);
    mib.text(IFX + "1." + index, port.name())
        .counter64(IFX + "6." + index, in::receivedOctets)
        .counter64(IFX + "7." + index, in::receivedPackets)
        .counter64(IFX + "8." + index, () -> 0)
        .counter64(IFX + "9." + index, () -> 0)
        .counter64(IFX + "10." + index, out::sentOctets)
        .counter64(IFX + "11." + index, out::sentPackets)
        .counter64(IFX + "12." + index, () -> 0)
        .counter64(IFX + "13." + index, () -> 0)
        .gauge32(IFX + "15." + index, () -> port.port().speedBitsPerSecond() / MEGABIT)
        .text(IFX + "18." + index, "to " + out.to())
        .timeTicks(IFX + "19." + index, () -> 0);
    mib.counter32(OPER_STATUS_CHANGES + index, link::changes);
  }
}
