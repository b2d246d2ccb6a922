package io.fabrichealth.collect.infiniband;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

class CounterTextFuzzTest {
  private static final String LATER =
      """

      # Port extended counters: Lid 7 port 9 (CapMask: 0x5300 CapMask2: 0x0000002)
      PortXmitData:....................18446744073709551615
      SymbolErrorCounter:..............5
      """;

  /** Nothing that stands before them hides counters, or makes others of them. */
  @FuzzTest
  void counters_that_follow_are_read(byte[] text) throws IOException {
    ByteArrayOutputStream longer = new ByteArrayOutputStream();
    longer.write(text);
    longer.write(LATER.getBytes(StandardCharsets.UTF_8));
    CounterText read = new CounterText();

    TextReader.read(new ByteArrayInputStream(longer.toByteArray()), read::line, read.refusals());
    read.end();

    PortCounters last = read.ports().getLast();
    assertThat(last.lid()).isEqualTo(7);
    assertThat(last.port()).isEqualTo(9);
    assertThat(last.value(PmaCounter.TRANSMITTED_DATA)).isEqualTo(-1L);
    assertThat(last.value(PmaCounter.SYMBOL_ERRORS)).isEqualTo(5);
    assertThat(last.has(PmaCounter.RECEIVED_DATA)).isFalse();
    assertThat(read.ports())
        .allSatisfy(
            port -> {
              assertThat(port.isEmpty()).isFalse();
              assertThat(port.port()).isNotEqualTo(PortCounters.ALL);
            });
    assertThat(read.refusals().problems()).hasSizeLessThanOrEqualTo(6);
  }
}
