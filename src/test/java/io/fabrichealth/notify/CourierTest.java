package io.fabrichealth.notify;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CourierTest {
  private static final int MANY = 20;

  private final Courier.Line line = new Courier.Line();

  @Test
  void a_receiver_that_fails_is_left_alone_for_longer_and_longer_up_to_five_minutes() {
    line.failed();
    assertThat(line.pause()).isEqualTo(Duration.ofSeconds(1));
    line.failed();
    assertThat(line.pause()).isEqualTo(Duration.ofSeconds(2));
    for (int time = 0; time < MANY; time++) {
      line.failed();
    }
    assertThat(line.pause()).isEqualTo(Duration.ofMinutes(5));

    line.succeeded();
    assertThat(line.isPaused()).isFalse();
  }

  @Test
  void a_database_that_is_away_for_long_does_not_make_an_alertmanager_forget() {
    for (int time = 0; time < MANY; time++) {
      line.databaseIsAway();
    }
    assertThat(line.pause().multipliedBy(2)).isLessThan(Bodies.HOLDS);
  }
}
