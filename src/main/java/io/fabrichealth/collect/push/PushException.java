package io.fabrichealth.collect.push;

/** What was sent is not taken; the message says why, and holds nothing of the body. */
public final class PushException extends Exception {
  private static final long serialVersionUID = 1;

  /** What the sender is to make of it. */
  public enum Code {
    /** It is not what it should be: sending it again does not help. */
    MALFORMED,
    /** It is larger than the limit. */
    TOO_LARGE,
    /** Another format or compression than those that are taken. */
    UNSUPPORTED,
    /** No room now: it is to be sent again later. Nothing was taken. */
    BUSY
  }

  private final Code code;

  PushException(Code code, String message) {
    super(message, null, false, false);
    this.code = code;
  }

  public Code code() {
    return code;
  }
}
