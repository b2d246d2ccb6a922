package io.fabrichealth.simulate;

/** One lane of one direction of a link, as its receiver sees it. */
final class Lane {
  /** Line rate of a lane with the overhead of the code. */
  static final double BITS_PER_SECOND = 106.25e9;

  private double bitErrorRatio;
  private double receivedDbm;
  private long correctedBits;

  Lane(double bitErrorRatio, double receivedDbm) {
    this.bitErrorRatio = bitErrorRatio;
    this.receivedDbm = receivedDbm;
  }

  void advance(double seconds, double factor, Draws draws) {
    correctedBits += draws.poisson(BITS_PER_SECOND * seconds * bitErrorRatio * factor);
  }

  void setBitErrorRatio(double ratio) {
    bitErrorRatio = ratio;
  }

  void attenuate(double decibels) {
    receivedDbm -= decibels;
  }

  double bitErrorRatio() {
    return bitErrorRatio;
  }

  /** True optical power at the receiver. */
  double receivedDbm() {
    return receivedDbm;
  }

  long correctedBits() {
    return correctedBits;
  }
}
