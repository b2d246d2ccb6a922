package io.fabrichealth.collect.gnmi;

import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.FailureCode;
import io.grpc.Status;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** What the end of a call means. */
final class Failures {
  private static final int LONGEST = 300;

  private Failures() {}

  static Problem problem(String device, Status status) {
    Throwable root = root(status.getCause());
    String text = status.getDescription();
    String why =
        "%s: %s%s%s"
            .formatted(
                device,
                status.getCode(),
                text == null ? "" : ": " + Texts.clean(text, LONGEST),
                root == null
                    ? ""
                    : " (" + Texts.clean(String.valueOf(root.getMessage()), LONGEST) + ")");
    return new Problem(code(status, root), why);
  }

  private static FailureCode code(Status status, @Nullable Throwable root) {
    if (isOf(status.getCause(), SSLException.class)
        || isOf(status.getCause(), GeneralSecurityException.class)) {
      return FailureCode.TLS;
    }
    return switch (status.getCode()) {
      case UNAUTHENTICATED, PERMISSION_DENIED -> FailureCode.AUTHENTICATION;
      case DEADLINE_EXCEEDED -> FailureCode.TIMEOUT;
      case RESOURCE_EXHAUSTED -> FailureCode.TOO_LARGE;
      case UNAVAILABLE ->
          root instanceof UnknownHostException ? FailureCode.UNKNOWN_HOST : FailureCode.UNREACHABLE;
      case INTERNAL, UNKNOWN ->
          root instanceof ConnectException || root instanceof NoRouteToHostException
              ? FailureCode.UNREACHABLE
              : FailureCode.MALFORMED;
      case OK,
          CANCELLED,
          INVALID_ARGUMENT,
          NOT_FOUND,
          ALREADY_EXISTS,
          FAILED_PRECONDITION,
          ABORTED,
          OUT_OF_RANGE,
          UNIMPLEMENTED,
          DATA_LOSS ->
          FailureCode.MALFORMED;
    };
  }

  /** Whether the device says that it has no such path, or not in this mode. */
  static boolean isRefusal(Status status) {
    return switch (status.getCode()) {
      case INVALID_ARGUMENT, NOT_FOUND, UNIMPLEMENTED, OUT_OF_RANGE, FAILED_PRECONDITION, UNKNOWN ->
          true;
      case OK,
          CANCELLED,
          DEADLINE_EXCEEDED,
          ALREADY_EXISTS,
          PERMISSION_DENIED,
          RESOURCE_EXHAUSTED,
          ABORTED,
          INTERNAL,
          UNAVAILABLE,
          DATA_LOSS,
          UNAUTHENTICATED ->
          false;
    };
  }

  private static boolean isOf(@Nullable Throwable thrown, Class<? extends Throwable> type) {
    Throwable each = thrown;
    for (int depth = 0; each != null && depth < 10; depth++) {
      if (type.isInstance(each)) {
        return true;
      }
      each = each.getCause();
    }
    return false;
  }

  private static @Nullable Throwable root(@Nullable Throwable thrown) {
    Throwable root = thrown;
    for (int depth = 0; root != null && root.getCause() != null && depth < 10; depth++) {
      root = root.getCause();
    }
    return root;
  }
}
