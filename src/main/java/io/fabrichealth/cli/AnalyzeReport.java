package io.fabrichealth.cli;

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

/** What {@code analyze} prints: the contract is {@code docs/reference/analyze.schema.json}. */
record AnalyzeReport(
    List<Found> findings,
    List<Integer> victims,
    List<Unknown> unknown,
    List<Input> inputs,
    int jobs) {

  record About(String type, String id) {
    static About of(Subject subject) {
      return new About(subject.type().label(), subject.id());
    }
  }

  /**
   * A finding.
   *
   * @param job absent where all input is of one job
   */
  record Found(
      String cause,
      About subject,
      List<Integer> ranks,
      List<String> hosts,
      List<String> links,
      double probability,
      @Nullable Instant since,
      String summary,
      String recommendedAction,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String job,
      List<Line> evidence) {

    static Found of(CollectiveFinding finding, @Nullable String job) {
      return new Found(
          finding.cause().name(),
          About.of(finding.subject()),
          finding.ranks(),
          finding.hosts(),
          finding.links(),
          finding.probability(),
          finding.since(),
          finding.summary(),
          finding.cause().recommendedAction(),
          job,
          finding.evidence().stream().map(Line::of).toList());
    }
  }

  /** A line of the evidence. */
  record Line(
      String family,
      String signal,
      About subject,
      String observed,
      String expected,
      String reference,
      double nats,
      @Nullable Instant from,
      @Nullable Instant to,
      String source) {

    static Line of(Evidence evidence) {
      return new Line(
          evidence.family().label(),
          evidence.signal(),
          About.of(evidence.subject()),
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
  record Unknown(
      int rank, String reason, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String job) {
    static Unknown of(UnknownRank unknown, @Nullable String job) {
      return new Unknown(unknown.rank(), unknown.reason(), job);
    }
  }

  /** What became of a file. */
  record Input(String path, String kind, long records, long skipped, @Nullable String reason) {
    static Input of(InputFile file) {
      return new Input(
          file.path(), file.kind().name(), file.records(), file.skipped(), file.reason());
    }
  }

  /** Gathers the answers of several jobs. */
  static final class Builder {
    private final boolean isNamed;
    private final List<Found> findings = new ArrayList<>();
    private final List<Integer> victims = new ArrayList<>();
    private final List<Unknown> unknown = new ArrayList<>();
    private final List<Input> inputs = new ArrayList<>();
    private int jobs;

    /**
     * @param isNamed whether the job's name has to stand beside what is said of it
     */
    Builder(boolean isNamed) {
      this.isNamed = isNamed;
    }

    void add(JobInputs job, JobAnalysis analysis) {
      String name = isNamed ? job.name() : null;
      analysis.findings().forEach(finding -> findings.add(Found.of(finding, name)));
      victims.addAll(analysis.victims());
      analysis.unknown().forEach(rank -> unknown.add(Unknown.of(rank, name)));
      job.inputs().forEach(file -> inputs.add(Input.of(file)));
      jobs++;
    }

    AnalyzeReport build() {
      return new AnalyzeReport(
          List.copyOf(findings),
          victims.stream().distinct().sorted().toList(),
          List.copyOf(unknown),
          List.copyOf(inputs),
          jobs);
    }
  }
}
