package io.fabrichealth.scorecard;

import io.fabrichealth.simulate.world.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.logging.LogManager;

/**
 * The scorecard from the command line: {@code mvn -Pscorecard verify}. What it measures goes to
 * {@code target/scorecard}, and into the documents where that is asked for.
 */
public final class ScorecardMain {
  private static final Path FOLDER = Path.of("target/scorecard");

  private ScorecardMain() {}

  /** Reads its properties {@code scorecard.*}. */
  public static void main(String[] args) throws IOException, InterruptedException {
    LogManager.getLogManager().reset();
    Campaign campaign =
        new Campaign(
            classes(System.getProperty("scorecard.classes", "")),
            severities(System.getProperty("scorecard.severities", "")),
            Long.getLong("scorecard.first-seed", 1),
            Integer.getInteger("scorecard.seeds", 4),
            Double.parseDouble(System.getProperty("scorecard.healthy-link-days", "30000")),
            Integer.getInteger("scorecard.threads", 2),
            null);
    Scorecard card =
        campaign.run(System.err::println, PeerTable.ALL, FecMargins.NOT_MEASURED);
    Files.createDirectories(FOLDER);
    String text =
        String.join(
            "\n\n",
            ScorecardText.targets(card),
            ScorecardText.classes(card),
            ScorecardText.further(card),
            ScorecardText.fec(card),
            ScorecardText.peers(card),
            String.join("\n", ScorecardText.failures(card)));
    Files.writeString(FOLDER.resolve("scorecard.txt"), text + "\n");
    System.out.println(text);
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
