package io.fabrichealth.collect;

/** Why a pass over a target failed, wholly or in part. */
public enum FailureCode {
  /** No answer in time. */
  TIMEOUT,
  /** Nobody listens, or the network says no. */
  UNREACHABLE,
  /** Name of the target cannot be resolved. */
  UNKNOWN_HOST,
  /** Credentials are refused. */
  AUTHENTICATION,
  /** The answer is not what the protocol allows. */
  MALFORMED,
  /** The answer is larger than the limit. */
  TOO_LARGE,
  /** An HTTP status other than 200. */
  HTTP_STATUS,
  /** TLS could not be set up. */
  TLS,
  /** The pass ended early; what was read is good. */
  PARTIAL,
  /** Not tried: the target is in back-off after failures. */
  BACK_OFF,
  /** A fault of ours. */
  INTERNAL
}
