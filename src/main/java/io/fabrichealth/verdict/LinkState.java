package io.fabrichealth.verdict;

/** The state of a link, or of another subject of a verdict. */
public enum LinkState {
  HEALTHY,
  /** Probability from .50. */
  SUSPECT,
  /** Probability from .95, and as long as its incident is open. */
  DEGRADED,
  /** Down without flapping. */
  DOWN,
  /** Not read well enough to say. Never the same as healthy. */
  UNKNOWN
}
