package io.fabrichealth.collect.gnmi;

import java.util.List;

/** What a text of a device tells of a port, a module, a neighbour or the device itself. */
enum FactKind {
  /** Another name of the port. */
  ALIAS,
  MAC,
  IF_INDEX,
  FEC,
  /** Names of lanes, separated by commas: only their number counts. */
  LANES,
  /** The kind of interface (iana-if-type). */
  TYPE,
  /** What else than a name the device itself takes the port for: names that have it are true. */
  OBJECT,
  /** When the port's counters were last cleared. */
  LAST_CLEAR,
  /** The component that holds the port's module. */
  TRANSCEIVER,
  /** The channels of that module that are the port's. */
  CHANNELS,
  PART_NUMBER,
  CONNECTOR,
  CHASSIS_ID(true),
  CHASSIS_ID_TYPE(true),
  PORT_ID(true),
  PORT_ID_TYPE(true),
  PORT_DESCRIPTION(true),
  SYSTEM_NAME(true),
  /** The name that the device gives itself. */
  HOST_NAME,
  /** The chassis id under which others see the device. */
  OWN_CHASSIS_ID,
  BOOT_TIME;

  private static final List<FactKind> ALL = List.of(values());

  private final boolean ofNeighbour;

  FactKind() {
    this(false);
  }

  FactKind(boolean ofNeighbour) {
    this.ofNeighbour = ofNeighbour;
  }

  /** Whether it is told of what is seen behind a port. */
  boolean isOfNeighbour() {
    return ofNeighbour;
  }

  static int count() {
    return ALL.size();
  }
}
