package io.fabrichealth.api;

import io.fabrichealth.api.ApiProblem.Violation;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.stereotype.Component;
import org.springframework.validation.FieldError;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Says what is wrong with the parameters of a request, and what is allowed.
 *
 * <p>The parameters of a call are the components of the records named {@code ...Request} that its
 * method takes. A misspelt filter must not silently answer with everything, so unknown names are
 * refused, and so is a second value where one is expected.
 */
@Component
public class RequestProblems implements HandlerInterceptor {

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (handler instanceof HandlerMethod method
        && method.getBeanType().getPackage() == RequestProblems.class.getPackage()) {
      check(request, parameters(method));
    }
    return true;
  }

  private static void check(HttpServletRequest request, Map<String, RecordComponent> known) {
    List<Violation> violations = new ArrayList<>();
    request
        .getParameterMap()
        .forEach(
            (name, values) -> {
              RecordComponent component = known.get(name);
              if (component == null) {
                violations.add(
                    new Violation(
                        ApiProblem.abridged(name),
                        null,
                        known.isEmpty()
                            ? "is not a parameter of this call, which has none"
                            : "is not a parameter of this call; 'allowed' lists those it has",
                        List.copyOf(known.keySet())));
              } else if (values.length > 1
                  && !Collection.class.isAssignableFrom(component.getType())) {
                violations.add(
                    new Violation(
                        name,
                        ApiProblem.abridged(String.join(",", values)),
                        "may be given once",
                        null));
              }
            });
    if (!violations.isEmpty()) {
      throw ApiProblem.invalidParameters(violations);
    }
  }

  private static Map<String, RecordComponent> parameters(HandlerMethod method) {
    Map<String, RecordComponent> known = new LinkedHashMap<>();
    for (MethodParameter parameter : method.getMethodParameters()) {
      if (parameter.getParameterType().isRecord()) {
        for (RecordComponent component : parameter.getParameterType().getRecordComponents()) {
          known.put(component.getName(), component);
        }
      }
    }
    return known;
  }

  /** What a failed binding or constraint of a request record means to the caller. */
  static Stream<Violation> violations(Class<?> request, FieldError error) {
    String name = error.getField().replaceAll("\\[.*", "");
    RecordComponent component =
        Arrays.stream(request.getRecordComponents())
            .filter(each -> each.getName().equals(name))
            .findFirst()
            .orElseThrow();
    List<String> allowed = allowed(component);
    List<String> given = values(error.getRejectedValue());
    if (allowed != null && given.isEmpty()) {
      return Stream.of(
          new Violation(name, null, "must be one of " + String.join(", ", allowed), allowed));
    }
    if (allowed != null) {
      return given.stream()
          .filter(value -> !allowed.contains(value))
          .map(
              value ->
                  new Violation(
                      name,
                      ApiProblem.abridged(value),
                      "must be one of " + String.join(", ", allowed),
                      allowed));
    }
    String detail =
        error.isBindingFailure()
            ? "must be " + expected(component.getType())
            : String.valueOf(error.getDefaultMessage());
    return Stream.of(
        new Violation(name, ApiProblem.abridged(String.join(",", given)), detail, null));
  }

  private static String expected(Class<?> type) {
    if (type == Instant.class) {
      return "a time as in RFC 3339, for example 2026-01-31T12:00:00Z";
    }
    return type == Double.class ? "a number" : "a whole number";
  }

  private static @Nullable List<String> allowed(RecordComponent component) {
    Schema schema = component.getAccessor().getAnnotation(Schema.class);
    if (schema != null && schema.allowableValues().length > 0) {
      return List.of(schema.allowableValues());
    }
    Type type = component.getGenericType();
    Type element =
        type instanceof ParameterizedType collection
            ? collection.getActualTypeArguments()[0]
            : type;
    if (element instanceof Class<?> candidate && candidate.isEnum()) {
      return Arrays.stream(candidate.getEnumConstants())
          .map(each -> ((Enum<?>) each).name())
          .toList();
    }
    return null;
  }

  private static List<String> values(@Nullable Object rejected) {
    return switch (rejected) {
      case null -> List.of();
      case Object[] many -> Arrays.stream(many).map(String::valueOf).toList();
      case Collection<?> many -> many.stream().map(String::valueOf).toList();
      case String text -> Arrays.stream(text.split(",", -1)).map(String::strip).toList();
      default -> List.of(rejected.toString());
    };
  }
}
