package io.fabrichealth.api;

import io.fabrichealth.runtime.JobDesk;
import io.fabrichealth.runtime.JobReport.ReportedFinding;
import io.fabrichealth.runtime.JobReport.ReportedInput;
import io.fabrichealth.runtime.JobReport.ReportedUnknown;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** What was found of a job, in the form of the command {@code analyze}. */
record JobAnalysisView(
    UUID id,
    String job,
    Instant at,
    List<ReportedFinding> findings,
    @Schema(description = "ranks that only waited") List<Integer> victims,
    @Schema(description = "ranks of which nothing, or not all, is known")
        List<ReportedUnknown> unknown,
    @Schema(description = "what became of each file, also of those sent before")
        List<ReportedInput> inputs) {
  static JobAnalysisView of(JobDesk.Analysis analysis) {
    return new JobAnalysisView(
        analysis.id(),
        analysis.job(),
        analysis.at(),
        analysis.report().findings(),
        analysis.report().victims(),
        analysis.report().unknown(),
        analysis.report().inputs());
  }
}
