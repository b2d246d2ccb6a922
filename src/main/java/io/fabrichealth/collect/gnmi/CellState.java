package io.fabrichealth.collect.gnmi;

import org.jspecify.annotations.Nullable;

/** What is known of one value of a device. */
enum CellState {
  /** It never told. */
  NONE(null),
  VALUE(null),
  NOT_AVAILABLE("the device says not available"),
  /** Power that is none, as a logarithm. */
  NO_LIGHT("no light"),
  NOT_A_NUMBER("not a number"),
  NEGATIVE("a counter below 0"),
  UNKNOWN_STATE("a state that is not known"),
  OTHER_TYPE("a value of another type"),
  DELETED("the device deleted it"),
  SWEPT("not told again since the connection was made anew");

  private final @Nullable String reason;

  CellState(@Nullable String reason) {
    this.reason = reason;
  }

  @Nullable String reason() {
    return reason;
  }

  /** Whether the device tells something, even if it is nothing usable. */
  boolean isTold() {
    return this != NONE && this != DELETED && this != SWEPT;
  }

  boolean hasValue() {
    return this == VALUE;
  }
}
