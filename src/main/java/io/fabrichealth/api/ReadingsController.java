package io.fabrichealth.api;

import io.fabrichealth.api.ApiProblem.Kind;
import io.fabrichealth.capture.PollBatchJson;
import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.runtime.Ingest;
import io.fabrichealth.runtime.Snapshots;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Role;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import java.io.IOException;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Takes readings from whatever reads devices itself. A reading that cannot be used loses no other:
 * 200 where all was taken, 207 where some was not, 422 where nothing was.
 */
@Tag(name = "readings")
@RestController
@RequestMapping("/api/v1/readings")
class ReadingsController {
  private static final int MOST_AT_ONCE = 4;

  private final PollBatchJson json;
  private final Ingest ingest;
  private final Snapshots snapshots;
  private final InstantSource clock;
  private final Semaphore bodies = new Semaphore(MOST_AT_ONCE);

  ReadingsController(
      SignalDictionary dictionary, Ingest ingest, Snapshots snapshots, InstantSource clock) {
    json = new PollBatchJson(dictionary);
    this.ingest = ingest;
    this.snapshots = snapshots;
    this.clock = clock;
  }

  @Operation(
      operationId = "pushReadings",
      summary = "Takes readings in, as polls of the capture format, one or a list of them",
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
                                  "a poll record of the capture format, or a list of them"))))
  @PostMapping(
      consumes = MediaType.APPLICATION_JSON_VALUE,
      produces = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<ReadingsView> push(
      @Valid @ParameterObject ReadingsRequest request, HttpServletRequest http) throws IOException {
    if (http.getHeader("Content-Encoding") != null) {
      throw new ApiProblem(
          Kind.UNSUPPORTED_MEDIA_TYPE,
          "The body is to be sent without Content-Encoding.",
          List.of());
    }
    if (!bodies.tryAcquire()) {
      throw busy();
    }
    try (InputStream body = http.getInputStream()) {
      return answer(PushedPollsRequest.read(body, json, clock.instant()), request);
    } finally {
      bodies.release();
    }
  }

  private ResponseEntity<ReadingsView> answer(PushedPollsRequest polls, ReadingsRequest request) {
    RefusedProblems refused = polls.refused();
    if (polls.batches().isEmpty() && refused.count() > 0) {
      throw refused.nothingOf("polls");
    }
    Role role = request.role() == null ? Role.HOST : request.role();
    for (CollectOutcome outcome : polls.outcomes(snapshots.current().fabric(), role)) {
      if (!ingest.offer(outcome)) {
        throw busy();
      }
    }
    return ResponseEntity.status(refused.status())
        .body(
            new ReadingsView(
                polls.batches().size(),
                polls.batches().stream().mapToInt(batch -> batch.size()).sum(),
                refused.count(),
                refused.first()));
  }

  private static ApiProblem busy() {
    return new ApiProblem(
        Kind.BUSY, "There is no room for more readings now; send them again later.", List.of());
  }
}
