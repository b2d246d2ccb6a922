package io.fabrichealth.store;

import org.jspecify.annotations.Nullable;

/** Storage cannot start; the message says why and {@link #action} what to do. */
public class StorageStartException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String action;

  public StorageStartException(String message, String action) {
    this(message, action, null);
  }

  public StorageStartException(String message, String action, @Nullable Throwable cause) {
    super(message, cause);
    this.action = action;
  }

  public String action() {
    return action;
  }
}
