package io.fabrichealth.incident.internal;

import io.fabrichealth.finding.Evidence;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Repeats;
import io.fabrichealth.incident.Resolution;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Incidents as lines of the journal, and evidence as the document that the database keeps. */
final class IncidentJson {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final ObjectWriter WRITER = MAPPER.writer();
  private static final ObjectReader INCIDENT = MAPPER.readerFor(Incident.class);
  private static final ObjectReader EVIDENCE =
      MAPPER.readerFor(new TypeReference<List<Evidence>>() {});

  private IncidentJson() {}

  /** One line without its end. */
  static String line(Incident incident) {
    return WRITER.writeValueAsString(incident);
  }

  /**
   * @throws IllegalArgumentException where it is not a whole incident
   */
  static Incident incident(String line) {
    try {
      Incident incident = INCIDENT.readValue(withDefaults(MAPPER.readTree(line)));
      if (incident == null || isIncomplete(incident)) {
        throw new IllegalArgumentException(
            "not an incident, or one without a part that it must have");
      }
      return incident;
    } catch (JacksonException e) {
      throw new IllegalArgumentException(e.getOriginalMessage(), e);
    }
  }

  /** Lines of a service that knew of no trail yet. */
  private static JsonNode withDefaults(JsonNode line) {
    if (line instanceof ObjectNode incident && !incident.has("changes")) {
      incident.putArray("changes");
      incident.set("repeats", MAPPER.valueToTree(Repeats.NONE));
      if (Incident.State.RESOLVED.name().equals(incident.path("state").asString(""))) {
        incident.put("resolution", Resolution.CLEARED.name());
      }
    }
    withDefaultsOfLines(line.path("evidence"));
    return line;
  }

  private static JsonNode withDefaultsOfLines(JsonNode evidence) {
    for (JsonNode line : evidence) {
      if (line instanceof ObjectNode fields && !fields.has("alone")) {
        fields.set("alone", fields.path("nats"));
      }
    }
    return evidence;
  }

  static String document(List<Evidence> evidence) {
    return WRITER.writeValueAsString(evidence);
  }

  static List<Evidence> evidence(String document) {
    return EVIDENCE.readValue(withDefaultsOfLines(MAPPER.readTree(document)));
  }

  /** The text may lack what the type says is always there. */
  private static boolean isIncomplete(Incident incident) {
    return Stream.of(
            incident.id(),
            incident.fingerprint(),
            incident.subject(),
            incident.cause(),
            incident.severity(),
            incident.state(),
            incident.openedAt(),
            incident.updatedAt(),
            incident.summary())
        .anyMatch(Objects::isNull);
  }
}
