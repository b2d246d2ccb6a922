package io.fabrichealth.capture;

import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.topology.Scope;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** An {@link EngineInput.Maintenance} as the {@code maintenance} record of the capture format. */
final class MaintenanceJson {
  private final RecordFields fields;
  private @Nullable String id;
  private List<String> devices = List.of();
  private List<String> ports = List.of();
  private List<String> links = List.of();
  private @Nullable Instant startsAt;
  private @Nullable Instant endsAt;
  private String comment = "";

  MaintenanceJson(RecordFields fields) {
    this.fields = fields;
  }

  /** Takes the value of a field. */
  void read(String field) {
    switch (field) {
      case "id" -> id = fields.name();
      case "scope" -> fields.object(this::readScope);
      case "startsAt" -> startsAt = fields.time();
      case "endsAt" -> endsAt = fields.time();
      case "comment" -> {
        String text = fields.text();
        comment = text == null ? "" : text;
      }
      default -> fields.skip();
    }
  }

  private void readScope(String field) {
    switch (field) {
      case "devices" -> devices = fields.texts();
      case "ports" -> ports = fields.texts();
      case "links" -> links = fields.texts();
      default -> fields.skip();
    }
  }

  EngineInput.Maintenance maintenance(Instant at) throws InvalidRecordException {
    return new EngineInput.Maintenance(
        at,
        RecordFields.required(id, "id"),
        new Scope(devices, ports, links),
        RecordFields.required(startsAt, "startsAt"),
        RecordFields.required(endsAt, "endsAt"),
        comment);
  }

  /** Writes the fields into an object that is begun. */
  static void writeFields(JsonGenerator out, EngineInput.Maintenance window) {
    out.writeStringProperty("id", window.id());
    out.writeObjectPropertyStart("scope");
    writeIds(out, "devices", window.scope().devices());
    writeIds(out, "ports", window.scope().ports());
    writeIds(out, "links", window.scope().links());
    out.writeEndObject();
    out.writeStringProperty("startsAt", window.startsAt().toString());
    out.writeStringProperty("endsAt", window.endsAt().toString());
    out.writeStringProperty("comment", window.comment());
  }

  private static void writeIds(JsonGenerator out, String name, List<String> ids) {
    if (!ids.isEmpty()) {
      out.writeArrayPropertyStart(name);
      ids.forEach(out::writeString);
      out.writeEndArray();
    }
  }
}
