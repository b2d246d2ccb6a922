package io.fabrichealth.finding;

import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;

/** An entity by type and id; the forms of the ids are part of the capture contract. */
public record Subject(SubjectType type, String id) {

  public static Subject of(Link link) {
    return new Subject(SubjectType.LINK, link.id());
  }

  public static Subject of(PortId port) {
    return new Subject(SubjectType.PORT, port.id());
  }

  public static Subject lane(PortId port, int lane) {
    return new Subject(SubjectType.LANE, port.id() + "#" + lane);
  }

  public static Subject host(String device) {
    return new Subject(SubjectType.HOST, device);
  }

  public static Subject ofSwitch(String device) {
    return new Subject(SubjectType.SWITCH, device);
  }
}
