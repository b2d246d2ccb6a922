package io.fabrichealth.collect.snmp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RepetitionsTest {
  private final Repetitions repetitions = new Repetitions();

  @Test
  void more_is_asked_for_while_answers_come() {
    int first = repetitions.next(1, 0);
    answer(50);

    assertThat(repetitions.next(1, 0)).isGreaterThan(first).isEqualTo(128);
  }

  @Test
  void an_answer_never_holds_more_than_fits() {
    answer(50);

    assertThat(repetitions.next(12, 0) * 12).isLessThanOrEqualTo(800);
  }

  @Test
  void a_failure_halves_and_is_remembered() {
    answer(50);
    repetitions.tooMany(128);
    assertThat(repetitions.next(1, 0)).isEqualTo(64);
    repetitions.tooMany(64);
    answer(20);

    assertThat(repetitions.next(1, 0)).isEqualTo(32);
  }

  @Test
  void after_many_answers_a_little_more_is_tried() {
    repetitions.tooMany(16);
    answer(101);

    assertThat(repetitions.next(1, 0)).isEqualTo(10);
  }

  @Test
  void one_row_is_the_least() {
    for (int failure = 0; failure < 10; failure++) {
      repetitions.tooMany(repetitions.next(1, 0));
    }

    assertThat(repetitions.next(1, 0)).isEqualTo(1);
    assertThat(repetitions.next(5000, 0)).isEqualTo(1);
  }

  @Test
  void no_more_rows_are_asked_for_than_the_table_had() {
    assertThat(repetitions.next(2, 5)).isEqualTo(5);
  }

  private void answer(int times) {
    for (int time = 0; time < times; time++) {
      repetitions.answered(repetitions.next(1, 0));
    }
  }
}
