package io.fabrichealth.detect;

import io.fabrichealth.detect.HotEgress.Hot;
import io.fabrichealth.detect.HotEgress.Load;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import java.util.ArrayList;
import java.util.List;

/**
 * A port that is full for minutes while its like are not.
 *
 * <p><b>What it catches:</b> an ECN hot spot: one port of a switch sends at its limit and marks
 * packets, for longer than any exchange between ranks lasts. It is congested, not faulty: what it
 * says is about the port, and its link stays healthy.
 *
 * <p><b>What it compares:</b> the load with 85 % of the line rate and the share of marked packets
 * with 1e-3, for 3 minutes, 5 minutes where the port faces a host; and the load of the switch's
 * other ports of the same kind with three quarters of that. Where nobody counts marks, the load
 * must be 93 %.
 *
 * <p><b>When it stays silent:</b> where more than a quarter of the ports of the kind are as loaded:
 * an exchange between all. Where the link is slower than planned, which is why it is full. Where it
 * faces a host and the switch pauses two or more senders: then these send to the host all at once,
 * which is how collectives work (incast). In any poll in which the port is not full, whatever came
 * before. Ports with a choice of paths are judged by {@code ecmp}.
 *
 * <p><b>How it clears:</b> at the second poll in which it is not full.
 *
 * <p><b>Settings:</b> {@code ecn.*}.
 *
 * <p><b>Source:</b> RFC 3168; DCQCN (SIGCOMM 2015), whose marking begins at a queue, not at a load.
 */
public final class EcnDetector implements DeviceDetector<EcnDetector.State> {
  private static final String ID = "ecn";
  private static final double NATS = 10;
  private static final double ALIKE = .75;
  private static final double MANY = .25;
  private static final int SENDERS = 2;

  private final HotEgress egress;
  private final PauseReader pause;
  private final double minSeconds;
  private final double minSecondsToHost;
  private final double hot;

  public EcnDetector(SignalDictionary dictionary, Thresholds thresholds) {
    pause = new PauseReader(dictionary);
    egress = new HotEgress(pause, thresholds);
    hot = thresholds.number("ecn.hot-load");
    minSeconds = thresholds.number("ecn.lasting-seconds");
    minSecondsToHost = thresholds.number("ecn.lasting-seconds-to-host");
  }

  /**
   * What is remembered of a device.
   *
   * @param hot ports that send at their limit
   */
  record State(List<Hot> hot) {}

  @Override
  public String id() {
    return ID;
  }

  @Override
  public Class<State> stateType() {
    return State.class;
  }

  @Override
  public State initial() {
    return new State(List.of());
  }

  @Override
  public Step<State> step(State state, DeviceView view) {
    Device device = view.device();
    if (device.role() == Role.HOST) {
      return Step.silent(state);
    }
    if (state.hot().isEmpty() && !isAnyFull(view)) {
      return Step.silent(state);
    }
    List<Load> toHosts = new ArrayList<>();
    List<Load> toSwitches = new ArrayList<>();
    List<PortId> uplinks = Uplinks.of(view.fabric(), device);
    for (Link link : view.fabric().linksOf(device.name())) {
      PortId own = Uplinks.ownEnd(link, device);
      PortId peer = link.peerOf(own);
      if (uplinks.size() < 2 || !uplinks.contains(own)) {
        Load load = egress.load(view, own, peer);
        (Uplinks.isHost(view.fabric(), peer) ? toHosts : toSwitches).add(load);
      }
    }
    long nowNanos = PortView.nanos(view.at());
    List<Hot> next = new ArrayList<>(egress.next(state.hot(), toHosts, false, nowNanos));
    int hotToHosts = next.size();
    next.addAll(egress.next(state.hot(), toSwitches, false, nowNanos));
    List<Finding> findings = new ArrayList<>();
    for (int index = 0; index < next.size(); index++) {
      boolean toHost = index < hotToHosts;
      Hot one = next.get(index);
      List<Load> alike = toHost ? toHosts : toSwitches;
      Load load = find(alike, one);
      if (egress.isLasting(one, load, false, toHost ? minSecondsToHost : minSeconds)
          && isAlone(alike)
          && !(toHost && isIncast(view, device, one.port()))) {
        findings.add(congestion(view, load, one));
      }
    }
    return new Step<>(next.isEmpty() ? initial() : new State(next), findings);
  }

  /** Cheap: most polls of most devices end here. */
  private boolean isAnyFull(DeviceView view) {
    for (SignalWindow window : view.read()) {
      double speed = EndReading.speed(egress.signals, window, view.fabric().port(window.port()));
      if (EndReading.utilisation(window, egress.signals.outOctets, speed) >= hot) {
        return true;
      }
    }
    return false;
  }

  private boolean isAlone(List<Load> loads) {
    int known = 0;
    int alike = 0;
    for (Load load : loads) {
      known += Double.isNaN(load.out()) ? 0 : 1;
      alike += load.out() >= ALIKE * hot ? 1 : 0;
    }
    return alike <= Math.max(1, MANY * known);
  }

  /** Whether the switch holds up several others that send to it. */
  private boolean isIncast(DeviceView view, Device device, String to) {
    int held = 0;
    for (Link link : view.fabric().linksOf(device.name())) {
      PortId own = Uplinks.ownEnd(link, device);
      SignalWindow window = view.window(own);
      if (!own.port().equals(to) && window != null && pause.sendsPause(window)) {
        held++;
      }
    }
    return held >= SENDERS;
  }

  private static Load find(List<Load> loads, Hot hot) {
    for (Load load : loads) {
      if (load.port().port().equals(hot.port())) {
        return load;
      }
    }
    throw new IllegalStateException("no load of " + hot.port());
  }

  private static Finding congestion(DeviceView view, Load load, Hot hot) {
    return congestion(ID, view, load, hot);
  }

  /** What is said of a port that is full, by whichever detector. */
  static Finding congestion(String detector, DeviceView view, Load load, Hot hot) {
    Subject port = Subject.of(load.port());
    return new Finding(
        detector,
        port,
        Cause.CONGESTION,
        new Evidence(
            Family.PAUSE,
            Double.isNaN(load.marks()) ? "port.out_octets" : "ecn.marked_packets",
            port,
            full(load, hot),
            "full for less than minutes",
            Reference.PEERS,
            NATS,
            PortView.instant(hot.sinceNanos()),
            view.at(),
            view.collector() + " " + view.device().name()),
        PortView.instant(hot.sinceNanos()));
  }

  static String full(Load load, Hot hot) {
    String marks =
        Double.isNaN(load.marks()) ? "" : ", " + Figures.percent(load.marks()) + " marked";
    return "sends at %s of its speed for %s%s"
        .formatted(
            Figures.percent(Double.isNaN(load.out()) ? 0 : load.out()),
            Figures.time(hot.seconds()),
            marks);
  }
}
