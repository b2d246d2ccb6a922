package io.fabrichealth.api;

import io.fabrichealth.api.ApiProblem.Kind;
import io.fabrichealth.api.ApiProblem.Violation;
import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.latency.LatencyMatrix;
import io.fabrichealth.runtime.Ingest;
import io.fabrichealth.runtime.LatencyDesk;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What probes between endpoints tell: loss and round trips. */
@Tag(name = "latency")
@RestController
@RequestMapping(path = "/api/v1/latency", produces = MediaType.APPLICATION_JSON_VALUE)
class LatencyController {
  private static final int MOST_AT_ONCE = 4;

  private final Ingest ingest;
  private final LatencyDesk desk;
  private final InstantSource clock;
  private final Semaphore bodies = new Semaphore(MOST_AT_ONCE);
  private final Semaphore matrices = new Semaphore(2);

  LatencyController(Ingest ingest, LatencyDesk desk, InstantSource clock) {
    this.ingest = ingest;
    this.desk = desk;
    this.clock = clock;
  }

  @Operation(
      operationId = "pushLatencySamples",
      summary = "Takes probes in; 207 where some cannot be used, 422 where none can",
      requestBody =
          @RequestBody(
              required = true,
              content =
                  @Content(
                      mediaType = MediaType.APPLICATION_JSON_VALUE,
                      schema =
                          @Schema(
                              types = {"object", "array"},
                              description =
                                  "a probe record of the capture format, or a list of them"))))
  @PostMapping(path = "/samples", consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<LatencySamplesView> samples(HttpServletRequest http) throws IOException {
    return take(http, LatencySamplesRequest::read);
  }

  @Operation(
      operationId = "importLatency",
      summary = "Takes in what ping, fping, perftest or OSU's latency test printed",
      requestBody =
          @RequestBody(
              required = true,
              content =
                  @Content(
                      mediaType = MediaType.TEXT_PLAIN_VALUE,
                      schema = @Schema(type = "string", description = "the output as it is"))))
  @PostMapping(path = "/import", consumes = MediaType.TEXT_PLAIN_VALUE)
  ResponseEntity<LatencySamplesView> importLatency(
      @Valid @ParameterObject LatencyImportRequest request, HttpServletRequest http)
      throws IOException {
    return take(http, (body, now) -> LatencySamplesRequest.read(body, request, now));
  }

  /** How a body is read. */
  private interface Form {
    LatencySamplesRequest read(InputStream body, Instant now) throws IOException;
  }

  private ResponseEntity<LatencySamplesView> take(HttpServletRequest http, Form form)
      throws IOException {
    if (!bodies.tryAcquire()) {
      throw busy();
    }
    try (InputStream body = http.getInputStream()) {
      return answer(form.read(body, clock.instant()));
    } finally {
      bodies.release();
    }
  }

  private ResponseEntity<LatencySamplesView> answer(LatencySamplesRequest sent) {
    RefusedProblems refused = sent.refused();
    if (sent.probes().isEmpty() && refused.count() > 0) {
      throw refused.nothingOf("samples");
    }
    if (!sent.probes().isEmpty() && !ingest.offer(CollectOutcome.ofRecords(sent.probes()))) {
      throw busy();
    }
    return ResponseEntity.status(refused.status())
        .body(new LatencySamplesView(sent.probes().size(), refused.count(), refused.first()));
  }

  @Operation(
      operationId = "getLatencyMatrix",
      summary = "Round trips and loss of the last minutes between ports, hosts, racks or rails")
  @GetMapping("/matrix")
  LatencyMatrixView matrix(@Valid @ParameterObject LatencyMatrixRequest request)
      throws InterruptedException {
    LatencyMatrix.Level level = request.levelOrDefault();
    if (!matrices.tryAcquire()) {
      throw busy();
    }
    try {
      return LatencyMatrixView.of(level, desk.matrix(level).orElseThrow(LatencyController::busy));
    } catch (IllegalArgumentException e) {
      throw new ApiProblem(
          Kind.INVALID_PARAMETER,
          "The matrix would be too large.",
          List.of(new Violation("level", level.name(), String.valueOf(e.getMessage()), null)));
    } finally {
      matrices.release();
    }
  }

  private static ApiProblem busy() {
    return new ApiProblem(Kind.BUSY, "There is no room for more now; come again later.", List.of());
  }
}
