package io.fabrichealth.collect.snmp;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTest {
  private final Pace pace = new Pace(Duration.ofSeconds(10));

  @Test
  void a_pass_that_is_cut_off_gets_twice_the_time_and_never_more_than_ten_minutes() {
    pace.cutOff();
    assertThat(pace.interval()).isEqualTo(Duration.ofSeconds(20));
    assertThat(pace.factor()).isEqualTo(2);

    for (int more = 0; more < 20; more++) {
      pace.cutOff();
    }
    assertThat(pace.interval()).isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void the_time_shrinks_only_where_half_of_it_is_enough_by_far() {
    pace.cutOff();
    pace.cutOff();

    pace.finished(Duration.ofSeconds(12));
    assertThat(pace.interval()).isEqualTo(Duration.ofSeconds(40));
    pace.finished(Duration.ofSeconds(9));
    assertThat(pace.interval()).isEqualTo(Duration.ofSeconds(20));
    pace.finished(Duration.ofSeconds(1));
    pace.finished(Duration.ofSeconds(1));
    assertThat(pace.interval()).isEqualTo(Duration.ofSeconds(10));
  }
}
