package io.fabrichealth.api;

import io.fabrichealth.api.ApiProblem.Kind;
import io.fabrichealth.api.ApiProblem.Violation;
import io.fabrichealth.incident.Incidents;
import jakarta.validation.Validator;
import java.net.URI;
import java.util.List;
import java.util.stream.Stream;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.TransactionException;
import org.springframework.validation.beanvalidation.SpringValidatorAdapter;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/** Turns whatever goes wrong in a request into an RFC 9457 problem with a stable type and code. */
@RestControllerAdvice
class ApiProblems extends ResponseEntityExceptionHandler {
  private static final String TYPES = "https://fabrichealth.io/problems/";
  private static final String RETRY_AFTER_SECONDS = "10";
  private static final String RETRY_WHEN_BUSY_SECONDS = "2";
  private static final Logger log = LoggerFactory.getLogger(ApiProblems.class);

  private final SpringValidatorAdapter validator;

  ApiProblems(Validator validator) {
    this.validator = new SpringValidatorAdapter(validator);
  }

  /**
   * Boot's own adapter cannot check single values, so that one value that cannot be converted would
   * hide what is wrong with the others.
   */
  @InitBinder
  void checkEachValue(WebDataBinder binder) {
    binder.setValidator(validator);
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> problem(ApiProblem problem) {
    ResponseEntity<ProblemDetail> answer =
        answer(
            problem.kind(), problem.kind().status(), String.valueOf(problem.getMessage()), problem);
    return problem.kind() == Kind.BUSY ? toRetry(answer, RETRY_WHEN_BUSY_SECONDS) : answer;
  }

  private static ResponseEntity<ProblemDetail> toRetry(
      ResponseEntity<ProblemDetail> answer, String afterSeconds) {
    return ResponseEntity.status(answer.getStatusCode())
        .headers(answer.getHeaders())
        .header(HttpHeaders.RETRY_AFTER, afterSeconds)
        .body(answer.getBody());
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> cursor(
      Incidents.InvalidCursorException problem, WebRequest request) {
    String[] given = request.getParameterValues("cursor");
    return problem(ApiProblem.invalidCursor(given == null ? "" : given[0]));
  }

  /** A parameter that Tomcat cannot decode, or one too many. */
  @ExceptionHandler
  ResponseEntity<ProblemDetail> undecodable(InvalidParameterException fault) {
    return answer(
        Kind.BAD_REQUEST,
        fault.getErrorCode(),
        "The parameters of the request cannot be decoded; they must be percent-encoded UTF-8.",
        null);
  }

  /**
   * What is not in memory cannot be read while the database is away. A statement that it refuses is
   * a fault of ours, not its absence. Counted by its status like any other.
   */
  @ExceptionHandler({DataAccessException.class, TransactionException.class})
  ResponseEntity<ProblemDetail> databaseAway(RuntimeException fault, WebRequest request) {
    if (fault instanceof InvalidDataAccessApiUsageException
        || fault instanceof InvalidDataAccessResourceUsageException) {
      return unexpected(fault, request);
    }
    log.warn(
        "request refused request=\"{}\" reason=database-unavailable detail=\"{}\"",
        request.getDescription(false),
        NestedExceptionUtils.getMostSpecificCause(fault).toString());
    ResponseEntity<ProblemDetail> answer =
        answer(
            Kind.DATABASE_UNAVAILABLE,
            Kind.DATABASE_UNAVAILABLE.status(),
            "The database does not answer; incidents of the past are not to be had until it does."
                + " Those that are open are: ask for state=OPEN or ACKNOWLEDGED.",
            null);
    return toRetry(answer, RETRY_AFTER_SECONDS);
  }

  /** The request is counted by its status in {@code http_server_requests_seconds}. */
  @ExceptionHandler
  ResponseEntity<ProblemDetail> unexpected(Exception fault, WebRequest request) {
    log.error("request failed request=\"{}\"", request.getDescription(false), fault);
    return answer(Kind.INTERNAL_ERROR, 500, "The request failed by a fault of the service.", null);
  }

  @Override
  protected ResponseEntity<Object> handleMethodArgumentNotValid(
      MethodArgumentNotValidException fault,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    Class<?> type = fault.getParameter().getParameterType();
    List<Violation> violations =
        fault.getFieldErrors().stream()
            .flatMap(error -> RequestProblems.violations(type, error))
            .distinct()
            .toList();
    ApiProblem problem = ApiProblem.invalidParameters(violations);
    return asObject(problem(problem), headers);
  }

  @Override
  protected ResponseEntity<Object> handleExceptionInternal(
      Exception fault,
      @Nullable Object body,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    Kind kind = Kind.of(status.value());
    if (kind == Kind.INTERNAL_ERROR) {
      return asObject(unexpected(fault, request), headers);
    }
    return asObject(answer(kind, status.value(), detail(kind, body), null), headers);
  }

  /** The same for errors that never reach a controller. */
  static ResponseEntity<ProblemDetail> ofStatus(int status) {
    Kind kind = Kind.of(status);
    return answer(kind, status, detail(kind, null), null);
  }

  private static String detail(Kind kind, @Nullable Object body) {
    return switch (kind) {
      case UNKNOWN_PATH ->
          "Nothing is served under this path; ids in a path must be percent-encoded.";
      case NOT_ACCEPTABLE -> "Answers are application/json; the Accept header does not allow that.";
      case INTERNAL_ERROR, DATABASE_UNAVAILABLE, BUSY ->
          "The request failed by a fault of the service.";
      case INVALID_PARAMETER,
          INVALID_CURSOR,
          INVALID_BODY,
          BAD_REQUEST,
          UNKNOWN_ID,
          METHOD_NOT_ALLOWED,
          PLAN_IS_CONFIGURED,
          INCIDENT_IS_RESOLVED,
          PRECONDITION_FAILED,
          PRECONDITION_REQUIRED,
          TOO_LARGE,
          UNSUPPORTED_MEDIA_TYPE,
          UNUSABLE_READINGS,
          UNUSABLE_ROSTER,
          UNUSABLE_UPLOAD ->
          body instanceof ProblemDetail given && given.getDetail() != null
              ? given.getDetail()
              : "The request could not be understood.";
    };
  }

  private static ResponseEntity<ProblemDetail> answer(
      Kind kind, int status, String detail, @Nullable ApiProblem problem) {
    ProblemDetail body = ProblemDetail.forStatusAndDetail(HttpStatusCode.valueOf(status), detail);
    body.setType(URI.create(TYPES + kind.slug()));
    body.setTitle(kind.title());
    body.setProperty("code", kind.slug());
    body.setProperty("errors", problem == null ? List.of() : problem.errors());
    return ResponseEntity.status(status).contentType(MediaType.APPLICATION_PROBLEM_JSON).body(body);
  }

  private static ResponseEntity<Object> asObject(
      ResponseEntity<ProblemDetail> answer, HttpHeaders headers) {
    HttpHeaders all = new HttpHeaders();
    Stream.of(headers, answer.getHeaders()).forEach(all::putAll);
    return new ResponseEntity<>(answer.getBody(), all, answer.getStatusCode());
  }
}
