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

  /** A rank of a job; ranks are counted from 0. */
  public static Subject rank(String job, int rank) {
    return new Subject(SubjectType.RANK, job + "/" + rank);
  }

  public static Subject job(String name) {
    return new Subject(SubjectType.JOB, name);
  }

  public static Subject ofSwitch(String device) {
    return new Subject(SubjectType.SWITCH, device);
  }
}
