package io.fabrichealth.finding;

import java.util.Locale;

/** What a finding, verdict or incident is about. */
public enum SubjectType {
  LINK,
  PORT,
  LANE,
  FABRIC,
  SWITCH,
  HOST,
  RANK,
  JOB,
  PAUSE_DOMAIN,
  SHARED_COMPONENT,
  ROUTE;

  /** The name in captures, answers and labels, for example {@code pause_domain}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
