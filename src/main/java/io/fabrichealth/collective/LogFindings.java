package io.fabrichealth.collective;

import io.fabrichealth.collective.log.GroupReport;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes findings of logs: who, where, by which lines. */
final class LogFindings {
  private static final int MOST_LINES = 12;
  private static final int MOST_NAMED = 8;

  private final String job;
  private final Map<Integer, String> hosts;
  private final List<CollectiveFinding> all = new ArrayList<>();

  /** A line of the log as evidence. */
  record Line(String signal, String observed, String expected, String source) {}

  LogFindings(String job, Map<Integer, String> hosts) {
    this.job = job;
    this.hosts = hosts;
  }

  void add(
      Cause cause,
      List<Integer> ranks,
      double probability,
      @Nullable Instant since,
      String summary,
      List<Line> lines) {
    List<String> named =
        ranks.stream().map(hosts::get).filter(Objects::nonNull).distinct().sorted().toList();
    add(cause, ranks, named, List.of(), probability, since, summary, lines);
  }

  void add(
      Cause cause,
      List<Integer> ranks,
      List<String> onHosts,
      List<String> links,
      double probability,
      @Nullable Instant since,
      String summary,
      List<Line> lines) {
    Subject subject = subject(ranks, onHosts, links);
    Instant at = since == null ? Instant.EPOCH : since;
    double nats = Math.log(probability / (1 - probability));
    List<Evidence> evidence = new ArrayList<>();
    for (Line line : lines) {
      if (evidence.size() < MOST_LINES) {
        evidence.add(
            new Evidence(
                Family.COLLECTIVE,
                line.signal(),
                subject,
                line.observed(),
                line.expected(),
                Reference.PEERS,
                evidence.isEmpty() ? nats : 0,
                at,
                at,
                line.source()));
      }
    }
    all.add(
        new CollectiveFinding(
            cause, subject, ranks, onHosts, links, probability, since, summary, evidence));
  }

  private Subject subject(List<Integer> ranks, List<String> onHosts, List<String> links) {
    if (links.size() == 1 && links.getFirst().contains("/")) {
      return new Subject(SubjectType.PORT, links.getFirst());
    }
    if (ranks.size() == 1) {
      return Subject.rank(job, ranks.getFirst());
    }
    return onHosts.size() == 1 && links.isEmpty()
        ? Subject.host(onHosts.getFirst())
        : Subject.job(job);
  }

  static Line line(GroupReport report, String source) {
    String group =
        report.description().isEmpty()
            ? report.group()
            : report.group() + " (" + report.description() + ")";
    String counts =
        report.lastEnqueued() == GroupReport.ABSENT
            ? ""
            : ", last enqueued %d, last completed %d"
                .formatted(report.lastEnqueued(), report.lastCompleted());
    String what =
        report.isTimeout()
            ? "rank %d waited for %s%s".formatted(report.rank(), operation(report), counts)
            : "rank %d did not time out%s".formatted(report.rank(), counts);
    String stuck = report.isStuck() ? ", its watchdog stood still (in CUDA or NCCL)" : "";
    String control = report.elements() == 1 ? "; one element: mostly control flow" : "";
    return new Line(
        "watchdog",
        what + stuck + control,
        "all of group %s enqueue the same".formatted(group.isEmpty() ? "unknown" : group),
        "%s:%d".formatted(source, report.line()));
  }

  private static String operation(GroupReport report) {
    String number = report.awaited() < 0 ? "a collective" : "number " + report.awaited();
    return report.operation().isEmpty() ? number : number + " " + report.operation();
  }

  /** {@code Rank 3}, {@code Ranks 3, 4}, and no more than a reader takes in. */
  static String name(Collection<Integer> ranks) {
    String listed =
        ranks.stream().limit(MOST_NAMED).map(String::valueOf).collect(Collectors.joining(", "));
    String more =
        ranks.size() > MOST_NAMED ? " and %d more".formatted(ranks.size() - MOST_NAMED) : "";
    return (ranks.size() == 1 ? "Rank " : "Ranks ") + listed + more;
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  List<CollectiveFinding> all() {
    return all;
  }
}
