package io.fabrichealth.capture;

import org.jspecify.annotations.Nullable;

/** An end of a link or of a flow, as it is written: {@code {"device":…,"port":…}}. */
final class WrittenEnd {
  private final RecordFields fields;
  private @Nullable String device;
  private @Nullable String port;

  private WrittenEnd(RecordFields fields) {
    this.fields = fields;
  }

  static WrittenEnd read(RecordFields fields) {
    WrittenEnd end = new WrittenEnd(fields);
    fields.object(end::take);
    return end;
  }

  private void take(String field) {
    switch (field) {
      case "device" -> device = fields.name();
      case "port" -> port = fields.name();
      default -> fields.skip();
    }
  }

  @Nullable String device() {
    return device;
  }

  @Nullable String port() {
    return port;
  }
}
