package io.fabrichealth.collect.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalTextTest {
  private final DecimalText text = new DecimalText();

  private boolean parse(String number) {
    byte[] bytes = number.getBytes(StandardCharsets.UTF_8);
    return text.parse(bytes, 0, bytes.length);
  }

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "-0,0",
    "007,7",
    "+12,12",
    "9007199254740993,9007199254740993",
    "9223372036854775808,9223372036854775808",
    "18446744073709308388,18446744073709308388",
    "18446744073709551615,18446744073709551615",
    // Floats stand for the double that their writer held.
    "1.8446744073709309e+19,18446744073709309952",
    "9.2233720368547758e+18,9223372036854775808",
    "1.8446744073709552e+19,18446744073709551615",
    "6.825908347e+09,6825908347",
    "4.294967295e+09,4294967295",
    "1.2345e+2,123",
    "1500e-2,15",
    "9.007199254740992E15,9007199254740992"
  })
  void a_counter_is_the_unsigned_integer_that_the_text_stands_for(String number, String unsigned) {
    assertThat(parse(number)).isTrue();
    assertThat(text.counterState()).isEqualTo(CellState.OK);
    assertThat(Long.toUnsignedString(text.unsigned())).isEqualTo(unsigned);
  }

  @ParameterizedTest
  @CsvSource({
    "-1,NEGATIVE",
    "-0.5,NEGATIVE",
    "NaN,NOT_A_NUMBER",
    "+Inf,NOT_A_NUMBER",
    "-Inf,NOT_A_NUMBER",
    "18446744073709551616,TOO_LARGE",
    "1e20,TOO_LARGE",
    "1e99999999999,TOO_LARGE"
  })
  void what_no_counter_can_be_says_why(String number, CellState state) {
    assertThat(parse(number)).isTrue();
    assertThat(text.counterState()).isEqualTo(state);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "+",
        ".",
        "e5",
        "1e",
        "1e+",
        "1.2.3",
        "0x10",
        "1_000",
        "12a",
        "nano",
        "infinite",
        "--1",
        "1 2",
        "N/A",
        "\u0661"
      })
  void what_is_no_number_is_refused(String number) {
    assertThat(parse(number)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "1.5",
        "-125000",
        "1.25e+09",
        "5e-324",
        "1.7976931348623157e308",
        "1e400",
        "-1e400",
        "1.7644869631234567e+09",
        "0.1",
        "123456789012345678901234567890",
        "1e-400",
        ".5",
        "5.",
        "NaN",
        "inf",
        "+Infinity",
        "-inf"
      })
  void a_gauge_is_the_double_that_java_reads(String number) {
    double expected =
        switch (number) {
          case "inf", "+Infinity" -> Double.POSITIVE_INFINITY;
          case "-inf" -> Double.NEGATIVE_INFINITY;
          default -> Double.parseDouble(number);
        };
    assertThat(parse(number)).isTrue();
    assertThat(text.value()).isEqualTo(Double.valueOf(expected));
  }

  @Test
  void any_double_and_any_counter_come_back_as_they_were_written() {
    Random random = new Random(20_251);
    for (int round = 0; round < 20_000; round++) {
      long bits = random.nextLong();
      double value = Double.longBitsToDouble(bits);
      if (!Double.isNaN(value)) {
        assertThat(parse(Double.toString(value))).isTrue();
        assertThat(text.value()).isEqualTo(value);
      }
      long counter = bits >>> random.nextInt(64);
      assertThat(parse(Long.toUnsignedString(counter))).isTrue();
      assertThat(text.unsigned()).isEqualTo(counter);
    }
  }
}
