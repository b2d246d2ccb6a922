package io.fabrichealth.api;

import io.fabrichealth.api.ApiProblem.Kind;
import io.fabrichealth.api.ApiProblem.Violation;
import io.fabrichealth.api.PageRequest.Row;
import io.fabrichealth.collective.KnownCollective;
import io.fabrichealth.runtime.JobDesk;
import io.fabrichealth.runtime.JobUpload;
import io.fabrichealth.runtime.LiveJobs;
import io.fabrichealth.runtime.UnusableJobException;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.multipart.MultipartHttpServletRequest;
import org.springframework.web.util.UriUtils;

/** Who takes part in a job, what it left behind, and what that says. */
@Tag(name = "jobs")
@RestController
@RequestMapping(path = JobsController.PATH, produces = MediaType.APPLICATION_JSON_VALUE)
class JobsController {
  static final String PATH = "/api/v1/jobs";

  private static final int LARGEST_ROSTER = 64 << 20;
  private static final int MOST_UPLOADS = 16;
  private static final int LONGEST_NAME = 200;

  private static final String GZIP = "application/gzip";
  private static final String TAR = "application/x-tar";
  private static final String ZIP = "application/zip";
  private static final String LINES = "application/x-ndjson";

  private final Semaphore uploads = new Semaphore(MOST_UPLOADS);
  private final JobDesk desk;
  private final LiveJobs live;

  JobsController(JobDesk desk, LiveJobs live) {
    this.desk = desk;
    this.live = live;
  }

  // --- rosters

  @Operation(
      operationId = "putJob",
      summary = "Says who takes part in a job, and where; 201 where there was no such job",
      requestBody =
          @RequestBody(
              required = true,
              content = {
                @Content(
                    mediaType = MediaType.APPLICATION_JSON_VALUE,
                    schema =
                        @Schema(
                            type = "object",
                            description =
                                "the job record of the capture format, or the pods of a job as"
                                    + " kubectl prints them")),
                @Content(
                    mediaType = MediaType.TEXT_PLAIN_VALUE,
                    schema =
                        @Schema(
                            type = "string",
                            description = "what scontrol show job prints, or a hostlist"))
              }))
  @PutMapping(
      path = "/{job}",
      consumes = {MediaType.APPLICATION_JSON_VALUE, MediaType.TEXT_PLAIN_VALUE})
  ResponseEntity<JobView> put(
      @PathVariable String job, @Valid @ParameterObject RosterRequest request, InputStream body)
      throws IOException {
    check(job);
    byte[] text = WholeRequest.read(body, LARGEST_ROSTER, "A roster");
    try {
      JobDesk.Enrolled enrolled =
          desk.enroll(job, new String(text, StandardCharsets.UTF_8), request.each())
              .orElseThrow(
                  () ->
                      new ApiProblem(
                          Kind.BUSY,
                          "There is no room for another roster now; send it again later.",
                          List.of()));
      JobView view = JobView.of(enrolled.job());
      return enrolled.isNew()
          ? ResponseEntity.created(URI.create(path(job))).body(view)
          : ResponseEntity.ok(view);
    } catch (UnusableJobException problem) {
      throw unusable(Kind.UNUSABLE_ROSTER, problem);
    }
  }

  // --- what a job left

  @Operation(
      operationId = "uploadFlightRecorder",
      summary = "Analyses flight recorder dumps, files or archives of them")
  @ResponseStatus(HttpStatus.CREATED)
  @PostMapping(
      path = "/{job}/flight-recorder",
      consumes = {
        MediaType.MULTIPART_FORM_DATA_VALUE,
        MediaType.APPLICATION_OCTET_STREAM_VALUE,
        MediaType.APPLICATION_JSON_VALUE,
        GZIP,
        TAR,
        ZIP
      })
  ResponseEntity<JobAnalysisView> recorder(
      @PathVariable String job,
      @Valid @ParameterObject JobUploadRequest request,
      HttpServletRequest http)
      throws IOException, InterruptedException {
    return analyze(job, request, "dump", http);
  }

  @Operation(
      operationId = "uploadNcclInspector",
      summary = "Analyses lines of NCCL's Inspector, files or archives of them")
  @ResponseStatus(HttpStatus.CREATED)
  @PostMapping(
      path = "/{job}/nccl-inspector",
      consumes = {
        MediaType.MULTIPART_FORM_DATA_VALUE,
        MediaType.APPLICATION_OCTET_STREAM_VALUE,
        MediaType.APPLICATION_JSON_VALUE,
        MediaType.TEXT_PLAIN_VALUE,
        LINES,
        GZIP,
        TAR,
        ZIP
      })
  ResponseEntity<JobAnalysisView> inspector(
      @PathVariable String job,
      @Valid @ParameterObject JobUploadRequest request,
      HttpServletRequest http)
      throws IOException, InterruptedException {
    return analyze(job, request, "inspector.log", http);
  }

  @Operation(
      operationId = "uploadLog",
      summary = "Analyses logs of the job and of NCCL, files or archives of them")
  @ResponseStatus(HttpStatus.CREATED)
  @PostMapping(
      path = "/{job}/log",
      consumes = {
        MediaType.MULTIPART_FORM_DATA_VALUE,
        MediaType.APPLICATION_OCTET_STREAM_VALUE,
        MediaType.TEXT_PLAIN_VALUE,
        GZIP,
        TAR,
        ZIP
      })
  ResponseEntity<JobAnalysisView> log(
      @PathVariable String job,
      @Valid @ParameterObject JobUploadRequest request,
      HttpServletRequest http)
      throws IOException, InterruptedException {
    return analyze(job, request, "job.log", http);
  }

  @Operation(
      operationId = "uploadNcclTests",
      summary = "Analyses results of nccl-tests, files or archives of them")
  @ResponseStatus(HttpStatus.CREATED)
  @PostMapping(
      path = "/{job}/nccl-tests",
      consumes = {
        MediaType.MULTIPART_FORM_DATA_VALUE,
        MediaType.APPLICATION_OCTET_STREAM_VALUE,
        MediaType.APPLICATION_JSON_VALUE,
        MediaType.TEXT_PLAIN_VALUE,
        GZIP,
        TAR,
        ZIP
      })
  ResponseEntity<JobAnalysisView> tests(
      @PathVariable String job,
      @Valid @ParameterObject JobUploadRequest request,
      HttpServletRequest http)
      throws IOException, InterruptedException {
    return analyze(job, request, "nccl-tests", http);
  }

  private ResponseEntity<JobAnalysisView> analyze(
      String job, JobUploadRequest request, String usualName, HttpServletRequest http)
      throws IOException, InterruptedException {
    check(job);
    if (http.getHeader("Content-Encoding") != null) {
      throw new ApiProblem(
          Kind.UNSUPPORTED_MEDIA_TYPE,
          "The body is to be sent without Content-Encoding; packed files are read as they are.",
          List.of());
    }
    if (!uploads.tryAcquire()) {
      throw busy();
    }
    try (JobUpload upload = desk.upload()) {
      if (http.getContentLengthLong() > upload.mostBytes()) {
        throw tooLarge(upload);
      }
      if (http instanceof MultipartHttpServletRequest parts) {
        take(parts, request, upload);
      } else {
        try (InputStream body = http.getInputStream()) {
          take(upload, request.fileName(usualName), body);
        }
      }
      return analyze(job, request, upload);
    } finally {
      uploads.release();
    }
  }

  private ResponseEntity<JobAnalysisView> analyze(
      String job, JobUploadRequest request, JobUpload upload) throws InterruptedException {
    try {
      JobDesk.Analysis found =
          desk.analyze(job, upload, request.isFresh()).orElseThrow(JobsController::busy);
      return ResponseEntity.created(URI.create(path(job) + "/analyses/" + found.id()))
          .body(JobAnalysisView.of(found));
    } catch (UnusableJobException problem) {
      throw unusable(Kind.UNUSABLE_UPLOAD, problem);
    }
  }

  private static void take(
      MultipartHttpServletRequest parts, JobUploadRequest request, JobUpload upload)
      throws IOException {
    List<MultipartFile> files = new ArrayList<>();
    parts.getMultiFileMap().values().forEach(files::addAll);
    if (files.isEmpty()) {
      throw new ApiProblem(
          Kind.UNUSABLE_UPLOAD,
          "The form has no file: each needs a filename beside its name.",
          List.of());
    }
    if (files.size() > 1 && (request.rank() != null || request.name() != null)) {
      throw ApiProblem.invalidParameter(
          new Violation(
              request.rank() != null ? "rank" : "name",
              null,
              "is of one file; with several their own names tell it",
              null));
    }
    for (MultipartFile file : files) {
      String name = file.getOriginalFilename();
      try (InputStream content = file.getInputStream()) {
        take(
            upload,
            request.fileName(name == null || name.isBlank() ? file.getName() : name),
            content);
      }
    }
  }

  private static void take(JobUpload upload, String name, InputStream content) throws IOException {
    if (!upload.add(name, content)) {
      throw tooLarge(upload);
    }
  }

  private static ApiProblem tooLarge(JobUpload upload) {
    return new ApiProblem(
        Kind.TOO_LARGE,
        "An upload may have %,d bytes (fabric-health.jobs.max-upload)."
            .formatted(upload.mostBytes()),
        List.of());
  }

  private static ApiProblem busy() {
    return new ApiProblem(
        Kind.BUSY, "Other uploads are being analysed; send this one again later.", List.of());
  }

  private static ApiProblem unusable(Kind kind, UnusableJobException problem) {
    return new ApiProblem(
        kind,
        problem.getMessage() + " 'errors' says why.",
        problem.faults().stream()
            .map(
                fault ->
                    new Violation(
                        ApiProblem.abridged(fault.where()),
                        null,
                        ApiProblem.abridged(fault.problem()),
                        null))
            .toList());
  }

  private static void check(String job) {
    if (job.isBlank()
        || job.length() > LONGEST_NAME
        || job.chars().anyMatch(Character::isISOControl)) {
      throw ApiProblem.invalidParameter(
          new Violation(
              "job",
              ApiProblem.abridged(job),
              "must have 1 to %d characters, none of them a control character"
                  .formatted(LONGEST_NAME),
              null));
    }
  }

  private static String path(String job) {
    return PATH + "/" + UriUtils.encode(job, StandardCharsets.UTF_8);
  }

  // --- what is known

  @Operation(operationId = "listJobs", summary = "Jobs, by name")
  @GetMapping
  ResponseEntity<PageView<JobHeadView>> list(@Valid @ParameterObject JobsRequest request) {
    return request
        .page()
        .page(
            desk.jobs().stream()
                .filter(request::matches)
                .map(head -> new Row<>(0, head.name(), head)),
            false,
            JobHeadView::of)
        .toResponse();
  }

  @Operation(operationId = "getJob", summary = "One job: who takes part, and where")
  @GetMapping("/{job}")
  JobView get(@PathVariable String job) {
    return desk.job(job).map(JobView::of).orElseThrow(() -> ApiProblem.unknownId("job", job));
  }

  @Operation(
      operationId = "getLiveJob",
      summary = "What a running job's ranks say; of a job whose debug servers are asked")
  @GetMapping("/{job}/live")
  JobLiveView live(@PathVariable String job) {
    return live.of(job)
        .map(JobLiveView::of)
        .orElseThrow(() -> ApiProblem.unknownId("running job", job));
  }

  @Operation(operationId = "getJobAnalysis", summary = "What was found of a job")
  @GetMapping("/{job}/analyses/{id}")
  JobAnalysisView analysis(@PathVariable String job, @PathVariable String id) {
    return desk.analysis(job, uuid(id))
        .map(JobAnalysisView::of)
        .orElseThrow(() -> ApiProblem.unknownId("analysis", id));
  }

  private static UUID uuid(String id) {
    try {
      return UUID.fromString(id);
    } catch (IllegalArgumentException notOne) {
      throw ApiProblem.unknownId("analysis", id);
    }
  }

  @Operation(
      operationId = "listJobCollectives",
      summary = "What the last analysis knew of a job's collectives, by group and operation")
  @GetMapping("/{job}/collectives")
  ResponseEntity<PageView<JobCollectiveView>> collectives(
      @PathVariable String job, @Valid @ParameterObject JobCollectivesRequest request) {
    List<KnownCollective> all =
        desk.collectives(job).orElseThrow(() -> ApiProblem.unknownId("job", job));
    return request
        .page(job)
        .page(
            IntStream.range(0, all.size())
                .filter(i -> request.matches(all.get(i)))
                .mapToObj(i -> new Row<>(i, "", all.get(i))),
            false,
            JobCollectiveView::of)
        .toResponse();
  }
}
