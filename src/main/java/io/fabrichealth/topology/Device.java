package io.fabrichealth.topology;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A switch or host.
 *
 * @param counterBits widths of counters that are not 64 bits wide on this device, by signal id
 */
public record Device(
    String name,
    Role role,
    @Nullable String vendor,
    @Nullable String model,
    @Nullable Integer rail,
    @Nullable Integer plane,
    Map<String, Integer> counterBits) {

  public Device {
    counterBits = Map.copyOf(counterBits);
  }

  /** A device of which nothing but its name and role is known. */
  public static Device of(String name, Role role) {
    return new Device(name, role, null, null, null, null, Map.of());
  }
}
