package io.fabrichealth.simulate;

import java.time.Instant;
import java.util.function.ToLongFunction;

/**
 * What node_exporter shows of a simulated host: its infiniband, ethtool and netclass collectors on
 * mlx5 HCAs, and which network interface belongs to which HCA.
 *
 * <p>Source: names of node_exporter, and of the mlx5 driver's counters as its ethtool collector
 * rewrites them (rx to received, tx to transmitted).
 */
final class HostExposition {
  private static final long BYTES_PER_SECOND = DemoPlan.SPEED / Byte.SIZE;
  private static final String PRIORITY = "prio" + PauseMib.ROCE_PRIORITY + "_";
  private static final long ACTIVE = 4;
  private static final long DOWN = 1;
  private static final long LINK_UP = 5;
  private static final long POLLING = 2;

  /** IFF_UP, IFF_BROADCAST and IFF_MULTICAST. */
  private static final long INTERFACE_FLAGS = 0x1003;

  private final Exposition page;

  private HostExposition(Exposition page) {
    this.page = page;
  }

  static String of(SimulatedFabric fabric, String host) {
    Exposition page = new Exposition(fabric.cabling().hcasOf(host));
    HostExposition exposition = new HostExposition(page);
    exposition.addNode(fabric, host);
    exposition.addInfiniband();
    exposition.addRoce();
    exposition.addPhysical();
    exposition.addPause();
    exposition.addNetwork();
    return page.toString();
  }

  private void addNode(SimulatedFabric fabric, String host) {
    page.gauge(
        "node_boot_time_seconds", "Node boot time, in unixtime.", "", seconds(fabric.start()));
    page.gauge(
        "node_time_seconds",
        "System time in seconds since epoch (1970).",
        "",
        seconds(fabric.time()));
    page.gauge(
        "node_uname_info",
        "Labeled system information as provided by the uname system call.",
        ("{domainname=\"(none)\",machine=\"x86_64\",nodename=\"%s\",release=\"simulated\","
                + "sysname=\"Linux\",version=\"simulated\"}")
            .formatted(host),
        1);
    page.gauge(
        "fabric_host_port_info",
        "Which network interface, MAC and GUID an RDMA port has, value is always 1.",
        HostExposition::portLabels,
        hca -> 1);
  }

  private void addInfiniband() {
    page.gauge(
        "node_infiniband_info",
        "Non-numeric data from /sys/class/infiniband/<device>, value is always 1.",
        hca ->
            "{board_id=\"SIM0000000001\",device=\"%s\",firmware_version=\"28.0\",hca_type=\"MT4129\"}"
                .formatted(hca.device()),
        hca -> 1);
    infinibandGauge("state_id", "State of the port.", hca -> isUp(hca) ? ACTIVE : DOWN);
    infinibandGauge(
        "physical_state_id", "Physical state of the port.", hca -> isUp(hca) ? LINK_UP : POLLING);
    infinibandGauge(
        "rate_bytes_per_second", "Maximum signal transfer rate.", hca -> BYTES_PER_SECOND);
    infiniband("link_downed_total", hca -> hca.port().link().downs());
    infiniband("link_error_recovery_total", hca -> 0);
    infiniband("symbol_error_total", hca -> 0);
    infiniband("local_link_integrity_errors_total", hca -> 0);
    infiniband("excessive_buffer_overrun_errors_total", hca -> 0);
    infiniband("port_errors_received_total", hca -> hca.port().in().lostPackets());
    infiniband("port_receive_remote_physical_errors_total", hca -> 0);
    infiniband("port_discards_received_total", hca -> 0);
    infiniband("port_discards_transmitted_total", hca -> 0);
    infiniband("port_transmit_wait_total", hca -> 0);
    infiniband("port_data_received_bytes_total", hca -> hca.port().in().receivedOctets());
    infiniband("port_data_transmitted_bytes_total", hca -> hca.port().out().sentOctets());
    infiniband("port_packets_received_total", hca -> hca.port().in().receivedPackets());
    infiniband("port_packets_transmitted_total", hca -> hca.port().out().sentPackets());
    infiniband("unicast_packets_received_total", hca -> hca.port().in().receivedPackets());
    infiniband("unicast_packets_transmitted_total", hca -> hca.port().out().sentPackets());
    infiniband("multicast_packets_received_total", hca -> 0);
    infiniband("multicast_packets_transmitted_total", hca -> 0);
  }

  private void addRoce() {
    infiniband("np_cnp_packets_sent_total", Hca::notificationsSent);
    infiniband("np_ecn_marked_roce_packets_received_total", Hca::markedPackets);
    infiniband("rp_cnp_packets_handled_total", Hca::notificationsHandled);
    infiniband("rp_cnp_ignored_packets_received_total", hca -> 0);
    infiniband("out_of_sequence_packets_received_total", Hca::outOfSequence);
    infiniband("packet_sequence_errors_total", Hca::packetSequenceErrors);
    infiniband("implied_nak_seq_errors_total", hca -> 0);
    infiniband("local_ack_timeout_errors_total", hca -> 0);
    infiniband("rnr_nak_retry_packets_received_total", hca -> 0);
    infiniband("out_of_buffer_drops_total", Hca::outOfBuffer);
    infiniband("duplicate_requests_packets_total", hca -> 0);
    infiniband("roce_adp_retransmits_total", hca -> 0);
    infiniband("rx_icrc_encapsulated_errors_total", hca -> 0);
  }

  private void addPhysical() {
    ethtool("received_packets_phy", hca -> hca.port().in().receivedPackets());
    ethtool("received_bytes_phy", hca -> hca.port().in().receivedOctets());
    ethtool("received_crc_errors_phy", hca -> hca.port().in().lostPackets());
    ethtool("received_symbol_err_phy", hca -> hca.port().in().lostPackets());
    ethtool("received_discards_phy", hca -> 0);
    ethtool("transmitted_packets_phy", hca -> hca.port().out().sentPackets());
    ethtool("transmitted_bytes_phy", hca -> hca.port().out().sentOctets());
    ethtool("transmitted_errors_phy", hca -> 0);
    ethtool("transmitted_discards_phy", hca -> 0);
    ethtool("link_down_events_phy", hca -> hca.port().link().downs());
    ethtool("received_bits_phy", hca -> hca.port().in().bits());
    ethtool("received_pcs_symbol_err_phy", hca -> hca.port().in().symbolErrors());
    ethtool("received_corrected_bits_phy", hca -> hca.port().in().correctedBits());
    for (int i = 0; i < DemoPlan.LANES; i++) {
      int lane = i;
      ethtool(
          "received_err_lane_" + lane + "_phy",
          hca -> hca.port().in().lanes().get(lane).correctedBits());
    }
    ethtool("received_out_of_buffer", Hca::outOfBuffer);
  }

  private void addPause() {
    ethtool("received_" + PRIORITY + "pause", hca -> hca.port().out().pauseFrames());
    ethtool("received_" + PRIORITY + "pause_duration", hca -> hca.port().out().pauseMicros());
    ethtool("transmitted_" + PRIORITY + "pause", hca -> hca.port().in().pauseFrames());
    ethtool("transmitted_" + PRIORITY + "pause_duration", hca -> hca.port().in().pauseMicros());
  }

  private void addNetwork() {
    page.gauge(
        "node_network_info",
        "Non-numeric data from /sys/class/net/<iface>, value is always 1.",
        hca ->
            "{address=\"%s\",broadcast=\"ff:ff:ff:ff:ff:ff\",device=\"%s\",duplex=\"full\",operstate=\"%s\"}"
                .formatted(hca.port().mac(), hca.netdev(), isUp(hca) ? "up" : "down"),
        hca -> 1);
    network("up", hca -> isUp(hca) ? 1 : 0);
    network("carrier", hca -> isUp(hca) ? 1 : 0);
    network("flags", hca -> INTERFACE_FLAGS);
    network("mtu_bytes", hca -> hca.port().port().mtu());
    network("speed_bytes", hca -> BYTES_PER_SECOND);
    // RoCE passes the network stack by: only errors of the line show here.
    statistic("receive_errs", hca -> hca.port().in().lostPackets());
    statistic("receive_drop", hca -> 0);
    statistic("transmit_errs", hca -> 0);
    statistic("transmit_drop", hca -> 0);
    page.counter(
        "node_network_carrier_changes_total",
        "Network device property: carrier_changes_total",
        HostExposition::netdev,
        hca -> hca.port().link().changes());
  }

  private void infiniband(String name, ToLongFunction<Hca> value) {
    page.counter(
        "node_infiniband_" + name,
        "Counter " + name + " of /sys/class/infiniband.",
        HostExposition::rdmaPort,
        value);
  }

  private void infinibandGauge(String name, String help, ToLongFunction<Hca> value) {
    page.gauge("node_infiniband_" + name, help, HostExposition::rdmaPort, value);
  }

  private void ethtool(String name, ToLongFunction<Hca> value) {
    page.untyped(
        "node_ethtool_" + name,
        "Network interface " + name.replace('_', ' '),
        HostExposition::netdev,
        value);
  }

  private void network(String name, ToLongFunction<Hca> value) {
    page.gauge(
        "node_network_" + name, "Network device property: " + name, HostExposition::netdev, value);
  }

  private void statistic(String name, ToLongFunction<Hca> value) {
    page.counter(
        "node_network_" + name + "_total",
        "Network device statistic " + name + ".",
        HostExposition::netdev,
        value);
  }

  private static boolean isUp(Hca hca) {
    return hca.port().link().isUp();
  }

  private static String rdmaPort(Hca hca) {
    return "{device=\"" + hca.device() + "\",port=\"1\"}";
  }

  private static String netdev(Hca hca) {
    return "{device=\"" + hca.netdev() + "\"}";
  }

  private static String portLabels(Hca hca) {
    String mac = hca.port().mac();
    return "{device=\"%s\",port=\"1\",netdev=\"%s\",mac=\"%s\",guid=\"%s\"}"
        .formatted(hca.device(), hca.netdev(), mac, guid(mac));
  }

  /** The EUI-64 of a MAC as RDMA devices show it: {@code 00fa:b0ff:fe07:0001}. */
  private static String guid(String mac) {
    String[] octets = mac.split(":");
    int first = Integer.parseInt(octets[0], 16) ^ 2;
    return "%02x%s:%sff:fe%s:%s%s"
        .formatted(first, octets[1], octets[2], octets[3], octets[4], octets[5]);
  }

  private static double seconds(Instant time) {
    return time.getEpochSecond() + time.getNano() / 1e9;
  }
}
