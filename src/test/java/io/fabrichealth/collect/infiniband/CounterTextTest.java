package io.fabrichealth.collect.infiniband;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.FailureCode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class CounterTextTest {

  private static CounterText read(String text) throws IOException {
    CounterText read = new CounterText();
    TextReader.read(
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
        read::line,
        read.refusals());
    read.end();
    return read;
  }

  private static List<String> messages(CounterText text) {
    return text.refusals().problems().stream().map(Problem::message).toList();
  }

  @Test
  void classic_counters_are_read_by_today_s_and_by_older_names() throws IOException {
    CounterText text =
        read(
            """
            # Port counters: Lid 23 port 5 (CapMask: 0x5A00)
            PortSelect:......................5
            CounterSelect:...................0x1b01
            SymbolErrorCounter:..............65535
            LinkDownedCounter:...............255
            PortXmitData:....................0xffffffff
            PortXmitWait:....................7
            # Port counters: Lid 6 port 1
            SymbolErrors:....................3
            XmtData:.........................12
            RcvPkts:.........................4
            """);

    assertThat(messages(text)).isEmpty();
    PortCounters first = text.ports().getFirst();
    assertThat(first.lid()).isEqualTo(23);
    assertThat(first.port()).isEqualTo(5);
    assertThat(first.value(PmaCounter.SYMBOL_ERRORS)).isEqualTo(65_535);
    assertThat(first.value(PmaCounter.TRANSMITTED_DATA)).isEqualTo(4_294_967_295L);
    assertThat(first.isWide(PmaCounter.TRANSMITTED_DATA)).isFalse();
    assertThat(first.has(PmaCounter.RECEIVED_DATA)).isFalse();
    PortCounters second = text.ports().getLast();
    assertThat(second.value(PmaCounter.SYMBOL_ERRORS)).isEqualTo(3);
    assertThat(second.value(PmaCounter.TRANSMITTED_DATA)).isEqualTo(12);
    assertThat(second.value(PmaCounter.RECEIVED_PACKETS)).isEqualTo(4);
  }

  @Test
  void extended_counters_are_exact_to_the_last_bit() throws IOException {
    CounterText text =
        read(
            """
            # Port extended counters: Lid 23 port 5 (CapMask: 0x5300 CapMask2: 0x0000002)
            PortRcvData:.....................18446744073709551615
            PortRcvPkts:.....................9007199254740993
            SymbolErrorCounter:..............70000
            """);

    PortCounters port = text.ports().getFirst();
    assertThat(port.value(PmaCounter.RECEIVED_DATA)).isEqualTo(-1L);
    assertThat(port.value(PmaCounter.RECEIVED_PACKETS)).isEqualTo(9_007_199_254_740_993L);
    assertThat(port.isWide(PmaCounter.SYMBOL_ERRORS)).isTrue();
  }

  @Test
  void a_counter_that_the_agent_lacks_is_not_zero() throws IOException {
    CounterText text =
        read(
            """
            # Port counters: Lid 23 port 5 (CapMask: 0x0200)
            PortXmitWait:....................0
            SymbolErrorCounter:..............0
            # Port extended counters: Lid 23 port 6 (CapMask: 0x1000 CapMask2: 0x0000000)
            PortXmitData:....................0
            """);

    assertThat(text.ports()).hasSize(1);
    assertThat(text.ports().getFirst().has(PmaCounter.TRANSMIT_WAIT)).isFalse();
    assertThat(text.ports().getFirst().has(PmaCounter.SYMBOL_ERRORS)).isTrue();
    assertThat(text.remarks())
        .containsExactly("extended counters of a node that has none (LID 23, port 6)");
  }

  @Test
  void sums_over_all_ports_and_other_attributes_are_passed_over() throws IOException {
    CounterText text =
        read(
            """
            # Port counters: Lid 23 port 255 (CapMask: 0x5A00)
            SymbolErrorCounter:..............9
            # PortXmitDiscardDetails counters: Lid 23 port 5
            PortXmitDiscards:................8
            # Port extended speeds counters: Lid 23 port 5
            SyncHeaderErrorCounter:..........0
            # Port counters: Lid 23 port 5 (CapMask: 0x5A00)
            SymbolErrorCounter:..............1
            """);

    assertThat(messages(text)).isEmpty();
    assertThat(text.ports()).hasSize(1);
    assertThat(text.ports().getFirst().has(PmaCounter.TRANSMIT_DISCARDS)).isFalse();
  }

  @Test
  void errors_and_data_of_ibqueryerrors_are_read_and_what_is_absent_stays_so() throws IOException {
    CounterText text =
        read(
            """
            Errors for 0xb8599f0300aa0001 "leaf ] 1"
               GUID 0xb8599f0300aa0001 port ALL: [SymbolErrorCounter == 5] [PortXmitWait == 812]
               GUID 0xb8599f0300aa0001 port 3: [SymbolErrorCounter == 5] [PortXmitWait == 812 (812.000)] [PortXmitData == 812 (3.172KB)]
                   Link info:     12    3[  ] ==( 4X      106.25 Gbps Active/  LinkUp)==>  0x1     44    1[  ] "n1" ( )
            Errors for "n1 mlx5_0"
               GUID 0x506b4b0300010002 port 1: [LinkDownedCounter == 255]
            Data Counters for 0x506b4b0300010001 "n1 mlx5_0"
               GUID 0x506b4b0300010001 port 1: [PortXmitData == 4294967295 (16.000GB)] [PortUnicastXmitPkts == 0 (0.000)]

            ## Summary: 16 nodes checked, 2 bad nodes found
            ##          136 ports checked, 2 ports have errors beyond threshold
            ## Thresholds:\s
            ## Suppressed:
            """);

    assertThat(messages(text)).isEmpty();
    assertThat(text.ports()).hasSize(3);
    PortCounters leaf = text.ports().getFirst();
    assertThat(leaf.guid()).isEqualTo(0xb8599f0300aa0001L);
    assertThat(leaf.port()).isEqualTo(3);
    assertThat(leaf.isWide(PmaCounter.SYMBOL_ERRORS)).isFalse();
    assertThat(leaf.isWide(PmaCounter.TRANSMIT_WAIT)).isTrue();
    assertThat(leaf.value(PmaCounter.TRANSMITTED_DATA)).isEqualTo(812);
    assertThat(leaf.has(PmaCounter.LINK_DOWNED)).isFalse();
    assertThat(text.ports().getLast().isWide(PmaCounter.TRANSMITTED_DATA)).isTrue();
  }

  @Test
  void an_error_report_without_its_summary_is_not_whole() throws IOException {
    assertThat(messages(read("Errors for \"n1\"\n   GUID 0x1 port 1: [LinkDownedCounter == 2]\n")))
        .containsExactly("ibqueryerrors ends without its summary");
    CounterText failing =
        read("Errors for \"n1\"\n## Summary: 1 nodes checked\n##   3 PMA query failures\n");
    assertThat(messages(failing)).containsExactly("ibqueryerrors could not read 3 times");
    assertThat(failing.refusals().has(FailureCode.PARTIAL)).isTrue();
  }

  @Test
  void what_is_no_value_is_refused_and_hides_nothing() throws IOException {
    CounterText text =
        read(
            """
            # Port counters: Lid 23 port 5 (CapMask: 0x5A00)
            SymbolErrorCounter:..............N/A (no PMA)
            LinkDownedCounter:...............-1
            PortRcvErrors:...................18446744073709551616
            PortXmitDiscards:................4
            perfquery: iberror: failed: perfquery
            # Port counters: DR path slid 65535; dlid 65535; 0,1 port 5
            SymbolErrorCounter:..............1
            # Port counters: Lid 24 port 1
            SymbolErrorCounter:..............1
            GUID 0x12 port none
            """);

    assertThat(text.ports()).extracting(PortCounters::lid).containsExactly(23, 24);
    PortCounters port = text.ports().getFirst();
    assertThat(port.has(PmaCounter.SYMBOL_ERRORS)).isFalse();
    assertThat(port.value(PmaCounter.TRANSMIT_DISCARDS)).isEqualTo(4);
    assertThat(messages(text))
        .contains(
            "line 2: 'N/A (no PMA)' is no value of a counter of 64 bits",
            "line 3: '-1' is no value of a counter of 64 bits",
            "line 4: '18446744073709551616' is no value of a counter of 64 bits",
            "line 7: counters of a port without its LID and number");
  }

  @Test
  void a_text_that_is_cut_off_keeps_what_is_whole() throws IOException {
    CounterText text =
        read(
            "# Port counters: Lid 23 port 5 (CapMask: 0x5A00)\n"
                + "SymbolErrorCounter:..............12\nLinkDownedCounter:...............1");

    assertThat(messages(text)).containsExactly("ends within line 3, which was not taken");
    assertThat(text.ports().getFirst().value(PmaCounter.SYMBOL_ERRORS)).isEqualTo(12);
    assertThat(text.ports().getFirst().has(PmaCounter.LINK_DOWNED)).isFalse();
  }

  @Test
  void a_text_of_something_else_is_refused() throws IOException {
    assertThat(messages(read("hello\nworld\n")))
        .containsExactly("line 1: none of the 2 lines is of perfquery or ibqueryerrors");
  }
}
