package io.fabrichealth.api;

import io.fabrichealth.api.PageRequest.Row;
import io.fabrichealth.runtime.CoverageMatrix;
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

/** What is seen of the fabric and what is not. */
@Tag(name = "coverage")
@RestController
@RequestMapping(path = "/api/v1/coverage", produces = MediaType.APPLICATION_JSON_VALUE)
class CoverageController {
  private final Snapshots snapshots;

  CoverageController(Snapshots snapshots) {
    this.snapshots = snapshots;
  }

  @Operation(
      operationId = "listCoverage",
      summary = "Devices by families of signals: which are read, stale, unreadable, unsupported")
  @GetMapping
  ResponseEntity<PageView<CoverageView>> list(@Valid @ParameterObject CoverageRequest request) {
    FabricSnapshot snapshot = snapshots.current();
    return request
        .page()
        .page(
            new CoverageMatrix(snapshot.dictionary())
                .of(snapshot.fabric(), snapshot.readings()).stream()
                    .filter(request::matches)
                    .map(cell -> new Row<>(0, cell.device() + " " + cell.family(), cell)),
            false,
            CoverageView::of)
        .toResponse();
  }
}
