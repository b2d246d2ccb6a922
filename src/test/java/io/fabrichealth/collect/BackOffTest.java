package io.fabrichealth.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class BackOffTest {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  private final BackOff backOff = new BackOff(Duration.ofSeconds(10), Duration.ofSeconds(60));

  @Test
  void one_lost_pass_costs_nothing() {
    backOff.failed(START, "no answer");

    assertThat(backOff.holds(START)).isNull();
  }

  @Test
  void the_pause_doubles_up_to_the_longest() {
    assertThat(turnsUntilAsked(7)).containsExactly(1, 1, 2, 4, 6, 6, 6);
  }

  @Test
  void a_pause_says_until_when_and_why() {
    for (int failure = 0; failure < 3; failure++) {
      backOff.failed(START, "no answer");
    }

    assertThat(backOff.holds(START))
        .isEqualTo("not asked until 2026-03-01T12:00:15Z after 3 failures: no answer");
  }

  @Test
  void a_success_ends_it_at_once() {
    turnsUntilAsked(9);

    backOff.succeeded();

    assertThat(backOff.holds(START)).isNull();
    backOff.failed(START, "no answer");
    assertThat(backOff.holds(START)).isNull();
  }

  @Test
  void many_failures_do_not_overflow() {
    assertThat(turnsUntilAsked(200)).endsWith(6);
  }

  /** For so many failures: how many turns later the target was asked again. */
  private int[] turnsUntilAsked(int failures) {
    int[] turns = new int[failures];
    Instant now = START;
    for (int failure = 0; failure < failures; failure++) {
      backOff.failed(now, "no answer");
      do {
        now = now.plusSeconds(10);
        turns[failure]++;
      } while (backOff.holds(now) != null);
    }
    return turns;
  }
}
