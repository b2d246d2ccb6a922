package io.fabrichealth.incident;

import org.jspecify.annotations.Nullable;

/** What somebody says of an incident. */
public sealed interface Decision {
  /** Name of the person, not blank. */
  String by();

  /** In the person's words; null where there are none. */
  @Nullable String comment();

  /** Somebody looks after it. */
  record Acknowledgement(String by, @Nullable String comment) implements Decision {}

  /**
   * It is over.
   *
   * @param reason one that people give
   */
  record End(String by, Resolution reason, @Nullable String comment) implements Decision {}
}
