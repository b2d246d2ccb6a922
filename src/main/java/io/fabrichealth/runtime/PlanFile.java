package io.fabrichealth.runtime;

import io.fabrichealth.capture.TopologyJson;
import io.fabrichealth.topology.Fabric;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
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
      TopologyJson.writeFields(json, plan);
      json.writeEndObject();
    }
  }
}
