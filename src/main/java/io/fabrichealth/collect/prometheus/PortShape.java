package io.fabrichealth.collect.prometheus;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How mapping files show ports: mapping files with the same kind and labels show the same ones.
 *
 * @param index place among the shapes of a mapping
 * @param device the label that names the device, one element; empty where it is the target's own
 * @param labels those that make the port's name
 * @param source what tells of devices that are not the target's own; null where nothing does
 * @param node labels that tell of the node and its neighbour; null where there are none
 */
record PortShape(
    int index,
    PortKind kind,
    List<byte[]> device,
    List<byte[]> labels,
    @Nullable String source,
    @Nullable NodeLabels node) {
  PortShape {
    device = List.copyOf(device);
    labels = List.copyOf(labels);
  }
}
