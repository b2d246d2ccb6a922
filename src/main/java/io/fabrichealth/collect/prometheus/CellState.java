package io.fabrichealth.collect.prometheus;

import org.jspecify.annotations.Nullable;

/** What a page says of one metric of one port. */
enum CellState {
  ABSENT(null),
  OK(null),
  SATURATED(null),
  NOT_A_NUMBER("not a number"),
  NEGATIVE("negative"),
  TOO_LARGE("larger than 64 bits hold"),
  UNKNOWN("the device does not know it"),
  NO_LIGHT("no light"),
  OLD("the file that the exporter reads it from is old");

  private static final CellState[] ALL = values();

  private final @Nullable String reason;

  CellState(@Nullable String reason) {
    this.reason = reason;
  }

  static CellState of(byte ordinal) {
    return ALL[ordinal];
  }

  boolean hasValue() {
    return this == OK || this == SATURATED;
  }

  /** Why there is no value; null where there is one. */
  @Nullable String reason() {
    return reason;
  }
}
