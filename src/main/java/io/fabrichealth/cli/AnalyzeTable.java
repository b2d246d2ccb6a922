package io.fabrichealth.cli;

import io.fabrichealth.runtime.JobReport;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The answer of {@code analyze} for people. */
final class AnalyzeTable {
  private static final int MOST_RANKS = 16;

  private AnalyzeTable() {}

  static List<String> lines(JobReport report) {
    List<String> lines = new ArrayList<>();
    if (report.findings().isEmpty()) {
      lines.add("Nothing found.");
    } else {
      TextTable table = new TextTable();
      table.row("CAUSE", "PROBABILITY", "SUBJECT", "RANKS", "HOSTS", "SINCE");
      for (JobReport.ReportedFinding found : report.findings()) {
        table.row(
            found.cause(),
            "%.3f".formatted(found.probability()),
            found.subject().type() + " " + found.subject().id(),
            some(found.ranks()),
            some(found.hosts()),
            found.since() == null ? "" : found.since().toString());
      }
      lines.addAll(table.lines());
    }
    for (JobReport.ReportedFinding found : report.findings()) {
      lines.add("");
      lines.add(found.summary());
      found
          .evidence()
          .forEach(
              line ->
                  lines.add(
                      "  %s: %s; expected %s (%s)"
                          .formatted(
                              line.signal(), line.observed(), line.expected(), line.source())));
      lines.add("  " + found.recommendedAction());
    }
    lines.add("");
    if (!report.victims().isEmpty()) {
      lines.add("Only waited: rank " + some(report.victims()));
    }
    report
        .unknown()
        .forEach(rank -> lines.add("Unknown: rank %d, %s".formatted(rank.rank(), rank.reason())));
    report.inputs().stream()
        .filter(input -> input.reason() != null)
        .forEach(input -> lines.add(input.path() + ": " + input.reason()));
    lines.add(
        "%d of %d files read, %d records"
            .formatted(
                report.inputs().stream().filter(input -> input.records() > 0).count(),
                report.inputs().size(),
                report.inputs().stream().mapToLong(JobReport.ReportedInput::records).sum()));
    return lines;
  }

  private static String some(List<?> values) {
    String shown =
        values.stream().limit(MOST_RANKS).map(String::valueOf).collect(Collectors.joining(", "));
    return values.size() <= MOST_RANKS
        ? shown
        : shown + " and %d more".formatted(values.size() - MOST_RANKS);
  }
}
