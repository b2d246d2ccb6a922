package io.fabrichealth.scorecard;

import io.fabrichealth.capture.InvalidCaptureException;
import io.fabrichealth.runtime.Replay;
import io.fabrichealth.runtime.ThresholdCatalogue;
import io.fabrichealth.simulate.world.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The scorecard from the command line: {@code mvn -Pscorecard verify}. What it measures goes to
 * {@code target/scorecard}, and into the documents where that is asked for.
 */
public final class ScorecardMain {
  private static final Path FOLDER = Path.of("target/scorecard");
  private static final Path PAGE = Path.of("docs/reference/scorecard.md");
  private static final int FEC_DRAWS = 20;

  private ScorecardMain() {}

  /** Reads its properties {@code scorecard.*}. */
  public static void main(String[] args)
      throws IOException, InterruptedException, InvalidCaptureException {
    Campaign campaign =
        new Campaign(
            classes(System.getProperty("scorecard.classes", "")),
            severities(System.getProperty("scorecard.severities", "")),
            Long.getLong("scorecard.first-seed", 1),
            Integer.getInteger("scorecard.seeds", 4),
            Double.parseDouble(System.getProperty("scorecard.healthy-link-days", "30000")),
            Integer.getInteger("scorecard.threads", 2),
            null);
    String captures = System.getProperty("scorecard.captures", "");
    Scorecard card =
        captures.isBlank()
            ? campaign.run(System.err::println, PeerTable.ALL, new FecTrial(1).run(FEC_DRAWS))
            : recorded(campaign, Path.of(captures));
    ScorecardPage page = new ScorecardPage(card);
    Files.createDirectories(FOLDER);
    Files.writeString(FOLDER.resolve("scorecard.txt"), page.text());
    page.writeJson(FOLDER.resolve("scorecard.json"));
    if (Boolean.getBoolean("scorecard.docs")) {
      page.writeDocuments(PAGE);
    }
    System.out.print(page.text());
  }

  /** Captures of a folder that have their truth beside them. */
  private static Scorecard recorded(Campaign campaign, Path folder)
      throws IOException, InvalidCaptureException {
    Scorecard.Builder card = new Scorecard.Builder(campaign);
    List<Path> captures;
    try (Stream<Path> files = Files.list(folder)) {
      captures = files.filter(file -> Files.exists(TruthFile.of(file))).sorted().toList();
    }
    for (Path capture : captures) {
      var engine = Replay.engine(ThresholdCatalogue.load());
      PeerTable peers = new PeerTable(PeerTable.ALL);
      card.add(
          new ScoredRun(engine, card.calibration(), peers.watchers(engine.dictionary()))
              .recorded(capture));
      card.add(peers);
      System.err.println(capture);
    }
    return card.build(FecMargins.NOT_MEASURED);
  }

  private static List<Integer> classes(String written) {
    return written.isBlank()
        ? Campaign.ALL
        : Arrays.stream(written.split(",")).map(String::strip).map(Integer::valueOf).toList();
  }

  private static List<Severity> severities(String written) {
    return written.isBlank()
        ? List.of(Severity.values())
        : Arrays.stream(written.split(","))
            .map(name -> Severity.valueOf(name.strip().toUpperCase(Locale.ROOT)))
            .toList();
  }
}
