package io.fabrichealth.scorecard;

import io.fabrichealth.scorecard.Calibration.Bin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/**
 * What a campaign came to.
 *
 * @param rows by class, with the healthy days as class 0
 * @param peers other products' rules on the same records, by name, then class
 * @param readingsPerCpuSecond of the engine alone
 * @param peakBytes resident memory of the process, with simulator and scorer; 0 where not known
 */
record Scorecard(
    Campaign campaign,
    List<ClassRow> rows,
    List<RunScore> runs,
    Map<String, Map<Integer, PeerTable.Cell>> peers,
    Calibrated calibrated,
    FecMargins fec,
    double cpuSeconds,
    double readingsPerCpuSecond,
    long peakBytes) {

  private static final double TEN_THOUSAND = 10_000;
  private static final double SIX_HOURS = 6 * 3_600;

  /** How probabilities fared. */
  record Calibrated(int trials, double brier, double brierOfRate, double error, List<Bin> bins) {}

  private List<ClassRow> ofFaults() {
    return rows.stream().filter(row -> !Campaign.isConfounder(row.faultClass())).toList();
  }

  private List<ClassRow> ofConfounders() {
    return rows.stream().filter(row -> Campaign.isConfounder(row.faultClass())).toList();
  }

  private static int sum(List<ClassRow> rows, ToIntFunction<ClassRow> of) {
    return rows.stream().mapToInt(of).sum();
  }

  double recall() {
    return ClassRow.ratio(sum(rows, ClassRow::found), sum(rows, ClassRow::faults));
  }

  /** Over the classes with faults; incidents where nothing is wrong stand under false alarms. */
  double precision() {
    List<ClassRow> faulty = ofFaults();
    int right = sum(faulty, ClassRow::right);
    return ClassRow.ratio(
        right, right + sum(faulty, ClassRow::echoes) + sum(faulty, ClassRow::wrong));
  }

  double topOne() {
    return ClassRow.ratio(sum(rows, ClassRow::first), sum(rows, ClassRow::faults));
  }

  double cause() {
    return ClassRow.ratio(sum(rows, ClassRow::causeRight), sum(rows, ClassRow::found));
  }

  double ttd(double quantile) {
    return ClassRow.quantile(
        faults().stream()
            .filter(FaultScore::isFound)
            .mapToDouble(FaultScore::secondsFromObservable),
        quantile);
  }

  private List<FaultScore> faults() {
    return runs.stream()
        .flatMap(run -> run.faults().stream())
        .filter(fault -> !fault.announced())
        .toList();
  }

  int falseAlarms() {
    return sum(ofConfounders(), row -> row.wrong() + row.echoes());
  }

  double quietLinkDays() {
    return ofConfounders().stream().mapToDouble(ClassRow::linkDays).sum();
  }

  /** With 95 % there are no more than this in 10,000 link-days, where none was seen. */
  double bound() {
    return 3 / quietLinkDays() * TEN_THOUSAND;
  }

  /** Part of the drifting lanes that were told six hours before the first lost codeword. */
  double warned() {
    List<FaultScore> drifts = faults().stream().filter(fault -> fault.faultClass() == 1).toList();
    return ClassRow.ratio(
        drifts.stream().filter(fault -> fault.leadSeconds() >= SIX_HOURS).count(), drifts.size());
  }

  double leadMedian() {
    return ClassRow.quantile(faults().stream().mapToDouble(FaultScore::leadSeconds), .5);
  }

  private List<RunScore> notOfTheNetwork() {
    return runs.stream().filter(run -> !Campaign.isOfTheNetwork(run.faultClass())).toList();
  }

  int audited() {
    return runs.stream().mapToInt(RunScore::audited).sum();
  }

  int auditFailures() {
    return runs.stream().mapToInt(RunScore::auditFailures).sum();
  }

  List<Target> targets() {
    double poll = 10;
    boolean isQuiet = quietLinkDays() > 0;
    List<RunScore> others = notOfTheNetwork();
    long blamed = others.stream().filter(run -> run.linksBlamed() > 0).count();
    return List.of(
        Target.atLeast("recall, all faults", .99, recall()),
        Target.atLeast("precision, classes with faults", .99, precision()),
        Target.atLeast("right entity first (top-1)", .99, topOne()),
        Target.atLeast("right cause, of those found", .95, cause()),
        Target.secondsAtMost("time to detect, median", poll + 1, ttd(.5)),
        Target.secondsAtMost("time to detect, 95th percentile", 3 * poll, ttd(.95)),
        Target.of(
            "false alarms where nothing is wrong",
            "0",
            "%d in %s link-days".formatted(falseAlarms(), Figures.number(quietLinkDays())),
            falseAlarms() == 0,
            isQuiet ? falseAlarms() : Double.NaN),
        Target.of(
            "a link blamed where a host or the job is at fault",
            "0",
            "in %d of %d runs".formatted(blamed, others.size()),
            blamed == 0,
            others.isEmpty() ? Double.NaN : blamed),
        Target.atLeast("drifting lane told >= 6 h before the first lost codeword", .95, warned()),
        Target.atMost("FEC margin, median error in decades", .3, fec.median()),
        Target.atMost("FEC margin, 95th percentile in decades", 1, fec.p95()),
        Target.atLeast("FEC margin, 95 % interval covers", .90, fec.covered()),
        Target.atMost("calibration error (ECE)", .03, calibrated.error()),
        Target.of(
            "explanations that add up, to 1e-9",
            "all",
            "%d of %d".formatted(audited() - auditFailures(), audited()),
            auditFailures() == 0,
            audited() == 0 ? Double.NaN : audited()),
        Target.of(
            "readings a CPU-second, engine alone",
            ">= 3 million",
            Figures.number(readingsPerCpuSecond),
            readingsPerCpuSecond >= 3e6,
            readingsPerCpuSecond));
  }

  boolean isReached() {
    return targets().stream().noneMatch(target -> target.verdict() == Target.Verdict.MISSED);
  }

  /** Gathers the runs; for several threads. */
  static final class Builder {
    private final Campaign campaign;
    private final Calibration calibration = new Calibration();
    private final PeerTable peers = new PeerTable(List.of());
    private final List<RunScore> runs = new ArrayList<>();
    private double cpuSeconds;
    private long readings;

    Builder(Campaign campaign) {
      this.campaign = campaign;
    }

    Calibration calibration() {
      return calibration;
    }

    void add(PeerTable table) {
      peers.add(table);
    }

    synchronized void add(ScoredRun.Result result) {
      runs.add(result.score());
      cpuSeconds += result.cost().cpuSeconds();
      readings += result.cost().readings();
    }

    Scorecard build(FecMargins fec) {
      Map<Integer, List<RunScore>> byClass = new TreeMap<>();
      runs.forEach(
          run -> byClass.computeIfAbsent(run.faultClass(), none -> new ArrayList<>()).add(run));
      List<ClassRow> rows = new ArrayList<>();
      byClass.forEach(
          (faultClass, ofClass) ->
              rows.add(ClassRow.of(faultClass, ofClass.getFirst().className(), ofClass)));
      return new Scorecard(
          campaign,
          rows,
          List.copyOf(runs),
          peers.cells(),
          new Calibrated(
              calibration.trials(),
              calibration.brier(),
              calibration.brierOfRate(),
              calibration.error(),
              calibration.bins()),
          fec,
          cpuSeconds,
          cpuSeconds == 0 ? Double.NaN : readings / cpuSeconds,
          peakBytes());
    }

    /** The most that the process ever held, as Linux tells it. */
    private static long peakBytes() {
      Path status = Path.of("/proc/self/status");
      if (!Files.isReadable(status)) {
        return 0;
      }
      try (var lines = Files.lines(status)) {
        return lines
            .filter(line -> line.startsWith("VmHWM:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1_024)
            .findFirst()
            .orElse(0);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
