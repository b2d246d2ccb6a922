package io.fabrichealth.collective.recorder;

/** Nothing of the bytes is a dump; the message says at which byte, and what is wrong with it. */
public final class UnreadableDumpException extends Exception {
  private static final long serialVersionUID = 1L;

  public UnreadableDumpException(String message) {
    super(message);
  }
}
