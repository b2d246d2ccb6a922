package io.fabrichealth.simulate.world;

import io.fabrichealth.simulate.Draws;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Up to the first common tier and down again; at each switch a hash picks one of equal ports. */
final class Routes {
  private final Site site;
  private final Draws draws;
  private final Map<DeviceModel, List<PortModel>> narrowed = new HashMap<>();

  Routes(Site site, Draws draws) {
    this.site = site;
    this.draws = draws;
  }

  /** From now on the switch's hash knows these ports upwards only. */
  void narrow(DeviceModel device, List<PortModel> uplinks) {
    narrowed.put(device, List.copyOf(uplinks));
  }

  /** Wires from a host's port to another's. */
  List<Wire> path(PortModel source, PortModel target) {
    List<Wire> path = new ArrayList<>(6);
    path.add(source.out());
    DeviceModel here = source.peer().device();
    DeviceModel there = target.peer().device();
    if (here != there) {
      DeviceModel spine = climb(path, here);
      if (site.pod(here) != site.pod(there)) {
        DeviceModel core = climb(path, spine);
        spine = take(path, pick(site.towardsPod(core, site.pod(there))));
      }
      take(path, pick(site.towards(spine, there)));
    }
    path.add(target.in());
    return path;
  }

  private DeviceModel climb(List<Wire> path, DeviceModel from) {
    return take(path, pick(narrowed.getOrDefault(from, site.uplinks(from))));
  }

  private static DeviceModel take(List<Wire> path, PortModel by) {
    path.add(by.out());
    return by.peer().device();
  }

  private PortModel pick(List<PortModel> ports) {
    PortModel picked = draws.one(ports);
    for (int again = 0; !picked.link().isUp() && again < ports.size(); again++) {
      picked = draws.one(ports);
    }
    return picked;
  }
}
