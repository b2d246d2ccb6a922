package io.fabrichealth.finding;

import java.util.List;

/**
 * What each cause means, what it does to the work on the fabric, and where to look first. The one
 * place of these texts: explanations of incidents and the page of causes both take them from here.
 *
 * @param meaning what is going on, in a sentence
 * @param impact what it does to jobs, in a sentence
 * @param checks what to look at, in this order, a sentence each
 */
public record Guidance(String meaning, String impact, List<String> checks) {

  public Guidance {
    checks = List.copyOf(checks);
  }

  private static Guidance of(String meaning, String impact, String... checks) {
    return new Guidance(meaning, impact, List.of(checks));
  }

  public static Guidance of(Cause cause) {
    return switch (cause) {
      case PHY_LANE ->
          of(
              "One lane makes bit errors that its neighbours do not, which is a matter of one"
                  + " fibre, one laser or one contact.",
              "FEC hides the errors until there are too many in one codeword; then packets are"
                  + " lost, and every rank waits for the one that sends again.",
              "Compare the lane's received power with that of the other lanes of the module.",
              "Inspect the connector at the receiving end under a scope.",
              "Move the module to another port: the fault goes with it, or stays with the port.");
      case PHY_LINK ->
          of(
              "All lanes of the link make more bit errors than such a link should.",
              "Packets are lost or sent again, and every rank waits for the one that sends again.",
              "Compare received power at both ends with what the modules are rated for.",
              "See whether the errors are received at one end only: the fault is then on the way"
                  + " to that end.",
              "Check that cable and modules are rated for this speed and length.");
      case LINK_SLOW ->
          of(
              "Packets over the link arrive late or in fewer numbers than the link can carry, and"
                  + " no counter of either end says why.",
              "Collectives over the link run at the pace of the link.",
              "Compare the negotiated speed and width with the plan.",
              "Look for a shaper or policer at both ends.");
      case OPTICS_CONTAMINATION ->
          of(
              "Less light arrives than is sent, with nothing wrong at the laser: mostly dirt on a"
                  + " connector, or a bent fibre.",
              "Bit errors follow as soon as temperature or age take the rest of the margin.",
              "Compare the power that is sent with the power that arrives: the loss lies between.",
              "Look for a fibre that is bent or pinched.");
      case OPTICS_FAILING ->
          of(
              "The laser needs ever more current for the same light, or gives ever less of it.",
              "The link will begin to lose packets, and then go down, without more warning.",
              "Have a module of the same type ready before you touch the link.",
              "Check the module's temperature: one that is too hot ages fast.");
      case LINK_FLAP ->
          of(
              "The link goes down and comes up again.",
              "Each outage stops every job over the link for as long as it lasts; one that lasts"
                  + " longer than the job's timeouts ends the job.",
              "See whether the outages begin at the same end: the fault is on the way to that end.",
              "Check that the cable sits firmly at both ends.",
              "See whether the flaps follow the temperature or somebody's work in the rack.");
      case LINK_DOWN ->
          of(
              "The link is down although both ends are to be up.",
              "Its capacity is missing; a host that loses its only port of a rail cannot take part"
                  + " in a job that uses it.",
              "Check that the host at the other end is on.",
              "See whether light arrives at either end.",
              "Look for other links of the same module, line card or cable bundle that are down.");
      case SPEED_DOWNGRADE ->
          of(
              "The link has trained at a lower speed than it can.",
              "Collectives over the link run at the pace of the link.",
              "See what both ends say they can, and what they are set to.",
              "See whether the cable is rated for the speed.");
      case WIDTH_DOWNGRADE ->
          of(
              "The link runs with fewer lanes than it has.",
              "Collectives over the link run at the pace of the link.",
              "See which lane did not train, and inspect its contact or fibre.",
              "Reseat the cable and let the link train again.");
      case MTU_MISMATCH ->
          of(
              "The two ends of the link allow frames of different sizes.",
              "Large packets in one direction vanish; connections come up and then hang.",
              "Compare the MTU of both ports, and of the VLANs or subinterfaces on them.");
      case FEC_MISMATCH ->
          of(
              "The two ends of the link use different error correction.",
              "The link makes errors that nobody corrects, or does not come up.",
              "Compare the FEC mode of both ports; set it rather than leave it to be negotiated.");
      case WRONG_CABLE ->
          of(
              "The cable leads to another port than the plan says.",
              "Rails are mixed: traffic takes longer ways and meets where it should not.",
              "Follow the cable at the end that the plan does not know.",
              "If the cable is right, correct the plan.");
      case BUFFER_MISCONFIGURATION ->
          of(
              "The port pauses or drops at loads at which its peers do neither, which points to its"
                  + " buffers' settings.",
              "Lossless traffic is lost, or paused without need.",
              "Compare headroom, thresholds and priorities of the port with those of its peers.",
              "Check that both ends map the same traffic to the lossless priority.");
      case PACKET_LOSS ->
          of(
              "Packets get lost on the link, and no error counter says why.",
              "Every loss makes a sender wait for its timeout, and with it every rank of the job.",
              "See whether one direction loses and the other does not.",
              "Check whether the losses follow certain flows or sizes, or strike at random.");
      case SWITCH_PACKET_LOSS ->
          of(
              "Packets get lost inside the switch, between its ports, and no counter shows it.",
              "All jobs through the switch lose packets, whichever links they use.",
              "Read the drop counters of the forwarding chip.",
              "See whether the losses stay when traffic is taken off one port after the other.");
      case SLOW_RECEIVER ->
          of(
              "The host takes in traffic more slowly than it arrives, and pauses the fabric.",
              "The pause spreads upstream and slows down jobs that have nothing to do with it.",
              "Check width and speed of the HCA's PCIe slot.",
              "Look for a process that keeps the memory or the PCIe bus busy.");
      case PFC_STORM ->
          of(
              "A port sends pause frames without end.",
              "Everything that leads to the port stands still, and the halt spreads upstream.",
              "Find the port where the pauses begin: no pause comes in there.",
              "If it is a host, restart its HCA or take it off the fabric.");
      case PFC_DEADLOCK ->
          of(
              "Switches pause each other in a circle.",
              "The traffic of that priority stands still in the circle and does not recover by"
                  + " itself.",
              "Find the route that closes the circle.",
              "See whether a pause watchdog is on at the switches of the circle.");
      case CONGESTION ->
          of(
              "More traffic wants to leave by a port than it can carry.",
              "Jobs that meet there share the port and slow each other down.",
              "See which jobs meet there, and whether they could run elsewhere.");
      case ROUTE_COLLISION ->
          of(
              "Large flows were put on the same path while others are idle.",
              "The colliding jobs get a part of the speed that the fabric has for them.",
              "See how many flows each of the equal paths carries.",
              "Use adaptive routing, or more queue pairs for each connection.");
      case ROUTE_POLARISATION ->
          of(
              "Switches of consecutive tiers choose paths by the same hash, so that some paths get"
                  + " nothing.",
              "A part of the fabric's capacity is never used.",
              "Compare the hash seeds of the tiers.");
      case SOCKET_FALLBACK ->
          of(
              "The job's data goes over TCP or through the host's memory instead of RDMA.",
              "Collectives take several times as long, without an error.",
              "Look in the job's log for the network that it chose, and why.",
              "Check that the host's RDMA devices are there and visible in the container.");
      case RAIL_FAILOVER ->
          of(
              "The job's traffic of one rail goes over another one.",
              "Two rails' traffic shares one rail for as long as the job runs.",
              "See what is wrong with the rail that failed.",
              "Restart the job once the rail is back: it does not return by itself.");
      case PCIE_DOWNGRADE ->
          of(
              "The HCA's slot runs narrower or slower than the HCA can.",
              "The host is the slowest of its jobs, and may pause the fabric.",
              "Compare the slot's width and speed with the other hosts'.",
              "Reseat the HCA; see whether the slot or the HCA is at fault by a swap.");
      case COMPUTE_STRAGGLER ->
          of(
              "The rank comes late to each collective because it computes for longer.",
              "All other ranks wait for it; the network is not at fault.",
              "Check the GPU's clocks, temperature and power limit.",
              "See what else runs on the host.");
      case WORKLOAD_IMBALANCE ->
          of(
              "Another rank is late in each step, as the work is not the same for all.",
              "Ranks wait for each other; the network is not at fault.",
              "Compare the sizes of the ranks' batches, sequences or experts.");
      case HUNG_RANK ->
          of(
              "The rank does not go on, and its peers wait for it.",
              "The job stands still until its timeout ends it.",
              "See whether its host still answers, and whether other ranks on it go on.",
              "Read the kernel log of its host for errors of the GPU.");
      case RANK_FAILED ->
          of(
              "The process of the rank ended.",
              "The job stands still until its timeout ends it, or has ended.",
              "See whether other ranks of the same host ended too.",
              "Read the kernel log of its host: out of memory, or an error of the GPU.");
      case COLLECTIVE_STALLED ->
          of(
              "All ranks of a group have begun a collective, and it does not complete.",
              "The job stands still until its timeout ends it.",
              "See whether a link or switch between the group's ranks has an incident.",
              "Check that all ranks of the group can reach each other over each rail.");
      case COLLECTIVE_MISMATCH ->
          of(
              "Ranks of one group wait in different collectives.",
              "The job stands still until its timeout ends it; it is a fault of the program.",
              "Compare what the named ranks and their peers were about to do.",
              "Look for a branch that not all ranks take.");
      case COLLECTIVE_DEADLOCK ->
          of(
              "Ranks wait for each other in different groups, in a circle.",
              "The job stands still until its timeout ends it; it is a fault of the program.",
              "Compare the order in which the named ranks enter their groups.");
      case ALGORITHMIC_SCALING ->
          of(
              "The collective takes as long as its algorithm does at this number of ranks.",
              "None that a repair would take away.",
              "Try another algorithm, a tree in place of a ring for example.");
      case SHARED_COMPONENT ->
          of(
              "Several links that have a component in common became faulty together.",
              "All of these links lose packets or go down together.",
              "See what the links have in common: line card, gearbox, module, cable bundle, power.",
              "See what was changed or touched when it began.");
      case DEVICE_UNREACHABLE ->
          of(
              "The device does not answer the service.",
              "Its own links cannot be judged; jobs may run on undisturbed.",
              "See whether the links of the device are up at their other ends.",
              "Check power, the management network and the credentials.");
    };
  }
}
