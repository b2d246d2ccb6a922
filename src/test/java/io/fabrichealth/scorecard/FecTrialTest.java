package io.fabrichealth.scorecard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The margin is told within the aim, also where the truth is of no family that the fit knows. */
class FecTrialTest {
  private final FecMargins margins = new FecTrial(7).run(5);

  @Test
  void the_ratio_of_lost_codewords_is_told_within_the_aim() {
    assertThat(margins.rows()).anyMatch(row -> !row.inFamily());
    assertThat(margins.median()).isLessThan(.3);
    assertThat(margins.p95()).isLessThan(1);
  }

  @Test
  void a_straight_line_through_the_logarithms_misses_independent_errors_by_decades() {
    FecMargins.Row independent = margins.rows().getFirst();

    assertThat(independent.truth()).contains("independent, BER 1.0e-06");
    assertThat(Math.log10(independent.lostRatio())).isBetween(-50.0, -49.0);
    assertThat(independent.sonicMethod()).isBetween(7.0, 8.0);
    assertThat(independent.sonicScript()).isBetween(9.0, 10.5);
    assertThat(independent.median()).isLessThan(.1);
  }
}
