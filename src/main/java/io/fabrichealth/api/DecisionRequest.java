package io.fabrichealth.api;

import io.fabrichealth.api.ApiProblem.Kind;
import io.fabrichealth.api.ApiProblem.Violation;
import io.fabrichealth.incident.Decision;
import io.fabrichealth.incident.Resolution;
import io.swagger.v3.oas.annotations.media.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What somebody says of an incident, as the body of a request. */
final class DecisionRequest {
  private static final int MOST_BYTES = 64 << 10;
  private static final int LONGEST_NAME = 200;
  private static final int LONGEST_COMMENT = 2_000;
  private static final String BY = "by";
  private static final String REASON = "reason";
  private static final String COMMENT = "comment";
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final JsonNode body;
  private final List<Violation> violations = new ArrayList<>();

  private DecisionRequest(JsonNode body) {
    this.body = body;
  }

  /** The body of an acknowledgement. */
  @Schema(name = "AcknowledgementRequest")
  record Acknowledging(
      @Schema(description = "who says so", minLength = 1, maxLength = LONGEST_NAME) String by,
      @Schema(maxLength = LONGEST_COMMENT) @Nullable String comment) {}

  /** The body of a resolution. */
  @Schema(name = "ResolutionRequest")
  record Resolving(
      @Schema(description = "who says so", minLength = 1, maxLength = LONGEST_NAME) String by,
      @Schema(allowableValues = {"REPAIRED", "FALSE_ALARM", "ACCEPTED"}) Resolution reason,
      @Schema(maxLength = LONGEST_COMMENT) @Nullable String comment) {}

  static Decision acknowledgement(InputStream body) throws IOException {
    DecisionRequest request = read(body, Set.of(BY, COMMENT));
    String by = request.by();
    String comment = request.comment();
    request.check();
    return new Decision.Acknowledgement(by, comment);
  }

  static Decision resolution(InputStream body) throws IOException {
    DecisionRequest request = read(body, Set.of(BY, REASON, COMMENT));
    String by = request.by();
    String comment = request.comment();
    Resolution reason = request.reason();
    request.check();
    return new Decision.End(by, reason, comment);
  }

  private static DecisionRequest read(InputStream in, Set<String> known) throws IOException {
    byte[] bytes = WholeRequest.read(in, MOST_BYTES, "The body of a decision");
    JsonNode body;
    try {
      body = JSON.readTree(bytes);
    } catch (JacksonException e) {
      throw new ApiProblem(
          Kind.BAD_REQUEST,
          "The body is no JSON: " + ApiProblem.abridged(String.valueOf(e.getOriginalMessage())),
          List.of());
    }
    if (!body.isObject()) {
      throw new ApiProblem(Kind.BAD_REQUEST, "The body must be a JSON object.", List.of());
    }
    DecisionRequest request = new DecisionRequest(body);
    for (String name : body.propertyNames()) {
      if (!known.contains(name)) {
        request.reject(
            ApiProblem.abridged(name),
            null,
            "is not known here",
            List.copyOf(new TreeSet<>(known)));
      }
    }
    return request;
  }

  private String by() {
    String by = text(BY, LONGEST_NAME);
    if (by == null || by.isBlank()) {
      reject(BY, by, "must name the person who says so", null);
      return "";
    }
    if (by.chars().anyMatch(Character::isISOControl)) {
      reject(BY, by, "must be one line", null);
    }
    return by.strip();
  }

  private @Nullable String comment() {
    String comment = text(COMMENT, LONGEST_COMMENT);
    return comment == null || comment.isBlank() ? null : comment.strip();
  }

  private Resolution reason() {
    List<String> allowed =
        Arrays.stream(Resolution.values())
            .filter(Resolution::isByHand)
            .map(Resolution::name)
            .toList();
    String given = text(REASON, LONGEST_NAME);
    if (given != null && allowed.contains(given)) {
      return Resolution.valueOf(given);
    }
    reject(REASON, given, "must be one of " + String.join(", ", allowed), allowed);
    return Resolution.REPAIRED;
  }

  private @Nullable String text(String name, int longest) {
    JsonNode value = body.path(name);
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    if (!value.isString()) {
      reject(name, value.toString(), "must be a text", null);
      return null;
    }
    String text = value.asString();
    if (text.length() > longest) {
      reject(name, text, "may have %d characters".formatted(longest), null);
    }
    return text;
  }

  private void reject(
      String name, @Nullable String value, String detail, @Nullable List<String> allowed) {
    String given = value == null ? null : ApiProblem.abridged(value);
    violations.add(new Violation("/" + name, given, detail, allowed));
  }

  private void check() {
    if (!violations.isEmpty()) {
      throw new ApiProblem(
          Kind.INVALID_BODY,
          "The decision cannot be read: "
              + violations.stream().map(Violation::parameter).collect(Collectors.joining(", "))
              + ".",
          violations);
    }
  }
}
