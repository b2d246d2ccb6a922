package io.fabrichealth.finding;

import java.util.Locale;

/** What an observation was held against. */
public enum Reference {
  HISTORY,
  PEERS,
  LIMIT,
  PATH,
  COLLECTIVE;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
