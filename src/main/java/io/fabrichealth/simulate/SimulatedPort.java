package io.fabrichealth.simulate;

import io.fabrichealth.topology.Port;
import java.util.Locale;

/**
 * A port of the simulated fabric: its end of a link, and the module in it.
 *
 * @param out what it sends
 * @param in what it receives
 * @param mac lower case with colons
 */
record SimulatedPort(
    Port port, SimulatedLink link, Direction out, Direction in, OpticalModule module, String mac) {

  String name() {
    return port.id().port();
  }

  /** A locally administered MAC for the port (from 1) of the device; port 0 is its chassis. */
  static String mac(int device, int port) {
    return String.format(
        Locale.ROOT, "02:fa:b0:%02x:%02x:%02x", device, port >> Byte.SIZE, port & 0xff);
  }
}
