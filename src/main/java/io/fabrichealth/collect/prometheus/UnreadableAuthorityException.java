package io.fabrichealth.collect.prometheus;

import java.io.IOException;

/** The file of the authority to trust cannot be used; the message names it. */
final class UnreadableAuthorityException extends IOException {
  private static final long serialVersionUID = 1;

  UnreadableAuthorityException(String file, Exception cause) {
    super("the CA file " + file + " cannot be used: " + cause.getMessage(), cause);
  }
}
