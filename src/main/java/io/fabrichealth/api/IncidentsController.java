package io.fabrichealth.api;

import io.fabrichealth.api.ApiProblem.Kind;
import io.fabrichealth.incident.Decision;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Incidents;
import io.fabrichealth.incident.Incidents.Decided;
import io.fabrichealth.runtime.FabricSnapshot;
import io.fabrichealth.runtime.Snapshots;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.io.IOException;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Incidents: open ones and those of the past. */
@Tag(name = "incidents")
@RestController
@RequestMapping(path = "/api/v1/incidents", produces = MediaType.APPLICATION_JSON_VALUE)
class IncidentsController {
  private static final String IF_MATCH = "ETag of the incident as it was seen, or *";
  private static final Pattern ETAG = Pattern.compile("\"(\\d{1,18})\"");
  private static final long NO_VERSION = -1;

  private final Incidents incidents;
  private final Snapshots snapshots;
  private final InstantSource clock;

  IncidentsController(Incidents incidents, Snapshots snapshots, InstantSource clock) {
    this.incidents = incidents;
    this.snapshots = snapshots;
    this.clock = clock;
  }

  @Operation(
      operationId = "listIncidents",
      summary = "Incidents that match the filters, newest first")
  @GetMapping
  ResponseEntity<PageView<IncidentView>> list(@Valid @ParameterObject IncidentsRequest request) {
    FabricSnapshot now = snapshots.current();
    Incidents.Page page = incidents.find(request.query(now.fabric()));
    return new PageView<>(
            page.items().stream().map(incident -> IncidentView.of(incident, now)).toList(),
            page.nextCursor())
        .toResponse();
  }

  @Operation(operationId = "getIncident", summary = "One incident with its evidence")
  @GetMapping("/{id}")
  ResponseEntity<IncidentView> get(@PathVariable String id) {
    return answer(find(id));
  }

  @Operation(
      operationId = "explainIncident",
      summary = "Why an incident is open, how sure that is, and what to do first")
  @GetMapping("/{id}/explanation")
  ResponseEntity<ExplanationView> explain(@PathVariable String id) {
    return ResponseEntity.ok(ExplanationView.of(find(id), snapshots.current(), clock.instant()));
  }

  @Operation(
      operationId = "acknowledgeIncident",
      summary = "Somebody looks after an incident; needs its ETag",
      requestBody =
          @RequestBody(
              required = true,
              content =
                  @Content(schema = @Schema(implementation = DecisionRequest.Acknowledging.class))))
  @PostMapping(path = "/{id}/acknowledgement", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<IncidentView> acknowledge(
      @PathVariable String id,
      @Parameter(description = IF_MATCH)
          @RequestHeader(name = HttpHeaders.IF_MATCH, required = false)
          @Nullable String ifMatch,
      InputStream body)
      throws IOException {
    return decide(id, DecisionRequest.acknowledgement(body), ifMatch);
  }

  @Operation(
      operationId = "resolveIncident",
      summary = "Somebody says that an incident is over, and why; needs its ETag",
      requestBody =
          @RequestBody(
              required = true,
              content =
                  @Content(schema = @Schema(implementation = DecisionRequest.Resolving.class))))
  @PostMapping(path = "/{id}/resolution", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<IncidentView> resolve(
      @PathVariable String id,
      @Parameter(description = IF_MATCH)
          @RequestHeader(name = HttpHeaders.IF_MATCH, required = false)
          @Nullable String ifMatch,
      InputStream body)
      throws IOException {
    return decide(id, DecisionRequest.resolution(body), ifMatch);
  }

  private ResponseEntity<IncidentView> decide(
      String id, Decision decision, @Nullable String ifMatch) {
    if (ifMatch == null) {
      throw new ApiProblem(
          Kind.PRECONDITION_REQUIRED,
          "Send the ETag of the incident that you saw as If-Match, or * for whatever it is now.",
          List.of());
    }
    Decided decided =
        parse(id)
            .flatMap(known -> incidents.decide(known, decision, versions(ifMatch), clock.instant()))
            .orElseThrow(() -> ApiProblem.unknownId("incident", id));
    return switch (decided.outcome()) {
      case DONE -> answer(decided.incident());
      case STALE ->
          throw new ApiProblem(
              Kind.PRECONDITION_FAILED,
              "The incident has changed since; its ETag is \"%d\" now. Look at it again."
                  .formatted(decided.incident().version()),
              List.of());
      case RESOLVED_BEFORE ->
          throw new ApiProblem(
              Kind.INCIDENT_IS_RESOLVED,
              "The incident is over since %s: %s."
                  .formatted(decided.incident().resolvedAt(), decided.incident().resolution()),
              List.of());
    };
  }

  /**
   * The versions that entity tags name (RFC 9110, 13.1.1); empty for {@code *}. A weak tag matches
   * nothing.
   */
  private static Set<Long> versions(String ifMatch) {
    if (ifMatch.strip().equals("*")) {
      return Set.of();
    }
    Set<Long> versions = new HashSet<>(Set.of(NO_VERSION));
    for (String tag : ifMatch.split(",", -1)) {
      Matcher strong = ETAG.matcher(tag.strip());
      if (strong.matches()) {
        versions.add(Long.parseLong(strong.group(1)));
      }
    }
    return versions;
  }

  private ResponseEntity<IncidentView> answer(Incident incident) {
    return ResponseEntity.ok()
        .eTag(Long.toString(incident.version()))
        .body(IncidentView.of(incident, snapshots.current()));
  }

  private Incident find(String id) {
    return parse(id)
        .flatMap(incidents::find)
        .orElseThrow(() -> ApiProblem.unknownId("incident", id));
  }

  private static Optional<UUID> parse(String id) {
    try {
      return Optional.of(UUID.fromString(id));
    } catch (IllegalArgumentException e) {
      // Not the form of our ids: then there is none of this id.
      return Optional.empty();
    }
  }
}
