package io.fabrichealth.topology;

import java.util.Comparator;

/** A port by its device and its name there. */
public record PortId(String device, String port) implements Comparable<PortId> {
  private static final Comparator<PortId> ORDER = Comparator.comparing(PortId::id);

  /** The id in subjects and answers: {@code device:port}. */
  public String id() {
    return device + ":" + port;
  }

  @Override
  public int compareTo(PortId other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return id();
  }
}
