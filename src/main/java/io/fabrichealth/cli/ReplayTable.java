package io.fabrichealth.cli;

import java.util.ArrayList;
import java.util.List;

/** The answer of {@code replay} for people. */
final class ReplayTable {

  private ReplayTable() {}

  static List<String> incidents(List<ReplayReport.Found> incidents) {
    TextTable table = new TextTable();
    table.row("OPENED", "RESOLVED", "SEVERITY", "CAUSE", "PROBABILITY", "SUBJECT", "EXPECTED");
    for (ReplayReport.Found found : incidents) {
      table.row(
          found.openedAt().toString(),
          found.resolvedAt() == null ? "open" : found.resolvedAt().toString(),
          found.severity(),
          found.cause(),
          "%.4f".formatted(found.probability()),
          found.subject().type() + " " + found.subject().id(),
          found.suppressedBy() == null ? "" : found.suppressedBy());
    }
    return table.lines();
  }

  static List<String> comparison(ReplayReport.Comparison comparison) {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add(
        "With %s: %d gained, %d lost, %d at another time, %d the same"
            .formatted(
                comparison.thresholds(),
                comparison.gained().size(),
                comparison.lost().size(),
                comparison.moved().size(),
                comparison.same()));
    TextTable table = new TextTable();
    table.row("CHANGE", "OPENED", "CAUSE", "SUBJECT");
    comparison.gained().forEach(found -> row(table, "gained", found));
    comparison.lost().forEach(found -> row(table, "lost", found));
    for (ReplayReport.Moved moved : comparison.moved()) {
      double seconds = moved.secondsLater();
      table.row(
          "%.0f s %s".formatted(Math.abs(seconds), seconds < 0 ? "earlier" : "later"),
          moved.openedAt().toString(),
          moved.cause().equals(moved.then()) ? moved.cause() : moved.cause() + " > " + moved.then(),
          moved.subject().type() + " " + moved.subject().id());
    }
    lines.addAll(table.lines());
    return lines;
  }

  private static void row(TextTable table, String change, ReplayReport.Found found) {
    table.row(
        change,
        found.openedAt().toString(),
        found.cause(),
        found.subject().type() + " " + found.subject().id());
  }
}
