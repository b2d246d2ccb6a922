package io.fabrichealth.runtime;

import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Tier;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes a plan as {@link TopologyFile} reads it. */
final class PlanFile {
  private static final JsonFactory JSON = new JsonFactory();

  private PlanFile() {}

  /**
   * Replaces the file as a whole, or not at all.
   *
   * @throws IOException where the disk says so
   */
  static void write(Fabric plan, Path file) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try (OutputStream out = Files.newOutputStream(fresh)) {
      write(plan, out);
    }
    try (FileChannel written = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
      // A file that is renamed before it is on the disk may be empty after a power cut.
      written.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void write(Fabric plan, OutputStream out) {
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      json.writeStringProperty("type", "topology");
      json.writeArrayPropertyStart("devices");
      plan.devices().forEach(device -> write(device, json));
      json.writeEndArray();
      json.writeArrayPropertyStart("ports");
      plan.ports().forEach(port -> write(port, json));
      json.writeEndArray();
      json.writeArrayPropertyStart("links");
      plan.links().forEach(link -> write(link, json));
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  private static void write(Device device, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("name", device.name());
    json.writeStringProperty("role", device.role().name().toLowerCase(Locale.ROOT));
    text("vendor", device.vendor(), json);
    text("model", device.model(), json);
    number("rail", device.rail(), json);
    number("plane", device.plane(), json);
    if (!device.counterBits().isEmpty()) {
      json.writeObjectPropertyStart("counterBits");
      device.counterBits().forEach(json::writeNumberProperty);
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private static void write(Port port, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("device", port.id().device());
    json.writeStringProperty("name", port.id().port());
    if (port.speedBitsPerSecond() > 0) {
      json.writeNumberProperty("speedBitsPerSecond", port.speedBitsPerSecond());
    }
    if (port.lanes() > 0) {
      json.writeNumberProperty("lanes", port.lanes());
    }
    if (port.fec() != FecMode.UNKNOWN) {
      json.writeStringProperty("fec", port.fec().name());
    }
    if (port.media() != Media.UNKNOWN) {
      json.writeStringProperty("media", port.media().name().toLowerCase(Locale.ROOT));
    }
    text("partNumber", port.partNumber(), json);
    if (port.mtu() > 0) {
      json.writeNumberProperty("mtu", port.mtu());
    }
    json.writeStringProperty("admin", port.adminUp() ? "up" : "down");
    if (!port.aliases().isEmpty()) {
      json.writeArrayPropertyStart("aliases");
      port.aliases().forEach(json::writeString);
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private static void write(Link link, JsonGenerator json) {
    json.writeStartObject();
    end("a", link.a(), json);
    PortId b = link.b();
    if (b != null) {
      end("b", b, json);
    }
    if (link.tier() != Tier.OTHER) {
      json.writeStringProperty("tier", link.tier().label());
    }
    number("rail", link.rail(), json);
    json.writeEndObject();
  }

  private static void end(String key, PortId port, JsonGenerator json) {
    json.writeObjectPropertyStart(key);
    json.writeStringProperty("device", port.device());
    json.writeStringProperty("port", port.port());
    json.writeEndObject();
  }

  private static void text(String key, @Nullable String value, JsonGenerator json) {
    if (value != null) {
      json.writeStringProperty(key, value);
    }
  }

  private static void number(String key, @Nullable Integer value, JsonGenerator json) {
    if (value != null) {
      json.writeNumberProperty(key, value);
    }
  }
}
