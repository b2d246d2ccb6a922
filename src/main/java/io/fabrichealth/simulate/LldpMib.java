package io.fabrichealth.simulate;

/**
 * Rows of LLDP-MIB (IEEE 802.1AB): the switch itself and its neighbours. Switches are known by a
 * chassis MAC and interface names, hosts by their name and the MACs of their ports.
 */
final class LldpMib {
  private static final String LOCAL = "1.0.8802.1.1.2.1.3.";
  private static final String REMOTE = "1.0.8802.1.1.2.1.4.1.1.";
  private static final int CHASSIS_MAC = 4;
  private static final int CHASSIS_LOCAL = 7;
  private static final int PORT_MAC = 3;
  private static final int PORT_INTERFACE_NAME = 5;

  private LldpMib() {}

  static void addLocalTo(MibView.Builder mib, String systemName, String chassis) {
    mib.integer(LOCAL + "1.0", CHASSIS_MAC)
        .mac(LOCAL + "2.0", chassis)
        .text(LOCAL + "3.0", systemName)
        .text(LOCAL + "4.0", "Fabric Health simulated switch");
  }

  static void addTo(
      MibView.Builder mib, SwitchPort row, SimulatedPort peer, SimulatedFabric fabric) {
    int local = row.lldpNumber();
    mib.integer(LOCAL + "7.1.2." + local, PORT_INTERFACE_NAME)
        .text(LOCAL + "7.1.3." + local, row.port().name())
        .text(LOCAL + "7.1.4." + local, "to " + peer.port().id());

    // The neighbour was first heard when the agent was that many hundredths old.
    int timeMark = 100 + 7 * row.number();
    String index = timeMark + "." + local + "." + row.number();
    String device = peer.port().id().device();
    if (fabric.cabling().isHost(device)) {
      mib.integer(REMOTE + "4." + index, CHASSIS_LOCAL)
          .text(REMOTE + "5." + index, device)
          .integer(REMOTE + "6." + index, PORT_MAC)
          .mac(REMOTE + "7." + index, peer.mac());
    } else {
      mib.integer(REMOTE + "4." + index, CHASSIS_MAC)
          .mac(REMOTE + "5." + index, SwitchMib.chassis(fabric, device))
          .integer(REMOTE + "6." + index, PORT_INTERFACE_NAME)
          .text(REMOTE + "7." + index, peer.name());
    }
    mib.text(REMOTE + "8." + index, peer.name())
        .text(REMOTE + "9." + index, device)
        .text(REMOTE + "10." + index, "Fabric Health simulated device");
  }
}
