package io.fabrichealth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.signal.Signal;
import io.fabrichealth.signal.SignalDictionary;
import org.junit.jupiter.api.Test;

class SignalCatalogueTest {
  private final SignalDictionary dictionary = SignalCatalogue.load();

  @Test
  void knows_width_and_end_of_a_saturating_counter() {
    Signal symbolErrors = dictionary.signal(dictionary.ordinal("ib.symbol_errors"));

    assertThat(symbolErrors.bits()).isEqualTo(16);
    assertThat(symbolErrors.largest()).isEqualTo(65_535);
    assertThat(symbolErrors.atEnd()).isEqualTo(Signal.AtEnd.SATURATES);
  }

  @Test
  void counters_are_64_bits_wide_and_wrap_unless_the_file_says_otherwise() {
    Signal octets = dictionary.signal(dictionary.ordinal("port.in_octets"));

    assertThat(octets.largest()).isEqualTo(-1L);
    assertThat(octets.atEnd()).isEqualTo(Signal.AtEnd.WRAPS);
  }

  @Test
  void names_of_one_scope_and_kind_are_told_apart() {
    assertThat(dictionary.signal(dictionary.ordinal("fec.codewords_by_symbol_errors")).scope())
        .isEqualTo(Signal.Scope.BIN);
    assertThat(dictionary.signal(dictionary.ordinal("port.oper_up")).kind())
        .isEqualTo(Signal.Kind.STATE);
    assertThat(dictionary.contains("port.no_such_thing")).isFalse();
  }
}
