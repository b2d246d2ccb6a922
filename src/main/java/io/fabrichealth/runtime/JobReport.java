package io.fabrichealth.runtime;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabrichealth.collect.jobs.InputFile;
import io.fabrichealth.collect.jobs.JobInputs;
import io.fabrichealth.collective.CollectiveFinding;
import io.fabrichealth.collective.JobAnalysis;
import io.fabrichealth.collective.UnknownRank;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a job, or with several: what {@code analyze} prints ({@code
 * docs/reference/analyze.schema.json}), and what the service answers and stores.
 */
public record JobReport(
    List<ReportedFinding> findings,
    List<Integer> victims,
    List<ReportedUnknown> unknown,
    List<ReportedInput> inputs,
    int jobs) {

  /** What is found of one job, whatever it was read from. */
  public static JobReport of(JobAnalysis analysis) {
    Builder builder = new Builder(false);
    builder.addFound(null, analysis);
    return builder.build();
  }

  public record ReportedSubject(String type, String id) {
    static ReportedSubject of(Subject subject) {
      return new ReportedSubject(subject.type().label(), subject.id());
    }
  }

  /**
   * A finding.
   *
   * @param job absent where all input is of one job
   */
  public record ReportedFinding(
      String cause,
      ReportedSubject subject,
      List<Integer> ranks,
      List<String> hosts,
      List<String> links,
      double probability,
      @Nullable Instant since,
      String summary,
      String recommendedAction,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String job,
      List<ReportedEvidence> evidence) {

    static ReportedFinding of(CollectiveFinding finding, @Nullable String job) {
      return new ReportedFinding(
          finding.cause().name(),
          ReportedSubject.of(finding.subject()),
          finding.ranks(),
          finding.hosts(),
          finding.links(),
          finding.probability(),
          finding.since(),
          finding.summary(),
          finding.cause().recommendedAction(),
          job,
          finding.evidence().stream().map(ReportedEvidence::of).toList());
    }
  }

  /** A line of the evidence. */
  public record ReportedEvidence(
      String family,
      String signal,
      ReportedSubject subject,
      String observed,
      String expected,
      String reference,
      double nats,
      @Nullable Instant from,
      @Nullable Instant to,
      String source) {

    static ReportedEvidence of(Evidence evidence) {
      return new ReportedEvidence(
          evidence.family().label(),
          evidence.signal(),
          ReportedSubject.of(evidence.subject()),
          evidence.observed(),
          evidence.expected(),
          evidence.reference().label(),
          evidence.nats(),
          time(evidence.from()),
          time(evidence.to()),
          evidence.source());
    }

    /** What has no time is said to be of 1970. */
    private static @Nullable Instant time(Instant at) {
      return at.equals(Instant.EPOCH) ? null : at;
    }
  }

  /** A rank of which nothing, or not all, is known. */
  public record ReportedUnknown(
      int rank, String reason, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String job) {
    static ReportedUnknown of(UnknownRank unknown, @Nullable String job) {
      return new ReportedUnknown(unknown.rank(), unknown.reason(), job);
    }
  }

  /** What became of a file. */
  public record ReportedInput(
      String path, String kind, long records, long skipped, @Nullable String reason) {
    static ReportedInput of(InputFile file) {
      return new ReportedInput(
          file.path(), file.kind().name(), file.records(), file.skipped(), file.reason());
    }
  }

  /** Gathers the answers of several jobs. */
  public static final class Builder {
    private final boolean isNamed;
    private final List<ReportedFinding> findings = new ArrayList<>();
    private final List<Integer> victims = new ArrayList<>();
    private final List<ReportedUnknown> unknown = new ArrayList<>();
    private final List<ReportedInput> inputs = new ArrayList<>();
    private int jobs;

    /**
     * @param isNamed whether the job's name has to stand beside what is said of it
     */
    public Builder(boolean isNamed) {
      this.isNamed = isNamed;
    }

    public void add(JobInputs job, JobAnalysis analysis) {
      addFound(isNamed ? job.name() : null, analysis);
      job.inputs().forEach(file -> inputs.add(ReportedInput.of(file)));
    }

    private void addFound(@Nullable String name, JobAnalysis analysis) {
      analysis.findings().forEach(finding -> findings.add(ReportedFinding.of(finding, name)));
      victims.addAll(analysis.victims());
      analysis.unknown().forEach(rank -> unknown.add(ReportedUnknown.of(rank, name)));
      jobs++;
    }

    public JobReport build() {
      return new JobReport(
          List.copyOf(findings),
          victims.stream().distinct().sorted().toList(),
          List.copyOf(unknown),
          List.copyOf(inputs),
          jobs);
    }
  }
}
