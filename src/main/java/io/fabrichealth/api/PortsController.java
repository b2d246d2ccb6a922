package io.fabrichealth.api;

import io.fabrichealth.api.PageRequest.Row;
import io.fabrichealth.runtime.FabricSnapshot;
import io.fabrichealth.runtime.Snapshots;
import io.fabrichealth.topology.Port;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Ports, with what is read of them. */
@Tag(name = "ports")
@RestController
@RequestMapping(path = "/api/v1/ports", produces = MediaType.APPLICATION_JSON_VALUE)
class PortsController {
  private final Snapshots snapshots;

  PortsController(Snapshots snapshots) {
    this.snapshots = snapshots;
  }

  @Operation(operationId = "listPorts", summary = "Ports that match the filters, by id")
  @GetMapping
  ResponseEntity<PageView<PortView>> list(@Valid @ParameterObject PortsRequest request) {
    FabricSnapshot snapshot = snapshots.current();
    return request
        .page()
        .page(
            snapshot.fabric().ports().stream()
                .filter(request::matches)
                .map(port -> new Row<>(0, port.id().id(), port)),
            false,
            port -> PortView.of(port, snapshot))
        .toResponse();
  }

  @Operation(operationId = "getPort", summary = "One port")
  @GetMapping("/{id}")
  PortView get(@PathVariable String id) {
    FabricSnapshot snapshot = snapshots.current();
    for (Port port : snapshot.fabric().ports()) {
      if (port.id().id().equals(id)) {
        return PortView.of(port, snapshot);
      }
    }
    throw ApiProblem.unknownId("port", id);
  }
}
