package io.fabrichealth.topology;

import org.jspecify.annotations.Nullable;

/**
 * What a device says of the other end of one of its ports (LLDP, IEEE 802.1AB).
 *
 * @param localPort name of the own port, as in its {@link SeenPort}
 * @param systemName the neighbour's name; null where it does not say
 * @param chassisId as text: MACs in lower case with colons, GUIDs as {@code 0x} and 16 hex digits
 *     in lower case
 * @param portId as text, written like the chassis id
 * @param portIdKind what {@code portId} is
 * @param portDescription null where it does not say; often the port's name where the id is a MAC
 */
public record Neighbour(
    String localPort,
    @Nullable String systemName,
    String chassisId,
    String portId,
    PortIdKind portIdKind,
    @Nullable String portDescription) {

  /** What a port id is: the LLDP subtypes, as far as they matter for finding the port. */
  public enum PortIdKind {
    INTERFACE_NAME,
    INTERFACE_ALIAS,
    MAC,
    /** InfiniBand: the GUID of the port. */
    GUID,
    LOCAL,
    OTHER
  }
}
