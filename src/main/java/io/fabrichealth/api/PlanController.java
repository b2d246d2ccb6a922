package io.fabrichealth.api;

import io.fabrichealth.api.ApiProblem.Kind;
import io.fabrichealth.api.ApiProblem.Violation;
import io.fabrichealth.runtime.FabricSnapshot;
import io.fabrichealth.runtime.PlanImport;
import io.fabrichealth.runtime.PlanImport.Format;
import io.fabrichealth.runtime.PlanImport.Imported;
import io.fabrichealth.runtime.SettingsException;
import io.fabrichealth.runtime.SettingsProblem;
import io.fabrichealth.runtime.Snapshots;
import io.fabrichealth.runtime.TopologyPlan;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.PlanMerge;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What should be wired to what: the plan, in our form and in others'. */
@Tag(name = "topology")
@RestController
@RequestMapping(path = "/api/v1/topology", produces = MediaType.APPLICATION_JSON_VALUE)
class PlanController {
  /** A plan of 100,000 links takes about 40 MB. */
  private static final int LARGEST_BODY = 64 << 20;

  private static final String YAML = "application/yaml";

  private final Semaphore documents = new Semaphore(1);
  private final Snapshots snapshots;
  private final TopologyPlan plans;

  PlanController(Snapshots snapshots, TopologyPlan plans) {
    this.snapshots = snapshots;
    this.plans = plans;
  }

  @Operation(
      operationId = "putTopology",
      summary = "Replaces the plan: the topology record of a capture, in JSON or YAML")
  @PutMapping(consumes = {MediaType.APPLICATION_JSON_VALUE, YAML})
  PlanChangeView put(
      @Valid @ParameterObject PlanRequest request,
      @RequestHeader(HttpHeaders.CONTENT_TYPE) String type,
      InputStream body)
      throws IOException {
    boolean isJson = MediaType.APPLICATION_JSON.isCompatibleWith(MediaType.parseMediaType(type));
    hold();
    try {
      Fabric plan = read(document(body), isJson);
      return change(request.isDryRun(), before -> plan, new Imported(plan, List.of(), List.of()));
    } finally {
      documents.release();
    }
  }

  @Operation(
      operationId = "importTopology",
      summary = "Adds what another tool wrote to the plan, or makes it the plan")
  @PostMapping(
      path = "/import",
      consumes = {
        MediaType.APPLICATION_JSON_VALUE,
        MediaType.APPLICATION_OCTET_STREAM_VALUE,
        MediaType.APPLICATION_XML_VALUE,
        MediaType.TEXT_PLAIN_VALUE,
        "text/csv",
        YAML
      })
  PlanChangeView importPlan(@Valid @ParameterObject PlanImportRequest request, InputStream body)
      throws IOException {
    Format format = Objects.requireNonNull(request.format());
    String device = request.device();
    if (format.isOfOneDevice() && (device == null || device.isBlank())) {
      throw ApiProblem.invalidParameter(
          new Violation("device", null, "is needed for " + format + ": it does not say it", null));
    }
    hold();
    try {
      Imported imported = read(format, device, document(body));
      return change(
          request.isDryRun(),
          before -> request.isReplacing() ? imported.plan() : PlanMerge.of(before, imported.plan()),
          imported);
    } finally {
      documents.release();
    }
  }

  /** A large document takes memory many times its size while it is read. */
  private void hold() {
    if (!documents.tryAcquire()) {
      throw new ApiProblem(
          Kind.BUSY, "Another plan is being read; send this one again later.", List.of());
    }
  }

  private PlanChangeView change(boolean dryRun, UnaryOperator<Fabric> change, Imported imported) {
    if (!dryRun && plans.configured() != null) {
      throw new ApiProblem(
          Kind.PLAN_IS_CONFIGURED,
          "The configuration names a plan, which is changed in its file alone; with dryRun=true"
              + " the answer holds the plan to put there.",
          List.of());
    }
    FabricSnapshot snapshot = snapshots.current();
    TopologyPlan.Change changed = plans.change(snapshot.plan(), change, dryRun);
    return PlanChangeView.of(dryRun, changed, imported, snapshot.at());
  }

  private static Fabric read(byte[] document, boolean json) {
    try {
      return TopologyPlan.read(document, json);
    } catch (SettingsException e) {
      throw invalid(e);
    }
  }

  private static Imported read(Format format, @Nullable String device, byte[] document) {
    try {
      return PlanImport.read(format, device, document);
    } catch (SettingsException e) {
      throw invalid(e);
    }
  }

  private static byte[] document(InputStream body) throws IOException {
    return WholeRequest.read(body, LARGEST_BODY, "A plan");
  }

  private static ApiProblem invalid(SettingsException fault) {
    List<Violation> violations =
        fault.problems().stream().limit(100).map(PlanController::violation).toList();
    return new ApiProblem(
        Kind.INVALID_BODY,
        "The plan cannot be read; 'errors' says where and why. Nothing of it was taken.",
        violations);
  }

  private static Violation violation(SettingsProblem problem) {
    String allowed = problem.allowed();
    return new Violation(
        problem.where(),
        problem.key(),
        ApiProblem.abridged(problem.problem()),
        allowed == null ? null : List.of(allowed));
  }
}
