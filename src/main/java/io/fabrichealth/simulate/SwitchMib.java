package io.fabrichealth.simulate;

import io.fabrichealth.topology.Device;

/** All objects of the agent of one simulated switch. */
final class SwitchMib {
  private SwitchMib() {}

  static MibView of(SimulatedFabric fabric, Device device) {
    MibView.Builder mib = new MibView.Builder();
    addSystem(mib, fabric, device);
    int number = 0;
    for (SimulatedPort port : fabric.cabling().portsOf(device.name())) {
      number++;
      SwitchPort row = new SwitchPort(number, port);
      InterfaceMib.addTo(mib, row);
      PauseMib.addTo(mib, row);
      FecMib.addTo(mib, row);
      OpticsMib.addTo(mib, row);
      LldpMib.addTo(mib, row, fabric.cabling().peerOf(port), fabric);
    }
    LldpMib.addLocalTo(mib, device.name(), chassis(fabric, device.name()));
    return mib.build();
  }

  /** The MAC of the device as a whole. */
  static String chassis(SimulatedFabric fabric, String device) {
    return SimulatedPort.mac(fabric.cabling().deviceNumber(device), 0);
  }

  private static void addSystem(MibView.Builder mib, SimulatedFabric fabric, Device device) {
    String system = "1.3.6.1.2.1.1.";
    mib.text(system + "1.0", "Fabric Health simulated switch, 400G, not a real device")
        .oid(system + "2.0", "1.3.6.1.4.1.30065.1.0")
        .timeTicks(system + "3.0", fabric::seconds)
        .text(system + "4.0", "")
        .text(system + "5.0", device.name())
        .text(system + "6.0", "loopback")
        .integer(system + "7.0", 6);
    mib.integer("1.3.6.1.2.1.2.1.0", fabric.cabling().portsOf(device.name()).size());
  }
}
