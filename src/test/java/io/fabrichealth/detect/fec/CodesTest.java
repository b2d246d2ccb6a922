package io.fabrichealth.detect.fec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fabrichealth.topology.FecMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodesTest {

  @ParameterizedTest
  @CsvSource({
    "RS544, 400e9, 78.125e6",
    "RS544_2X, 800e9, 156.25e6",
    "RS528, 100e9, 19.53125e6",
    "RS272, 400e9, 156.25e6",
    "FC, 10e9, 4.8828125e6"
  })
  void codewords_a_second_follow_from_the_speed(FecMode mode, double speed, double codewords) {
    assertThat(Codes.codewordsPerSecond(mode, speed)).isCloseTo(codewords, within(codewords / 1e9));
  }

  @Test
  void the_line_rate_is_that_of_the_standard() {
    assertThat(Codes.lineRate(FecMode.RS544, 400e9)).isCloseTo(425e9, within(1.0));
    assertThat(Codes.lineRate(FecMode.RS528, 100e9)).isCloseTo(103.125e9, within(1.0));
    assertThat(Codes.lineRate(FecMode.NONE, 25e9)).isEqualTo(25e9);
  }

  @Test
  void every_code_is_held_to_what_kp4_leaves_at_its_limit() {
    assertThat(Codes.limit(FecMode.RS544)).isCloseTo(2.4e-4, within(1e-9));
    for (FecMode mode : new FecMode[] {FecMode.RS528, FecMode.RS272, FecMode.RS271}) {
      assertThat(CodewordErrors.logLostRatio(mode, Codes.limit(mode)) / Math.log(10))
          .isCloseTo(-12.08, within(.01));
      assertThat(Codes.limit(mode)).isBetween(1e-6, 1e-4);
    }
    assertThat(Codes.limit(FecMode.FC)).isNaN();
    assertThat(Codes.limit(FecMode.UNKNOWN)).isNaN();
  }
}
