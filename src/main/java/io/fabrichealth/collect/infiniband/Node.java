package io.fabrichealth.collect.infiniband;

import java.util.SortedMap;
import java.util.TreeMap;

/** A node of a subnet: a switch chip, a channel adapter, a router. */
final class Node {
  /** What a node is, by the words of the tools. */
  enum Kind {
    SWITCH,
    ADAPTER,
    ROUTER,
    OTHER
  }

  private final Kind kind;
  private final long guid;
  private final long systemGuid;
  private final int vendorId;
  private final String description;
  private final int declaredPorts;
  private final int lid;
  private final int line;
  private final SortedMap<Integer, NodePort> ports = new TreeMap<>();

  /**
   * @param guid of the node, or of its port where the text tells no other
   * @param systemGuid that all nodes of one chassis have; 0 where unknown
   * @param vendorId IEEE OUI of the maker; 0 where unknown
   * @param description as the node gives it, spaces and all
   * @param declaredPorts how many it says to have; 0 where the text does not say
   * @param lid of a switch's management port; 0 where unknown and for others
   * @param line of the text
   */
  Node(
      Kind kind,
      long guid,
      long systemGuid,
      int vendorId,
      String description,
      int declaredPorts,
      int lid,
      int line) {
    this.kind = kind;
    this.guid = guid;
    this.systemGuid = systemGuid;
    this.vendorId = vendorId;
    this.description = description;
    this.declaredPorts = declaredPorts;
    this.lid = lid;
    this.line = line;
  }

  Kind kind() {
    return kind;
  }

  long guid() {
    return guid;
  }

  long systemGuid() {
    return systemGuid;
  }

  int vendorId() {
    return vendorId;
  }

  String description() {
    return description;
  }

  int declaredPorts() {
    return declaredPorts;
  }

  int lid() {
    return lid;
  }

  int line() {
    return line;
  }

  /** By number; those that the text lists. */
  SortedMap<Integer, NodePort> ports() {
    return ports;
  }

  boolean isSwitch() {
    return kind == Kind.SWITCH;
  }

  /** Part of a switch chip that adds up data on the way (SHARP); it is no host. */
  boolean isAggregation() {
    return isAggregation(description);
  }

  static boolean isAggregation(String description) {
    return description.contains("Aggregation Node");
  }

  @Override
  public String toString() {
    return "'%s' (%s)".formatted(Refusals.shortened(description), Guid.text(guid));
  }
}
