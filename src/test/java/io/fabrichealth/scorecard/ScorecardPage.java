package io.fabrichealth.scorecard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Writes a scorecard: as text, as JSON, and as the documents' page with its plots. */
final class ScorecardPage {
  private static final double SAID_LEAST = 1e-4;

  private final Scorecard card;

  ScorecardPage(Scorecard card) {
    this.card = card;
  }

  String text() {
    List<String> parts = new ArrayList<>();
    parts.add(ScorecardText.targets(card));
    parts.add(ScorecardText.classes(card));
    parts.add(ScorecardText.further(card));
    parts.add(ScorecardText.fec(card));
    parts.add(ScorecardText.peers(card));
    parts.add(String.join("\n", ScorecardText.failures(card)));
    return String.join("\n\n", parts) + "\n";
  }

  void writeJson(Path file) throws IOException {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("targets", card.targets());
    json.put("classes", card.rows());
    json.put("recall", card.recall());
    json.put("precision", card.precision());
    json.put("topOne", card.topOne());
    json.put("cause", card.cause());
    json.put("ttdMedianSeconds", card.ttd(.5));
    json.put("ttdP95Seconds", card.ttd(.95));
    json.put("falseAlarms", card.falseAlarms());
    json.put("quietLinkDays", card.quietLinkDays());
    json.put("falseAlarmBoundPer10000LinkDays", card.bound());
    json.put("calibration", card.calibrated());
    json.put("fec", card.fec().rows());
    json.put("peers", card.peers());
    json.put("cpuSeconds", card.cpuSeconds());
    json.put("readingsPerCpuSecond", card.readingsPerCpuSecond());
    json.put("peakBytes", card.peakBytes());
    json.put("runs", card.runs());
    Files.writeString(
        file, JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(json));
  }

  /** The page, and beside it a folder of plots. */
  void writeDocuments(Path page) throws IOException {
    Path plots = page.resolveSibling("scorecard");
    Files.createDirectories(plots);
    Files.writeString(
        plots.resolve("reliability.svg"), Plot.reliability(card.calibrated().bins(), SAID_LEAST));
    Files.writeString(plots.resolve("time-to-detect.svg"), timesToDetect());
    Files.writeString(plots.resolve("fec-margin.svg"), margins());
    Files.writeString(page, page());
  }

  private String timesToDetect() {
    List<Plot.Row> rows =
        card.rows().stream()
            .filter(row -> row.found() > 0)
            .map(
                row ->
                    new Plot.Row(
                        row.faultClass() + " " + row.name(),
                        List.of(
                            new Plot.Bar(Math.max(1, row.ttdMedian()), "a"),
                            new Plot.Bar(Math.max(1, row.ttdP95()), "b"))))
            .toList();
    return Plot.bars(
        "Time to detect", "s from when it could be seen: median, 95th percentile", rows, 1, 1e5);
  }

  private String margins() {
    List<Plot.Row> rows =
        card.fec().rows().stream()
            .map(
                row ->
                    new Plot.Row(
                        row.truth().length() > 38 ? row.truth().substring(0, 38) : row.truth(),
                        List.of(
                            new Plot.Bar(row.median(), "a"),
                            new Plot.Bar(row.sonicMethod(), "b"),
                            new Plot.Bar(row.sonicScript(), "c"))))
            .toList();
    return Plot.bars(
        "Error of the ratio of lost codewords",
        "decades: ours, SONiC as designed, SONiC as shipped",
        rows,
        1e-3,
        10);
  }

  private String page() {
    Campaign campaign = card.campaign();
    return """
    # Scorecard

    How well faults are found, named and told apart from what only looks like one. Measured on simulated fabrics: no real GPU fabric was to be had. The simulator shares no formula with the detectors; a class run is 128 links for two hours at 10 s polls (class 1: 48 hours at 60 s).

    Made by

    ```
    mvn -Pscorecard verify -Dscorecard.seeds=%d -Dscorecard.first-seed=%d -Dscorecard.healthy-link-days=%.0f -Dscorecard.docs=true
    ```

    for the classes %s in the severities %s; the figures in full are in `target/scorecard/scorecard.json` then. `-Dscorecard.captures=FOLDER` scores captures on disk that have their truth beside them.

    ## What is aimed at

    %s

    %s

    ## By class

    Recall: an incident at the entity, or at another name of it, while the fault lasts. Precision counts every other incident as wrong, those at what the fault only touches (echoes) too: one fault is one incident. Times are from the first moment at which the polls can show the fault, and from its begin.

    %s

    ![Time to detect by class](scorecard/time-to-detect.svg)

    ## Probabilities

    ![What is said, and how often it is so](scorecard/reliability.svg)

    ## FEC margin

    Error of log10 of the ratio of lost codewords, told from two minutes of a 400G port. SONiC's method is written anew from its description.

    %s

    ![Error of the ratio of lost codewords](scorecard/fec-margin.svg)

    ## Others on the same records

    [Other products' rules](../explanation/peers.md), written anew by us from what is published of them. A fault counts as found where a rule names any port of it, or of what it touches.

    %s

    ## What these figures are not

    The faults are simulated, by us. Other products' rules saw what our collectors poll, not what they would read themselves. Figures of papers come from other fabrics, and none stands here.
    """
        .formatted(
            campaign.seeds(),
            campaign.firstSeed(),
            campaign.healthyLinkDays(),
            campaign.classes(),
            campaign.severities(),
            ScorecardText.targets(card),
            ScorecardText.further(card),
            ScorecardText.classes(card),
            ScorecardText.fec(card),
            ScorecardText.peers(card));
  }
}
