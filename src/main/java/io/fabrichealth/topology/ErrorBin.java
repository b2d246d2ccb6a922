package io.fabrichealth.topology;

/**
 * A bin of a device's histogram of codewords: those with that many corrected symbols.
 *
 * @param least 0 or more
 * @param most not less than that
 */
public record ErrorBin(int least, int most) {

  /**
   * @throws IllegalArgumentException where the two are no range
   */
  public ErrorBin {
    if (least < 0 || most < least) {
      throw new IllegalArgumentException("no range of errors: " + least + " to " + most);
    }
  }
}
