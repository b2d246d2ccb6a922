package io.fabrichealth.topology;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one device says of itself and its neighbours.
 *
 * @param systemName the name that the device gives itself (others see it under this name)
 * @param chassisIds ids under which neighbours may know it: MACs in lower case with colons
 * @param neighboursRead false where the neighbours were not asked or not read to the end: then the
 *     absence of one says nothing
 */
public record Sighting(
    String device,
    Role role,
    @Nullable String systemName,
    @Nullable String vendor,
    List<String> chassisIds,
    List<SeenPort> ports,
    List<Neighbour> neighbours,
    boolean neighboursRead) {
  public Sighting {
    chassisIds = List.copyOf(chassisIds);
    ports = List.copyOf(ports);
    neighbours = List.copyOf(neighbours);
  }
}
