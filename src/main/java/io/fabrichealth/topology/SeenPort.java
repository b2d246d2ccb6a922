package io.fabrichealth.topology;

import java.util.List;

/**
 * A port as its device tells it.
 *
 * @param speedBitsPerSecond 0 where it does not say
 * @param mtu in octets; 0 where it does not say
 * @param aliases other names: description, MAC (lower case, colons), GUID
 */
public record SeenPort(
    String name, long speedBitsPerSecond, int mtu, boolean adminUp, List<String> aliases) {
  public SeenPort {
    aliases = List.copyOf(aliases);
  }
}
