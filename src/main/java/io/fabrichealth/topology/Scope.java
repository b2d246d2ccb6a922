package io.fabrichealth.topology;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A part of a fabric, by ids of devices, ports and links.
 *
 * @param devices names
 * @param ports ids, {@code device:port}
 * @param links ids
 */
public record Scope(List<String> devices, List<String> ports, List<String> links) {

  public Scope {
    devices = List.copyOf(devices);
    ports = List.copyOf(ports);
    links = List.copyOf(links);
  }

  /**
   * The ids of all that belongs to it: a device has all its ports, a link both of its ends, and a
   * port has the link that it is an end of, though not that link's other end.
   */
  public Set<String> ids(Fabric fabric) {
    Set<String> ids = new HashSet<>(devices);
    ids.addAll(ports);
    ids.addAll(links);
    Set<String> whole = Set.copyOf(devices);
    Set<String> named = Set.copyOf(ports);
    Set<String> cables = Set.copyOf(links);
    for (Port port : fabric.ports()) {
      if (whole.contains(port.id().device())) {
        ids.add(port.id().id());
      }
    }
    for (Link link : fabric.links()) {
      boolean isIn = cables.contains(link.id());
      for (PortId end : link.ends()) {
        boolean isWhole = whole.contains(end.device());
        if (isIn || isWhole) {
          ids.add(end.id());
        }
        if (isWhole || named.contains(end.id())) {
          ids.add(link.id());
        }
      }
    }
    return ids;
  }
}
