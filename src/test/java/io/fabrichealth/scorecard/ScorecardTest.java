package io.fabrichealth.scorecard;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.simulate.world.Severity;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A small part of the scorecard, with every build. */
class ScorecardTest {

  @Test
  void faults_that_are_seen_at_once_are_found_where_they_are() throws InterruptedException {
    Campaign campaign =
        new Campaign(
            List.of(4, 10, 11), List.of(Severity.HIGH), 1, 1, 0, 2, Duration.ofMinutes(30));

    Scorecard card = campaign.run(line -> {}, PeerTable.ALL, FecMargins.NOT_MEASURED);

    assertThat(card.rows()).hasSize(3);
    assertThat(card.recall()).as(() -> ScorecardText.failures(card).toString()).isEqualTo(1);
    assertThat(card.topOne()).isEqualTo(1);
    assertThat(card.cause()).isEqualTo(1);
    assertThat(card.auditFailures()).isZero();
    assertThat(card.peers()).hasSize(3);
    assertThat(ScorecardText.classes(card)).contains("| 11 | width/speed downgrade | 1 | 1 |");
    assertThat(ScorecardText.targets(card)).contains("| recall, all faults | >= 99.0 % | 100.0 %");
  }
}
