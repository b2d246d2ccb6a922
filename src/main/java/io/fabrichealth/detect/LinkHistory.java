package io.fabrichealth.detect;

/**
 * What the port as a whole showed in the last hour, and how warm its module was: a step stands out
 * of it, the course of a day does not.
 *
 * @param usual logarithm of the ratio; 0 before the first reading
 * @param temperature of the module in degrees Celsius; {@link #UNKNOWN} where it is not known
 * @param seconds how long that was learned
 * @param readings of which it was learned, counted to 100
 * @param polls for how many polls the ratio has been higher than usual
 */
record LinkHistory(double usual, double temperature, double seconds, int readings, int polls) {
  /** Colder than anything is. */
  static final double UNKNOWN = -300;

  static final LinkHistory NONE = new LinkHistory(0, UNKNOWN, 0, 0, 0);

  private static final double RISEN = Math.log(4);
  private static final double SLOWLY = .02;

  /**
   * One poll.
   *
   * @param remembered ratio of the last minute
   * @param read ratio of this poll alone
   * @param celsius of the module; NaN where this poll does not tell
   */
  LinkHistory next(
      double remembered,
      double read,
      double celsius,
      double elapsed,
      double memory,
      double rareRatio) {
    double log = Math.log(Math.max(remembered, rareRatio));
    if (readings == 0) {
      return new LinkHistory(log, Double.isNaN(celsius) ? UNKNOWN : celsius, 0, 1, 0);
    }
    double age = Math.min(seconds + elapsed, memory);
    double share = age > 0 ? Math.min(1, elapsed / age) : 1;
    double rise = log - usual;
    boolean risen = Math.min(rise, Math.log(Math.max(read, rareRatio)) - usual) > RISEN;
    double follows = share * (rise > RISEN ? SLOWLY : 1);
    double warmth =
        Double.isNaN(celsius)
            ? temperature
            : temperature == UNKNOWN ? celsius : temperature + (celsius - temperature) * follows;
    return new LinkHistory(
        usual + rise * follows,
        warmth,
        age,
        Math.min(readings + 1, 100),
        risen ? Math.min(polls + 1, 100) : 0);
  }

  /** The ratio that is to be expected at this temperature of the module. */
  double expected(double celsius, double decadesPerKelvin, double mostDecades) {
    boolean known = temperature > UNKNOWN && celsius > UNKNOWN;
    double warmer = known ? Math.max(0, celsius - temperature) : 0;
    return Math.exp(usual) * Math.pow(10, Math.min(mostDecades, warmer * decadesPerKelvin));
  }
}
