package io.fabrichealth.topology;

import org.jspecify.annotations.Nullable;

/** A port by its device and its name there; in the order of the ids. */
public record PortId(String device, String port) implements Comparable<PortId> {

  /** The id in subjects and answers: {@code device:port}. */
  public String id() {
    return device + ":" + port;
  }

  /** As the ids compare, without making them: a fabric sorts hundreds of thousands. */
  @Override
  public int compareTo(PortId other) {
    int common = Math.min(device.length(), other.device.length());
    for (int at = 0; at < common; at++) {
      int difference = device.charAt(at) - other.device.charAt(at);
      if (difference != 0) {
        return difference;
      }
    }
    return device.length() == other.device.length()
        ? port.compareTo(other.port)
        : id().compareTo(other.id());
  }

  /** Maps of a whole fabric are asked hundreds of thousands of times at once. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof PortId that && port.equals(that.port) && device.equals(that.device));
  }

  @Override
  public int hashCode() {
    // Times 31, as strings do it, leaf1:Ethernet25 and leaf2:Ethernet15 would fall together.
    return device.hashCode() * 0x9E3779B1 + port.hashCode();
  }

  @Override
  public String toString() {
    return id();
  }
}
