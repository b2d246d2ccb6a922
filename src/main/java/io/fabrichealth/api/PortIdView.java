package io.fabrichealth.api;

import io.fabrichealth.topology.PortId;

/** A port by its device and its name there. */
record PortIdView(String device, String port) {

  static PortIdView of(PortId id) {
    return new PortIdView(id.device(), id.port());
  }
}
