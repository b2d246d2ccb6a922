package io.fabrichealth.collective;

/** How far an operation was, as the recorder noticed. */
public enum EntryState {
  SCHEDULED,
  STARTED,
  COMPLETED,
  /** The dump does not say, or says a word that is not known. */
  UNKNOWN
}
