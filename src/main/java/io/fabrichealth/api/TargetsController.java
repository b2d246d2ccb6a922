package io.fabrichealth.api;

import io.fabrichealth.api.PageRequest.Row;
import io.fabrichealth.runtime.Snapshots;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.time.Instant;
import java.time.InstantSource;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What is read, and how that goes. */
@Tag(name = "targets")
@RestController
@RequestMapping(path = "/api/v1/targets", produces = MediaType.APPLICATION_JSON_VALUE)
class TargetsController {
  private final Snapshots snapshots;
  private final InstantSource clock;

  TargetsController(Snapshots snapshots, InstantSource clock) {
    this.snapshots = snapshots;
    this.clock = clock;
  }

  @Operation(
      operationId = "listTargets",
      summary = "Targets that match the filters, by device and collector")
  @GetMapping
  ResponseEntity<PageView<TargetView>> list(@Valid @ParameterObject TargetsRequest request) {
    Instant now = clock.instant();
    return request
        .page()
        .page(
            snapshots.current().targets().stream()
                .filter(request::matches)
                .map(
                    target ->
                        new Row<>(
                            0,
                            String.join(" ", target.device(), target.collector(), target.address()),
                            target)),
            false,
            target -> TargetView.of(target, now))
        .toResponse();
  }
}
