package io.fabrichealth.collect.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostlistTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          n1                       | n1
          n1,n2                    | n1 n2
          n[1-3]                   | n1 n2 n3
          n[001-003,020]           | n001 n002 n003 n020
          n[09-11]                 | n09 n10 n11
          n[0-1]                   | n0 n1
          gpu[1-2]-ib[0-1]         | gpu1-ib0 gpu1-ib1 gpu2-ib0 gpu2-ib1
          r[1-2]n[1,3],login       | r1n1 r1n3 r2n1 r2n3 login
          n[1-2,[4-5]]             | n1 n2 n4 n5
          n[a[1-2],b]              | na1 na2 nb
          rack-1-node-2            | rack-1-node-2
          n[x-y]                   | nx-y
          """)
  void lists_are_written_out(String list, String names) {
    assertThat(Hostlist.expand(list)).isEqualTo(List.of(names.split(" ")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          n[1-2                    | '[' without ']'
          n1]                      | ']' without '['
          n[5-3]                   | goes backwards
          n[0-999999999]           | more than 500000 names
          a[0-999]b[0-999]         | more than 500000 names
          """)
  void what_is_no_list_or_too_long_is_refused(String list, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Hostlist.expand(list))
        .withMessageContaining(why);
  }

  @Test
  void brackets_in_brackets_end() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Hostlist.expand("[".repeat(10_000)))
        .withMessageContaining("brackets in more than 16 brackets");
  }
}
