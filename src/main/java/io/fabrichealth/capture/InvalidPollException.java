package io.fabrichealth.capture;

import org.jspecify.annotations.Nullable;

/** An object is no poll; names the field at fault, and what was expected. */
public final class InvalidPollException extends Exception {
  private static final long serialVersionUID = 1;

  private final String field;
  private final @Nullable String device;
  private final String expected;

  InvalidPollException(String field, @Nullable String device, String expected) {
    super(
        "%s%s: expected %s"
            .formatted(
                device == null ? "" : "device '" + device + "': ",
                field.isEmpty() ? "the record" : "field '" + field + "'",
                expected),
        null,
        false,
        false);
    this.field = field;
    this.device = device;
    this.expected = expected;
  }

  /** Name of the field; empty where it is the object itself. */
  public String field() {
    return field;
  }

  /** The device that the object names; null where it names none. */
  public @Nullable String device() {
    return device;
  }

  /** What should have stood there, and what did where that is short. */
  public String expected() {
    return expected;
  }
}
