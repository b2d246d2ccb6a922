package io.fabrichealth.collect.gnmi;

/** A switch that has OpenConfig, with a few ports. */
final class OpenConfigSwitch {
  private OpenConfigSwitch() {}

  static LeafTree withPorts(String... names) {
    LeafTree tree = new LeafTree();
    tree.set("/system/state/boot-time", LeafTree.unsigned(1_772_323_200_000_000_000L));
    tree.set("/system/state/hostname", "leaf1.example");
    for (String name : names) {
      String port = "/interfaces/interface[name=" + name + "]";
      tree.set(port + "/state/oper-status", "UP");
      tree.set(port + "/state/admin-status", "UP");
      tree.set(port + "/state/mtu", 9216);
      tree.set(port + "/state/counters/in-octets", 1000);
      tree.set(port + "/state/counters/out-octets", 2000);
      tree.set(port + "/state/counters/in-errors", 0);
      tree.set(port + "/ethernet/state/port-speed", "openconfig-if-ethernet:SPEED_400GB");
      tree.set(port + "/ethernet/state/fec-mode", "openconfig-if-ethernet:FEC_RS544");
    }
    return tree;
  }
}
