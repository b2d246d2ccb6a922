package io.fabrichealth.api;

import io.fabrichealth.api.ApiProblem.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/** A body that is one record of the capture format, or a list of them; read while it comes in. */
final class RecordsRequest {
  private final JsonFactory json;

  /**
   * How bodies of one kind are read; to be kept, as it remembers the names of fields.
   *
   * @param mostBytes how large a body may be
   */
  RecordsRequest(long mostBytes) {
    json =
        JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxDocumentLength(mostBytes)
                    .maxNestingDepth(20)
                    .maxStringLength(10_000)
                    .maxNameLength(1_000)
                    .build())
            .build();
  }

  /** Takes a record. */
  interface Taker {
    /**
     * @param in at the start of the record; afterwards at its end
     * @param pointer where it stands in the body (RFC 6901)
     */
    void take(JsonParser in, String pointer);
  }

  /**
   * Reads a body.
   *
   * @throws ApiProblem where it is no JSON, or larger than allowed
   * @throws IOException where it does not come in whole
   */
  void read(InputStream body, Taker records) throws IOException {
    try (JsonParser in = json.createParser(ObjectReadContext.empty(), body)) {
      if (in.nextToken() == JsonToken.START_ARRAY) {
        for (int index = 0; in.nextToken() != JsonToken.END_ARRAY; index++) {
          records.take(in, "/" + index);
        }
      } else {
        records.take(in, "");
      }
      if (in.nextToken() != null) {
        throw malformed("expected the end of the body", in);
      }
    } catch (StreamConstraintsException e) {
      throw new ApiProblem(
          Kind.TOO_LARGE,
          "The body, or a name or string in it, is larger than allowed: %s".formatted(problem(e)),
          List.of());
    } catch (JacksonException e) {
      throw new ApiProblem(
          Kind.BAD_REQUEST, "The body is no JSON: %s".formatted(problem(e)), List.of());
    }
  }

  private static String problem(JacksonException e) {
    String what = ApiProblem.abridged(String.valueOf(e.getOriginalMessage()));
    TokenStreamLocation at = e.getLocation();
    return at == null
        ? what
        : "%s (line %d, column %d)".formatted(what, at.getLineNr(), at.getColumnNr());
  }

  private static ApiProblem malformed(String what, JsonParser in) {
    return new ApiProblem(
        Kind.BAD_REQUEST,
        "The body is no JSON: %s in line %d".formatted(what, in.currentTokenLocation().getLineNr()),
        List.of());
  }
}
