package io.fabrichealth.incident.internal;

import io.fabrichealth.finding.Evidence;
import io.fabrichealth.incident.Incident;
import java.util.List;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

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
   * @throws tools.jackson.core.JacksonException where it is not an incident
   */
  static Incident incident(String line) {
    return INCIDENT.readValue(line);
  }

  static String document(List<Evidence> evidence) {
    return WRITER.writeValueAsString(evidence);
  }

  static List<Evidence> evidence(String document) {
    return EVIDENCE.readValue(document);
  }
}
