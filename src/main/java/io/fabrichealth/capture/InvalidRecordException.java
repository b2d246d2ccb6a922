package io.fabrichealth.capture;

/** A line holds no record that can be used; the message says why. */
final class InvalidRecordException extends Exception {
  private static final long serialVersionUID = 1;

  InvalidRecordException(String message) {
    super(message, null, false, false);
  }
}
