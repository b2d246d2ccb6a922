package io.fabrichealth.simulate.world;

import java.util.List;

/** Packets from one host port to another, over wires that a hash has chosen. */
final class Flow {
  /** What a sender still tries of which nothing arrives. */
  private static final double TRIES = .02;

  private final PortModel source;
  private final PortModel target;
  private final Activity activity;
  private final double packetsPerSecond;
  private List<Wire> path = List.of();

  /**
   * @param packetsPerSecond while the activity is at 1 and nothing slows it down
   */
  Flow(PortModel source, PortModel target, Activity activity, double packetsPerSecond) {
    this.source = source;
    this.target = target;
    this.activity = activity;
    this.packetsPerSecond = packetsPerSecond;
  }

  PortModel source() {
    return source;
  }

  PortModel target() {
    return target;
  }

  Activity activity() {
    return activity;
  }

  List<Wire> path() {
    return path;
  }

  void setPath(List<Wire> wires) {
    path = wires;
  }

  boolean uses(LinkModel link) {
    for (Wire wire : path) {
      if (wire.link() == link) {
        return true;
      }
    }
    return false;
  }

  /** Whether the switch forwards it. */
  boolean crosses(DeviceModel device) {
    for (int i = 0; i + 1 < path.size(); i++) {
      if (path.get(i).to().device() == device) {
        return true;
      }
    }
    return false;
  }

  /** What it offers a second while its activity is at 1. */
  double offered() {
    for (Wire wire : path) {
      if (wire.isBlocked()) {
        return 0;
      }
    }
    return packetsPerSecond * Math.min(source.throughput(), target.throughput());
  }

  /**
   * Adds what it sends to all its wires, or takes it away again. What is lost on a wire or in a
   * switch is sent again: the wires before carry it twice.
   */
  void lay(double sign, double now) {
    int narrow = tooNarrow();
    if (narrow >= 0) {
      layInVain(sign * offered() * TRIES, narrow, now);
      return;
    }
    double offered = sign * offered();
    double again = 0;
    for (int i = path.size() - 1; i >= 0; i--) {
      Wire wire = path.get(i);
      if (i + 1 < path.size()) {
        again += offered * wire.to().device().dropRatio();
      }
      double lost = offered * wire.lossRatio();
      wire.sent().add(activity, offered + again + lost, now);
      if (lost != 0) {
        wire.lose(activity, lost, now);
        again += lost;
      }
    }
  }

  /** The first wire whose receiver refuses packets of its size; -1 where none does. */
  private int tooNarrow() {
    for (int i = 0; i < path.size(); i++) {
      if (activity.octets() > path.get(i).largestOctets()) {
        return i;
      }
    }
    return -1;
  }

  private void layInVain(double tried, int until, double now) {
    for (int i = 0; i <= until; i++) {
      path.get(i).sent().add(activity, tried, now);
    }
    path.get(until).refuse(activity, tried, now);
  }
}
