package io.fabrichealth.capture;

import io.fabrichealth.engine.EngineInput;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** An {@link EngineInput.Event} as the {@code event} record of the capture format. */
final class EventJson {
  private final RecordFields fields;
  private @Nullable String device;
  private @Nullable String port;
  private @Nullable String event;
  private String detail = "";

  EventJson(RecordFields fields) {
    this.fields = fields;
  }

  /** Takes the value of a field. */
  void read(String field) {
    switch (field) {
      case "device" -> device = fields.name();
      case "port" -> port = fields.name();
      case "event" -> event = fields.name();
      case "detail" -> {
        String text = fields.text();
        detail = text == null ? "" : text;
      }
      default -> fields.skip();
    }
  }

  EngineInput.Event event(Instant at) throws InvalidRecordException {
    return new EngineInput.Event(
        at,
        RecordFields.required(device, "device"),
        port,
        RecordFields.required(event, "event"),
        detail);
  }

  /** Writes the fields into an object that is begun. */
  static void writeFields(JsonGenerator out, EngineInput.Event event) {
    out.writeStringProperty("device", event.device());
    if (event.port() != null) {
      out.writeStringProperty("port", event.port());
    }
    out.writeStringProperty("event", event.event());
    out.writeStringProperty("detail", event.detail());
  }
}
