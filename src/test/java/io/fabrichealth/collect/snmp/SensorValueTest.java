package io.fabrichealth.collect.snmp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SensorValueTest {
  private static final int MILLI = 8;
  private static final int UNITS = 9;
  private static final int OK = 1;

  @ParameterizedTest
  @CsvSource({
    "533, 9, 1, 53.3",
    "3345, 8, 2, 0.03345",
    "-5, 9, 0, -5",
    "12, 10, -2, 1200000",
    "3, 13, 0, 3e12",
    "3, 14, 0, 3e18",
    "3, 15, 0, 3e15",
    "3, 16, 0, 3e21"
  })
  void scale_and_precision_make_the_number(long value, int scale, int precision, double number) {
    SensorValue read = SensorValue.of(value, scale, precision, OK);

    assertThat(read.reason()).isNull();
    assertThat(read.number()).isCloseTo(number, within(Math.abs(number) * 1e-12));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 9, 0, 2, unavailable",
    "1, 9, 0, 3, nonoperational",
    "1000000000, 9, 0, 1, overflow",
    "-1000000000, 9, 0, 1, underflow",
    "1, 0, 0, 1, 'scale 0, precision 0'",
    "1, 9, 12, 1, 'scale 9, precision 12'"
  })
  void a_sensor_without_a_number_says_why(
      long value, int scale, int precision, int status, String reason) {
    SensorValue read = SensorValue.of(value, scale, precision, status);

    assertThat(read.number()).isNaN();
    assertThat(read.reason()).isEqualTo(reason);
  }

  @Test
  void a_milliwatt_is_zero_dbm() {
    assertThat(SensorValue.of(10_000, MILLI, 4, OK).toDbm(false, null).number())
        .isEqualTo(0, within(1e-12));
  }

  @ParameterizedTest
  @CsvSource({"1", "0", "-3", "-1000000000"})
  void the_least_that_can_be_told_is_darkness(long tenthsOfMicrowatts) {
    SensorValue read = SensorValue.of(tenthsOfMicrowatts, MILLI, 4, OK).toDbm(false, null);

    assertThat(read.reason()).isEqualTo("no light");
  }

  @Test
  void two_tenths_of_a_microwatt_are_light() {
    assertThat(SensorValue.of(2, MILLI, 4, OK).toDbm(false, null).number())
        .isEqualTo(-36.99, within(.01));
  }

  @Test
  void an_exact_zero_of_a_dbm_sensor_counts_only_where_the_table_says_so() {
    SensorValue zero = SensorValue.of(0, UNITS, 0, OK);

    assertThat(zero.toDbm(true, null).number()).isZero();
    assertThat(zero.toDbm(true, "nothing to read").reason()).isEqualTo("nothing to read");
  }
}
