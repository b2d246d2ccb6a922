package io.fabrichealth.capture;

/** A file is no capture, or one of a version that is not known; the message says which. */
public final class InvalidCaptureException extends Exception {
  private static final long serialVersionUID = 1;

  InvalidCaptureException(String message) {
    super(message);
  }
}
