package io.fabrichealth.collect.infiniband;

/** A format in which tools print the nodes and links of a subnet, read line by line. */
interface TopologyText {

  /**
   * Takes the next line.
   *
   * @param number from 1
   */
  void line(String line, int number);

  /** After the last line. */
  void end();
}
