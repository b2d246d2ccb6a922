package io.fabrichealth.incident;

import java.util.Locale;

/** How urgent an incident is: page, ticket, context. */
public enum Severity {
  CRITICAL,
  WARNING,
  INFO;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
