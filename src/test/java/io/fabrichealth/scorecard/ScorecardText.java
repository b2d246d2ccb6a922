package io.fabrichealth.scorecard;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A scorecard as tables of Markdown, which are as good to read on a screen. */
final class ScorecardText {
  private ScorecardText() {}

  static String targets(Scorecard card) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("what", "aim", "measured", ""));
    for (Target target : card.targets()) {
      String verdict =
          switch (target.verdict()) {
            case REACHED -> "reached";
            case MISSED -> "**missed**";
            case NOT_MEASURED -> "not measured";
          };
      rows.add(List.of(target.what(), target.aim(), target.measured(), verdict));
    }
    return table(rows);
  }

  static String classes(Scorecard card) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "class",
            "",
            "runs",
            "faults",
            "recall",
            "top-1",
            "top-3",
            "MRR",
            "cause",
            "precision",
            "echoes",
            "wrong",
            "TTD median",
            "TTD p95",
            "from onset"));
    for (ClassRow row : card.rows()) {
      rows.add(
          List.of(
              String.valueOf(row.faultClass()),
              row.name(),
              String.valueOf(row.runs()),
              String.valueOf(row.faults()),
              Figures.percent(row.recall()),
              Figures.percent(row.topOne()),
              Figures.percent(row.topThree()),
              Figures.number(row.meanReciprocalRank()),
              Figures.percent(row.cause()),
              Campaign.isConfounder(row.faultClass()) ? "-" : Figures.percent(row.precision()),
              String.valueOf(row.echoes()),
              String.valueOf(row.wrong()),
              Figures.seconds(row.ttdMedian()),
              Figures.seconds(row.ttdP95()),
              Figures.seconds(row.fromOnsetMedian())));
    }
    return table(rows);
  }

  static String further(Scorecard card) {
    return """
    - False alarms: %d in %s link-days where nothing is wrong; where none is seen, fewer than %s in 10,000 link-days with 95 %% (3/n).
    - Calibration over %d subjects: Brier %s (always saying the rate: %s), ECE %s in %d bins of equal mass.
    - Drifting lanes: told a median of %s before the first lost codeword, or the end of the run.
    - Cost: %s CPU-seconds of the engine, %s readings a CPU-second; %s MB resident at most, with simulator and scorer.
    """
        .formatted(
            card.falseAlarms(),
            Figures.number(card.quietLinkDays()),
            Figures.number(card.bound()),
            card.calibrated().trials(),
            Figures.number(card.calibrated().brier()),
            Figures.number(card.calibrated().brierOfRate()),
            Figures.number(card.calibrated().error()),
            Calibration.BINS,
            Figures.seconds(card.leadMedian()),
            Figures.number(card.cpuSeconds()),
            Figures.number(card.readingsPerCpuSecond()),
            Figures.number(card.peakBytes() / 1e6));
  }

  static String fec(Scorecard card) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "truth",
            "lost codewords",
            "ours, median",
            "ours, worst",
            "interval covers",
            "SONiC, as designed",
            "SONiC, as shipped"));
    for (FecMargins.Row row : card.fec().rows()) {
      rows.add(
          List.of(
              row.truth() + (row.inFamily() ? "" : " (no family of ours)"),
              Figures.number(row.lostRatio()),
              Figures.number(row.median()),
              Figures.number(row.worst()),
              row.covered() + " of " + row.errors().size(),
              Figures.number(row.sonicMethod()),
              Figures.number(row.sonicScript())));
    }
    return table(rows);
  }

  static String peers(Scorecard card) {
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("class", "", "faults", "ours", "ours, TTD"));
    card.peers().keySet().forEach(peer -> head.addAll(List.of(peer, "TTD")));
    rows.add(head);
    for (ClassRow row : card.rows()) {
      List<String> cells =
          new ArrayList<>(
              List.of(
                  String.valueOf(row.faultClass()),
                  row.name(),
                  String.valueOf(row.faults()),
                  found(row.found(), row.faults(), row.wrong() + row.echoes()),
                  Figures.seconds(row.ttdMedian())));
      card.peers()
          .forEach(
              (peer, byClass) -> {
                PeerTable.Cell cell = byClass.getOrDefault(row.faultClass(), PeerTable.Cell.EMPTY);
                cells.add(found(cell.found(), cell.faults(), cell.wrong()));
                cells.add(
                    Figures.seconds(
                        ClassRow.quantile(
                            cell.seconds().stream().mapToDouble(Double::doubleValue), .5)));
              });
      rows.add(cells);
    }
    return table(rows);
  }

  private static String found(int found, int faults, int wrong) {
    String share = faults == 0 ? "-" : Figures.percent((double) found / faults);
    return wrong == 0 ? share : share + ", " + wrong + " wrong";
  }

  /** What was missed or wrong, in words, so that it can be looked at. */
  static List<String> failures(Scorecard card) {
    List<String> lines = new ArrayList<>();
    for (RunScore run : card.runs()) {
      for (FaultScore fault : run.faults()) {
        if (!fault.isFound() && !fault.announced()) {
          lines.add("%s: missed %s %s".formatted(run.label(), fault.cause(), fault.subject()));
        } else if (fault.rank() > 1 || fault.isFound() && !fault.causeRight()) {
          lines.add(
              "%s: rank %d for %s %s, said %s"
                  .formatted(
                      run.label(), fault.rank(), fault.cause(), fault.subject(), fault.said()));
        }
      }
      run.wrong().forEach(one -> lines.add(run.label() + ": wrong " + one));
      run.echoes().forEach(one -> lines.add(run.label() + ": echo " + one));
    }
    return lines;
  }

  private static String table(List<List<String>> rows) {
    List<String> lines = new ArrayList<>();
    lines.add("| " + String.join(" | ", rows.getFirst()) + " |");
    lines.add(
        rows.getFirst().stream().map(cell -> "---").collect(Collectors.joining(" | ", "| ", " |")));
    rows.stream().skip(1).forEach(row -> lines.add("| " + String.join(" | ", row) + " |"));
    return String.join("\n", lines);
  }
}
