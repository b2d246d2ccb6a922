package io.fabrichealth.collect.gnmi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Times of boot in the units that devices give; what can be none stays as it is. */
class BootTimeTest {

  @ParameterizedTest
  @CsvSource({
    "1772323200000000000, 2026-03-01T00:00:00Z",
    "1772323200000, 2026-03-01T00:00:00Z",
    "1772323200, 2026-03-01T00:00:00Z",
    "8999999999999999999, 2255-03-14T15:59:59.999999999Z",
    // More than 63 bits hold.
    "9223372036854775808, 9223372036854775808",
    "9999999999999999999, 9999999999999999999",
    "18446744073709551615, 18446744073709551615",
    "12345678, 12345678",
    "2026-03-01T00:00:00+01:00, 2026-03-01T00:00:00+01:00",
  })
  void a_number_is_a_time_where_it_can_be_one(String told, String identity) {
    assertThat(BootTime.identity(told)).isEqualTo(identity);
  }
}
