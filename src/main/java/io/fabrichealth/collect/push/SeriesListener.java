package io.fabrichealth.collect.push;

import io.fabrichealth.collect.scrape.SeriesLabels;

/** Takes what a decoder finds. */
interface SeriesListener {

  /**
   * A series begins.
   *
   * @param labels good only during the call
   * @param samples how many of it there are
   * @return whether they are wanted
   */
  boolean series(SeriesLabels labels, int samples);

  /**
   * A sample of the series that is wanted.
   *
   * @param bits of a double
   * @param millis since 1970
   */
  void sample(long bits, long millis);

  /** What came is left out. */
  void refused(Refusal why, int samples);
}
