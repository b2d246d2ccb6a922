package io.fabrichealth.topology;

/** What two ends of a link, or plan and reality, can disagree on. */
public enum PortProperty {
  SPEED_BITS_PER_SECOND,
  LANES,
  FEC,
  MTU_BYTES
}
