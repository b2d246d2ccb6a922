package io.fabrichealth.capture;

import io.fabrichealth.latency.ProbeSample;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A {@code probe} record that stands alone, as others send it.
 *
 * @param at null where it has no time
 * @param sample null where the record cannot be used
 * @param problems what is wrong with it, or with fields that the sample goes without
 */
public record ProbeRecord(
    @Nullable Instant at, @Nullable ProbeSample sample, List<String> problems) {
  public ProbeRecord {
    problems = List.copyOf(problems);
  }

  /**
   * Reads one object; fields that are not known are passed over.
   *
   * @param in at its start; afterwards at its end
   * @throws tools.jackson.core.JacksonException where it is no JSON, or ends early
   */
  public static ProbeRecord read(JsonParser in) {
    List<String> problems = new ArrayList<>();
    if (in.currentToken() != JsonToken.START_OBJECT) {
      in.skipChildren();
      return new ProbeRecord(null, null, List.of("is no object"));
    }
    RecordFields fields = new RecordFields(in, problems::add);
    ProbeJson probe = new ProbeJson(fields);
    @Nullable Instant[] at = {null};
    fields.object(
        field -> {
          if (field.equals("at")) {
            at[0] = fields.time();
          } else {
            probe.read(field);
          }
        });
    try {
      return new ProbeRecord(at[0], probe.sample(), problems);
    } catch (InvalidRecordException e) {
      problems.add(String.valueOf(e.getMessage()));
      return new ProbeRecord(at[0], null, problems);
    }
  }
}
