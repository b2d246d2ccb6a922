package io.fabrichealth.collect.prometheus;

import io.fabrichealth.topology.Role;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which labels of a sample tell of an InfiniBand node and of what is at the end of its port.
 *
 * @param role of all nodes of the metric; null where {@link Part#TYPE} tells it, or nothing
 */
record NodeLabels(Map<Part, byte[]> labels, @Nullable Role role) {

  /** What a label may tell. */
  enum Part {
    GUID,
    PORT,
    NAME,
    TYPE,
    REMOTE_GUID,
    REMOTE_PORT,
    REMOTE_NAME,
    REMOTE_TYPE
  }

  NodeLabels {
    labels = labels.isEmpty() ? new EnumMap<>(Part.class) : new EnumMap<>(labels);
  }

  static NodeLabels of(Map<Part, String> names, @Nullable Role role) {
    Map<Part, byte[]> labels = new EnumMap<>(Part.class);
    names.forEach((part, name) -> labels.put(part, name.getBytes(StandardCharsets.US_ASCII)));
    return new NodeLabels(labels, role);
  }

  /** Empty where the sample does not tell. */
  String text(Part part, SampleLine line) {
    byte[] label = labels.get(part);
    return label == null ? "" : line.text(label).strip();
  }
}
