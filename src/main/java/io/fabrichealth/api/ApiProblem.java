package io.fabrichealth.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request cannot be answered; becomes an RFC 9457 problem. */
final class ApiProblem extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Kind kind;
  private final transient List<Violation> errors;

  ApiProblem(Kind kind, String detail, List<Violation> errors) {
    super(detail, null, false, false);
    this.kind = kind;
    this.errors = List.copyOf(errors);
  }

  static ApiProblem unknownId(String what, String id) {
    return new ApiProblem(
        Kind.UNKNOWN_ID, "There is no %s '%s'.".formatted(what, abridged(id)), List.of());
  }

  static ApiProblem invalidParameter(Violation violation) {
    return invalidParameters(List.of(violation));
  }

  static ApiProblem invalidParameters(List<Violation> violations) {
    String detail =
        violations.size() == 1
            ? "A parameter of the request is not valid; 'errors' names it."
            : "%d parameters of the request are not valid; 'errors' names them."
                .formatted(violations.size());
    return new ApiProblem(Kind.INVALID_PARAMETER, detail, violations);
  }

  static ApiProblem invalidCursor(String cursor) {
    return new ApiProblem(
        Kind.INVALID_CURSOR,
        "The cursor was not given by this service for this list and these filters.",
        List.of(
            new Violation(
                "cursor",
                abridged(cursor),
                "must be the nextCursor of a page of the same list, filters and sort",
                null)));
  }

  /** Input echoed in an answer is kept short. */
  static String abridged(String input) {
    return input.length() <= 200 ? input : input.substring(0, 200) + "…";
  }

  Kind kind() {
    return kind;
  }

  List<Violation> errors() {
    return errors;
  }

  /**
   * One parameter that is at fault.
   *
   * @param value what was given; null where it was not given at all
   * @param detail what is wrong, in a sentence without its subject
   * @param allowed all values that are allowed; null where they cannot be listed
   */
  record Violation(
      String parameter, @Nullable String value, String detail, @Nullable List<String> allowed) {}

  /** The problems there are; {@code docs/problems/} has a page for each. */
  enum Kind {
    INVALID_PARAMETER(400, "invalid-parameter", "Invalid parameter"),
    INVALID_CURSOR(400, "invalid-cursor", "Invalid cursor"),
    INVALID_BODY(400, "invalid-body", "Invalid body"),
    BAD_REQUEST(400, "bad-request", "Bad request"),
    UNKNOWN_ID(404, "unknown-id", "Unknown id"),
    UNKNOWN_PATH(404, "unknown-path", "Unknown path"),
    METHOD_NOT_ALLOWED(405, "method-not-allowed", "Method not allowed"),
    NOT_ACCEPTABLE(406, "not-acceptable", "Not acceptable"),
    PLAN_IS_CONFIGURED(409, "plan-is-configured", "Plan is configured"),
    INCIDENT_IS_RESOLVED(409, "incident-is-resolved", "Incident is resolved"),
    PRECONDITION_FAILED(412, "precondition-failed", "Precondition failed"),
    TOO_LARGE(413, "too-large", "Too large"),
    UNSUPPORTED_MEDIA_TYPE(415, "unsupported-media-type", "Unsupported media type"),
    UNUSABLE_READINGS(422, "unusable-readings", "Unusable readings"),
    UNUSABLE_ROSTER(422, "unusable-roster", "Unusable roster"),
    UNUSABLE_UPLOAD(422, "unusable-upload", "Unusable upload"),
    PRECONDITION_REQUIRED(428, "precondition-required", "Precondition required"),
    INTERNAL_ERROR(500, "internal-error", "Internal error"),
    BUSY(503, "busy", "Busy"),
    DATABASE_UNAVAILABLE(503, "database-unavailable", "Database unavailable");

    private final int status;
    private final String slug;
    private final String title;

    Kind(int status, String slug, String title) {
      this.status = status;
      this.slug = slug;
      this.title = title;
    }

    /** The kind for a status that the framework chose. */
    static Kind of(int status) {
      return switch (status) {
        case 404 -> UNKNOWN_PATH;
        case 405 -> METHOD_NOT_ALLOWED;
        case 406 -> NOT_ACCEPTABLE;
        case 413 -> TOO_LARGE;
        case 415 -> UNSUPPORTED_MEDIA_TYPE;
        default -> status < 500 ? BAD_REQUEST : INTERNAL_ERROR;
      };
    }

    int status() {
      return status;
    }

    String slug() {
      return slug;
    }

    String title() {
      return title;
    }
  }
}
