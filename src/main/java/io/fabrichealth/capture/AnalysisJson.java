package io.fabrichealth.capture;

import com.fasterxml.jackson.annotation.JsonValue;
import io.fabrichealth.collective.CollectiveFinding;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An {@link EngineInput.Analysis} as the {@code analysis} record of the capture format. */
final class AnalysisJson {
  private static final int MOST_FINDINGS = 10_000;

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .addMixIn(SubjectType.class, Labelled.class)
          .addMixIn(Family.class, Labelled.class)
          .addMixIn(Reference.class, Labelled.class)
          .build();

  private final RecordFields fields;
  private final List<CollectiveFinding> findings = new ArrayList<>();
  private @Nullable String job;
  private String source = "";

  /** Enums that stand in captures by their labels. */
  private interface Labelled {
    @JsonValue
    String label();
  }

  AnalysisJson(RecordFields fields) {
    this.fields = fields;
  }

  /** Takes the value of a field. */
  void read(String field) {
    switch (field) {
      case "job" -> job = fields.name();
      case "source" -> {
        String text = fields.text();
        source = text == null ? "" : text;
      }
      case "findings" -> fields.array(this::finding);
      default -> fields.skip();
    }
  }

  private void finding() {
    JsonNode node = MAPPER.readTree(fields.in());
    try {
      CollectiveFinding read = MAPPER.treeToValue(node, CollectiveFinding.class);
      if (read != null && isWhole(read) && findings.size() < MOST_FINDINGS) {
        findings.add(read);
        return;
      }
    } catch (JacksonException e) {
      // Said below.
    }
    fields.refuse("a finding with cause, subject, evidence, and a probability between 0 and 1");
  }

  private static boolean isWhole(CollectiveFinding finding) {
    return finding.probability() > 0
        && finding.probability() < 1
        && Stream.of(finding.cause(), finding.summary()).allMatch(Objects::nonNull)
        && isWhole(finding.subject())
        && !finding.evidence().isEmpty()
        && finding.evidence().stream().allMatch(AnalysisJson::isWhole);
  }

  private static boolean isWhole(@Nullable Subject subject) {
    return subject != null && Stream.of(subject.type(), subject.id()).allMatch(Objects::nonNull);
  }

  /** The text may lack what the type says is always there. */
  private static boolean isWhole(@Nullable Evidence line) {
    return line != null
        && Double.isFinite(line.nats())
        && isWhole(line.subject())
        && Stream.of(
                line.family(),
                line.signal(),
                line.observed(),
                line.expected(),
                line.reference(),
                line.from(),
                line.to(),
                line.source())
            .allMatch(Objects::nonNull);
  }

  EngineInput.Analysis analysis(Instant at) throws InvalidRecordException {
    return new EngineInput.Analysis(at, RecordFields.required(job, "job"), source, findings);
  }

  /** Writes the fields into an object that is begun. */
  static void writeFields(JsonGenerator out, EngineInput.Analysis analysis) {
    out.writeStringProperty("job", analysis.job());
    out.writeStringProperty("source", analysis.source());
    out.writeName("findings");
    MAPPER.writeValue(out, analysis.findings());
  }
}
