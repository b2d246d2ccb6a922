package io.fabrichealth.collect;

import org.jspecify.annotations.Nullable;

/** A pass over a target failed; the message names device and protocol. */
public class CollectException extends Exception {
  private static final long serialVersionUID = 1;

  private final FailureCode code;

  public CollectException(FailureCode code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  public FailureCode code() {
    return code;
  }
}
