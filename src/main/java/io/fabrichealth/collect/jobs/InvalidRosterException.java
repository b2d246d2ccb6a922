package io.fabrichealth.collect.jobs;

/** A roster that cannot be used; the message says which part, and what is expected. */
public final class InvalidRosterException extends Exception {
  private static final long serialVersionUID = 1L;

  InvalidRosterException(String message) {
    super(message);
  }
}
