package io.fabrichealth.collect.wiring;

/** A document that is not of the form that it should be; nothing of it was taken. */
public final class WiringFormatException extends Exception {
  private static final long serialVersionUID = 1;

  private final int line;

  /**
   * @param line from 1; 0 where unknown
   */
  public WiringFormatException(int line, String problem) {
    super(problem);
    this.line = line;
  }

  /** From 1; 0 where unknown. */
  public int line() {
    return line;
  }
}
