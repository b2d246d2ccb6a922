package io.fabrichealth.api;

import io.fabrichealth.runtime.FabricSnapshot;
import io.fabrichealth.runtime.Snapshots;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What is wired to what. */
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
}
