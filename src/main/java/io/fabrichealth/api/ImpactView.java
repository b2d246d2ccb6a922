package io.fabrichealth.api;

import io.fabrichealth.finding.JobImpact;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.runtime.FabricSnapshot;
import io.fabrichealth.verdict.Verdict;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/** Who suffers; empty where no job says so. */
record ImpactView(List<JobImpactView> jobs) {

  /** What a job loses. */
  record JobImpactView(
      String job,
      @Schema(minimum = "1", description = "time of a step with the fault, to that without")
          double slowdownRatio,
      @Schema(minimum = "0", maximum = "1", description = "part of the job's time that is lost")
          double lostShare,
      @Schema(description = "lower end of its 95 % interval") double leastShare,
      @Schema(description = "upper end") double mostShare,
      @Schema(description = "that the job's GPUs wait") double gpuHoursPerDay) {}

  /** What an incident costs by now; nothing once it is over. */
  static List<JobImpact> costs(Incident incident, FabricSnapshot now) {
    Verdict verdict =
        incident.state() == Incident.State.RESOLVED ? null : now.verdicts().get(incident.subject());
    return verdict == null ? List.of() : verdict.impacts();
  }

  static ImpactView of(List<JobImpact> impacts) {
    return new ImpactView(
        impacts.stream()
            .map(
                impact ->
                    new JobImpactView(
                        impact.job(),
                        impact.slowdownRatio(),
                        impact.lostShare(),
                        impact.leastShare(),
                        impact.mostShare(),
                        impact.gpuHoursPerDay()))
            .toList());
  }
}
