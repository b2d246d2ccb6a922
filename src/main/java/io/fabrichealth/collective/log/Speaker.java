package io.fabrichealth.collective.log;

import org.jspecify.annotations.Nullable;

/**
 * Who prints: one rank, a host with several, or the launcher, as far as the prefixes of its lines
 * tell. The rank may become known after the first lines.
 */
final class Speaker {
  static final int UNKNOWN = -1;

  private final @Nullable Speaker process;
  private final int told;
  private final boolean isSure;
  private int learned = UNKNOWN;
  private boolean isAmbiguous;

  /**
   * @param process whom the launcher's prefix alone names; null where this is that one
   * @param told the rank in the prefix, or {@link #UNKNOWN}
   * @param isSure false of a label that may be a task's with several ranks
   */
  Speaker(@Nullable Speaker process, int told, boolean isSure) {
    this.process = process;
    this.told = told;
    this.isSure = isSure;
    if (process != null && told != UNKNOWN && isSure) {
      process.learn(told);
    }
  }

  private void learn(int rank) {
    isAmbiguous |= learned != UNKNOWN && learned != rank;
    learned = rank;
  }

  /** The global rank; asked at the end of the log, when all has been learned. */
  int rank() {
    if (isSure && told != UNKNOWN) {
      return told;
    }
    Speaker known = process == null ? this : process;
    if (known.isAmbiguous) {
      return UNKNOWN;
    }
    return known.learned == UNKNOWN ? told : known.learned;
  }
}
