package io.fabrichealth.api;

import io.fabrichealth.api.PageRequest.Row;
import io.fabrichealth.runtime.FabricSnapshot;
import io.fabrichealth.runtime.Snapshots;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What is wired to what, and how that differs from the plan. */
@Tag(name = "topology")
@RestController
@RequestMapping(path = "/api/v1/topology", produces = MediaType.APPLICATION_JSON_VALUE)
class TopologyController {
  private final Snapshots snapshots;

  TopologyController(Snapshots snapshots) {
    this.snapshots = snapshots;
  }

  @Operation(operationId = "getTopology", summary = "All devices, ports and links")
  @GetMapping
  TopologyView get() {
    FabricSnapshot snapshot = snapshots.current();
    return TopologyView.of(snapshot.fabric(), snapshot.at());
  }

  @Operation(
      operationId = "getTopologyDiff",
      summary = "How what is seen differs from the plan; what was not read is unknown")
  @GetMapping("/diff")
  TopologyDiffView diff() {
    return TopologyDiffView.of(snapshots.current());
  }

  @Operation(
      operationId = "listTopologyChanges",
      summary = "What changed lately in what the devices say, the newest first")
  @GetMapping("/changes")
  ResponseEntity<PageView<TopologyChangeView>> changes(
      @Valid @ParameterObject TopologyChangesRequest request) {
    return request
        .page()
        .page(
            snapshots.current().events().stream()
                .filter(request::matches)
                .map(event -> new Row<>(event.number(), event.device(), event)),
            true,
            TopologyChangeView::of)
        .toResponse();
  }

  @Operation(
      operationId = "getTopologyGraphNodes",
      summary = "Devices as nodes of Grafana's node graph")
  @GetMapping("/graph/nodes")
  GraphView<GraphNodeView> nodes(@Valid @ParameterObject GraphRequest request) {
    return GraphView.nodes(snapshots.current(), request);
  }

  @Operation(
      operationId = "getTopologyGraphEdges",
      summary = "Links between two devices as edges of Grafana's node graph")
  @GetMapping("/graph/edges")
  GraphView<GraphEdgeView> edges(@Valid @ParameterObject GraphRequest request) {
    return GraphView.edges(snapshots.current(), request);
  }
}
