package io.fabrichealth.detect.fec;

/** How errors are spread over codewords. */
public enum Shape {
  /** Independent errors of one ratio: noise. */
  NOISE(false),
  /** Independent errors of lanes that differ in their ratios. */
  LANES(false),
  /** Bursts of geometrically many errors, as a decision feedback equaliser makes them. */
  BURSTS(true),
  /** Noise, and bursts beside it. */
  NOISE_AND_BURSTS(true),
  /** Most codewords are good and a few are bad: errors come and go. */
  TWO_STATES(true),
  /** None of the others holds: the codewords with many errors were followed by themselves. */
  TAIL(true);

  private final boolean bursty;

  Shape(boolean bursty) {
    this.bursty = bursty;
  }

  /** Whether errors come together more than noise has them come. */
  public boolean isBursty() {
    return bursty;
  }
}
