package io.fabrichealth.api;

import io.fabrichealth.collect.torchdebug.LiveReport;
import io.fabrichealth.runtime.JobReport;
import io.fabrichealth.runtime.JobReport.ReportedFinding;
import io.fabrichealth.runtime.JobReport.ReportedUnknown;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;

/** What the ranks of a running job said when they were last asked. */
record JobLiveView(
    String job,
    @Schema(description = "end of the last pull that was answered") Instant at,
    @Schema(description = "how many are asked") int ranks,
    int answered,
    @Schema(description = "that all ranks recorded since the job was first asked") long entries,
    @Schema(description = "entries that left the rings between two pulls") long unseen,
    @Schema(description = "how often ranks ran another process than before") long restarts,
    List<ReportedFinding> findings,
    @Schema(description = "ranks that only waited") List<Integer> victims,
    @Schema(description = "ranks of which nothing, or not all, is known")
        List<ReportedUnknown> unknown) {
  static JobLiveView of(LiveReport report) {
    JobReport found = JobReport.of(report.analysis());
    return new JobLiveView(
        report.job(),
        report.at(),
        report.ranks(),
        report.answered(),
        report.entries(),
        report.unseen(),
        report.restarts(),
        found.findings(),
        found.victims(),
        found.unknown());
  }
}
