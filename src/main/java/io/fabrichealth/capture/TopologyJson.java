package io.fabrichealth.capture;

import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.ErrorBin;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * A {@link Fabric} as the {@code topology} record of the capture format. Beside the fields of the
 * format a port has {@code aliases}.
 */
public final class TopologyJson {
  private TopologyJson() {}

  /** Writes the fields into an object that is begun. */
  public static void writeFields(JsonGenerator out, Fabric fabric) {
    out.writeArrayPropertyStart("devices");
    fabric.devices().forEach(device -> write(out, device));
    out.writeEndArray();
    out.writeArrayPropertyStart("ports");
    fabric.ports().forEach(port -> write(out, port));
    out.writeEndArray();
    out.writeArrayPropertyStart("links");
    fabric.links().forEach(link -> write(out, link));
    out.writeEndArray();
  }

  private static void write(JsonGenerator out, Device device) {
    out.writeStartObject();
    out.writeStringProperty("name", device.name());
    out.writeStringProperty("role", lower(device.role()));
    writeText(out, "vendor", device.vendor());
    writeText(out, "model", device.model());
    writeNumber(out, "rail", device.rail());
    writeNumber(out, "plane", device.plane());
    if (!device.counterBits().isEmpty()) {
      out.writeObjectPropertyStart("counterBits");
      device.counterBits().forEach(out::writeNumberProperty);
      out.writeEndObject();
    }
    if (!device.fecBins().isEmpty()) {
      out.writeArrayPropertyStart("fecBins");
      for (ErrorBin bin : device.fecBins()) {
        out.writeStartArray();
        out.writeNumber(bin.least());
        out.writeNumber(bin.most());
        out.writeEndArray();
      }
      out.writeEndArray();
    }
    out.writeEndObject();
  }

  private static void write(JsonGenerator out, Port port) {
    out.writeStartObject();
    out.writeStringProperty("device", port.id().device());
    out.writeStringProperty("name", port.id().port());
    if (port.speedBitsPerSecond() > 0) {
      out.writeNumberProperty("speedBitsPerSecond", port.speedBitsPerSecond());
    }
    if (port.lanes() > 0) {
      out.writeNumberProperty("lanes", port.lanes());
    }
    if (port.fec() != FecMode.UNKNOWN) {
      out.writeStringProperty("fec", port.fec().name());
    }
    if (port.media() != Media.UNKNOWN) {
      out.writeStringProperty("media", lower(port.media()));
    }
    writeText(out, "partNumber", port.partNumber());
    if (port.mtu() > 0) {
      out.writeNumberProperty("mtu", port.mtu());
    }
    out.writeStringProperty("admin", port.adminUp() ? "up" : "down");
    if (!port.aliases().isEmpty()) {
      out.writeArrayPropertyStart("aliases");
      port.aliases().forEach(out::writeString);
      out.writeEndArray();
    }
    out.writeEndObject();
  }

  private static void write(JsonGenerator out, Link link) {
    out.writeStartObject();
    write(out, "a", link.a());
    PortId b = link.b();
    if (b == null) {
      out.writeNullProperty("b");
    } else {
      write(out, "b", b);
    }
    out.writeStringProperty("tier", link.tier().label());
    writeNumber(out, "rail", link.rail());
    out.writeEndObject();
  }

  private static void write(JsonGenerator out, String field, PortId port) {
    out.writeObjectPropertyStart(field);
    out.writeStringProperty("device", port.device());
    out.writeStringProperty("port", port.port());
    out.writeEndObject();
  }

  private static void writeText(JsonGenerator out, String field, @Nullable String text) {
    if (text != null) {
      out.writeStringProperty(field, text);
    }
  }

  private static void writeNumber(JsonGenerator out, String field, @Nullable Integer number) {
    if (number != null) {
      out.writeNumberProperty(field, number);
    }
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** The role of that name; a switch where the name is none that is known. */
  static Role role(@Nullable String name) {
    return constant(Role.values(), name, Role.SWITCH);
  }

  /** The constant of that name in any case. */
  static <E extends Enum<E>> E constant(E[] known, @Nullable String name, E otherwise) {
    for (E constant : known) {
      if (constant.name().equalsIgnoreCase(name)) {
        return constant;
      }
    }
    return otherwise;
  }
}
