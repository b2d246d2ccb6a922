package io.fabrichealth.api;

import io.fabrichealth.api.PageRequest.Row;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Incidents;
import io.fabrichealth.runtime.FabricSnapshot;
import io.fabrichealth.runtime.Snapshots;
import io.fabrichealth.topology.Link;
import io.fabrichealth.verdict.LinkState;
import io.fabrichealth.verdict.Verdict;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Links and half-links, and why they are what they are said to be. */
@Tag(name = "links")
@RestController
@RequestMapping(path = "/api/v1/links", produces = MediaType.APPLICATION_JSON_VALUE)
class LinksController {
  private final Snapshots snapshots;
  private final Incidents incidents;

  LinksController(Snapshots snapshots, Incidents incidents) {
    this.snapshots = snapshots;
    this.incidents = incidents;
  }

  @Operation(operationId = "listLinks", summary = "Links that match the filters")
  @GetMapping
  ResponseEntity<PageView<LinkView>> list(@Valid @ParameterObject LinksRequest request) {
    FabricSnapshot snapshot = snapshots.current();
    Map<Subject, Verdict> verdicts = snapshot.verdicts();
    Map<Subject, UUID> open = incidentIds();
    return request
        .page()
        .page(
            snapshot.fabric().links().stream()
                .filter(link -> request.matches(link, verdicts.get(Subject.of(link))))
                .map(
                    link ->
                        new Row<>(request.key(verdicts.get(Subject.of(link))), link.id(), link)),
            request.descending(),
            link -> view(link, snapshot, open))
        .toResponse();
  }

  @Operation(operationId = "getLink", summary = "One link")
  @GetMapping("/{id}")
  LinkView get(@PathVariable String id) {
    FabricSnapshot snapshot = snapshots.current();
    return view(find(snapshot, id), snapshot, incidentIds());
  }

  @Operation(
      operationId = "getLinkEvidence",
      summary = "The evidence for a link's state; begins with the prior")
  @GetMapping("/{id}/evidence")
  EvidenceListView evidence(@PathVariable String id) {
    FabricSnapshot snapshot = snapshots.current();
    Link link = find(snapshot, id);
    Verdict verdict = snapshot.verdicts().get(Subject.of(link));
    return verdict == null
        ? new EvidenceListView(link.id(), snapshot.at(), LinkState.UNKNOWN, null, List.of(), null)
        : new EvidenceListView(
            link.id(),
            snapshot.at(),
            verdict.state(),
            verdict.probability(),
            verdict.evidence().stream().map(EvidenceView::of).toList(),
            null);
  }

  private static Link find(FabricSnapshot snapshot, String id) {
    Link link = snapshot.fabric().link(id);
    if (link == null) {
      throw ApiProblem.unknownId("link", id);
    }
    return link;
  }

  private static LinkView view(Link link, FabricSnapshot snapshot, Map<Subject, UUID> open) {
    return LinkView.of(link, snapshot, open.get(Subject.of(link)));
  }

  private Map<Subject, UUID> incidentIds() {
    return incidents.unresolved().stream()
        .collect(Collectors.toMap(Incident::subject, Incident::id, (newer, older) -> newer));
  }
}
