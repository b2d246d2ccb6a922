package io.fabrichealth.topology;

/** What the signal runs through; decides which error-rate limits hold (copper is held stricter). */
public enum Media {
  OPTICAL,
  AOC,
  DAC,
  AEC,
  BACKPLANE,
  UNKNOWN
}
