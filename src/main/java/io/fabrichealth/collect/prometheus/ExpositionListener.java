package io.fabrichealth.collect.prometheus;

/** Takes what {@link ExpositionParser} finds; bytes and lines are good only during the call. */
interface ExpositionListener {

  /**
   * Number of a metric that is wanted, 0 or more; -1 for one that is not.
   *
   * @param hash of the name, as {@link ByteNames#hash} gives it
   */
  int metric(byte[] text, int from, int to, int hash);

  /** A TYPE line: what the samples of a metric family are. */
  void type(byte[] text, int nameFrom, int nameTo, int typeFrom, int typeTo);

  /** A good sample of a wanted metric. */
  void sample(int metric, SampleLine line);

  /** A line that cannot be read, and what was expected. */
  void bad(long line, byte[] text, int from, int to, String expected);
}
