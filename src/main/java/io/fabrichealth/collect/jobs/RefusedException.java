package io.fabrichealth.collect.jobs;

import java.io.IOException;

/** A file is larger, or made otherwise, than is read here; the message says how. */
final class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  RefusedException(String message) {
    super(message);
  }
}
