package io.fabrichealth.api;

import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Incidents;
import io.fabrichealth.runtime.Snapshots;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.util.Optional;
import java.util.UUID;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Incidents: open ones and those of the past. */
@Tag(name = "incidents")
@RestController
@RequestMapping(path = "/api/v1/incidents", produces = MediaType.APPLICATION_JSON_VALUE)
class IncidentsController {
  private final Incidents incidents;
  private final Snapshots snapshots;

  IncidentsController(Incidents incidents, Snapshots snapshots) {
    this.incidents = incidents;
    this.snapshots = snapshots;
  }

  @Operation(
      operationId = "listIncidents",
      summary = "Incidents that match the filters, newest first")
  @GetMapping
  ResponseEntity<PageView<IncidentView>> list(@Valid @ParameterObject IncidentsRequest request) {
    Incidents.Page page = incidents.find(request.query(snapshots.current().fabric()));
    return new PageView<>(page.items().stream().map(IncidentView::of).toList(), page.nextCursor())
        .toResponse();
  }

  @Operation(operationId = "getIncident", summary = "One incident with its evidence")
  @GetMapping("/{id}")
  ResponseEntity<IncidentView> get(@PathVariable String id) {
    Incident incident =
        parse(id).flatMap(incidents::find).orElseThrow(() -> ApiProblem.unknownId("incident", id));
    return ResponseEntity.ok()
        .eTag(Long.toString(incident.version()))
        .body(IncidentView.of(incident));
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
