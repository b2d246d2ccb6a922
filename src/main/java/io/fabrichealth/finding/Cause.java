package io.fabrichealth.finding;

/** Why something is degraded. Each cause has a recommended action. */
public enum Cause {
  PHY_LANE(
      true, "Clean and reseat the module at the receiving end; replace it if the lane stays bad."),
  PHY_LINK(true, "Clean both ends, reseat, then replace cable or modules."),
  LINK_SLOW(true, "Check the negotiated width and the path for a shaper; reseat the cable."),
  OPTICS_CONTAMINATION(true, "Clean the connector on the side that receives too little light."),
  OPTICS_FAILING(true, "Replace the module whose laser decays."),
  LINK_FLAP(true, "Reseat the cable, then swap it; check which end loses signal first."),
  LINK_DOWN(true, "Check that both ends are enabled and cabled; replace cable or module."),
  SPEED_DOWNGRADE(true, "Reseat the cable and renegotiate; compare both ends' speed settings."),
  WIDTH_DOWNGRADE(true, "Reseat the cable; a lane did not train: replace the module or cable."),
  MTU_MISMATCH(true, "Set the same MTU at both ends."),
  FEC_MISMATCH(true, "Set the same FEC mode at both ends."),
  WRONG_CABLE(true, "Move the cable to the planned port."),
  BUFFER_MISCONFIGURATION(false, "Compare headroom and buffer profile with the site's template."),
  PACKET_LOSS(true, "Drain the link and run a loopback and a cable test; replace cable or module."),
  SWITCH_PACKET_LOSS(
      false, "Drain the switch; check its ASIC drop counters, then reload or replace it."),
  SLOW_RECEIVER(
      false, "Drain the host; check the HCA's PCIe width and speed, and its receive buffers."),
  PFC_STORM(false, "Stop the sender of pause frames; enable the PFC watchdog."),
  PFC_DEADLOCK(false, "Break the cycle: shut one link of it, then review the routing."),
  CONGESTION(false, "No repair: spread the traffic or lower the fan-in."),
  ROUTE_COLLISION(false, "No repair: spread the flows over more paths."),
  ROUTE_POLARISATION(false, "Use different hash seeds in consecutive tiers."),
  SOCKET_FALLBACK(
      false,
      "Fix the host's RDMA configuration; its data goes by TCP or through the host's memory."),
  RAIL_FAILOVER(false, "Restore the failed rail and restart the job's communicators."),
  PCIE_DOWNGRADE(false, "Reseat the HCA; check the slot's width and speed."),
  COMPUTE_STRAGGLER(false, "Check the GPU's clocks and temperature, and the host's load."),
  WORKLOAD_IMBALANCE(false, "No repair: balance the work between ranks."),
  HUNG_RANK(false, "Take the rank's stack trace, then restart it."),
  RANK_FAILED(false, "Read the rank's own log for the exception or signal."),
  COLLECTIVE_STALLED(false, "Check the network between the group's ranks."),
  COLLECTIVE_MISMATCH(false, "Fix the program: the named ranks issue another collective."),
  COLLECTIVE_DEADLOCK(false, "Fix the program: groups are entered in different orders."),
  ALGORITHMIC_SCALING(false, "No repair: the slowdown is that of the scale."),
  SHARED_COMPONENT(true, "Replace the shared component: line card, gearbox or cable bundle."),
  DEVICE_UNREACHABLE(false, "Check power, management network and credentials of the device.");

  private final boolean degradesLink;
  private final String recommendedAction;

  Cause(boolean degradesLink, String recommendedAction) {
    this.degradesLink = degradesLink;
    this.recommendedAction = recommendedAction;
  }

  /**
   * Whether the fault is the link's own. Congestion, routing, scaling and compute causes never mark
   * a link degraded.
   */
  public boolean degradesLink() {
    return degradesLink;
  }

  /** What to do first, in a sentence. */
  public String recommendedAction() {
    return recommendedAction;
  }
}
