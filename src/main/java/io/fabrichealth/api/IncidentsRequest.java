package io.fabrichealth.api;

import io.fabrichealth.api.ApiProblem.Violation;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Incidents;
import io.fabrichealth.incident.Severity;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which incidents to list; a filter that is not given does not restrict. */
record IncidentsRequest(
    @Nullable Set<Incident.State> state,
    @Nullable Set<Severity> severity,
    @Nullable Set<Cause> cause,
    @Schema(
            description =
                "type and id, for example host:gpu-001; of a link, port or device of the fabric"
                    + " the id alone will do",
            example = "link:leaf1:Ethernet1/1--gpu-001:mlx5_0/1")
        @Nullable String subject,
    @Schema(description = "only those opened, changed or resolved since") @Nullable Instant since,
    @Min(value = 1, message = PageRequest.LIMIT_MESSAGE)
        @Max(value = PageRequest.LARGEST, message = PageRequest.LIMIT_MESSAGE)
        @Schema(defaultValue = "100")
        @Nullable Integer limit,
    @Schema(description = "nextCursor of the page before") @Nullable String cursor) {

  private static final Instant FIRST = Instant.EPOCH;
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  Incidents.Query query(Fabric fabric) {
    return new Incidents.Query(
        state == null ? Set.of() : state,
        severity == null ? Set.of() : severity,
        cause == null ? Set.of() : cause,
        subject == null ? null : subject(subject, fabric),
        since == null ? null : storable(since),
        cursor,
        limit == null ? PageRequest.USUAL : limit);
  }

  /** A time that a database can hold; beyond these there are no incidents anyway. */
  private static Instant storable(Instant time) {
    return time.isBefore(FIRST) ? FIRST : time.isAfter(LAST) ? LAST : time;
  }

  private static Subject subject(String given, Fabric fabric) {
    for (SubjectType type : SubjectType.values()) {
      String prefix = type.label() + ":";
      if (given.startsWith(prefix)) {
        return new Subject(type, given.substring(prefix.length()));
      }
    }
    if (fabric.link(given) != null) {
      return new Subject(SubjectType.LINK, given);
    }
    Device device = fabric.device(given);
    if (device != null) {
      return device.role().isSwitch() ? Subject.ofSwitch(given) : Subject.host(given);
    }
    if (fabric.ports().stream().anyMatch(port -> port.id().id().equals(given))) {
      return new Subject(SubjectType.PORT, given);
    }
    List<String> types =
        Arrays.stream(SubjectType.values()).map(type -> type.label() + ":…").toList();
    throw ApiProblem.invalidParameter(
        new Violation(
            "subject",
            ApiProblem.abridged(given),
            "must be a type and an id joined by a colon, or the id of a link, port or device that"
                + " is in the fabric",
            types));
  }
}
