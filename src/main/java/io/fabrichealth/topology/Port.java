package io.fabrichealth.topology;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A port and what is known or planned of it.
 *
 * @param speedBitsPerSecond nominal speed; 0 where unknown
 * @param lanes electrical lanes; 0 where unknown
 * @param mtu in octets; 0 where unknown
 * @param adminUp false where the plan or the device says that the port is to be down
 * @param aliases other names under which devices and tools speak of it: interface alias, MAC (lower
 *     case, colons), GUID
 */
public record Port(
    PortId id,
    long speedBitsPerSecond,
    int lanes,
    FecMode fec,
    Media media,
    @Nullable String partNumber,
    int mtu,
    boolean adminUp,
    List<String> aliases) {

  public Port {
    aliases = List.copyOf(aliases);
  }

  /** A port of which nothing but its name is known. */
  public static Port of(PortId id) {
    return new Port(id, 0, 0, FecMode.UNKNOWN, Media.UNKNOWN, null, 0, true, List.of());
  }
}
