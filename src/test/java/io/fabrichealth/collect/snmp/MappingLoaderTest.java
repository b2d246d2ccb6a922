package io.fabrichealth.collect.snmp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.SignalDictionary;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MappingLoaderTest {
  private static final SignalDictionary DICTIONARY = SignalCatalogue.load();

  private static SnmpMapping load(String yaml) {
    MappingLoader loader = new MappingLoader(DICTIONARY);
    loader.add("own.yaml", new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)));
    return loader.mapping();
  }

  private static String table(String reading) {
    return "tables:\n  t:\n    oid: 1.3.6.1.9\n    index: [ifIndex]\n    readings: ["
        + reading
        + "]";
  }

  @Test
  void what_ships_is_valid() {
    SnmpMapping mapping = SnmpMapping.load(DICTIONARY);

    assertThat(mapping.tables()).hasSizeGreaterThan(15);
    assertThat(mapping.leftOut()).isNotEmpty();
  }

  @Test
  void no_table_reads_octets_from_narrow_counters() {
    int in = DICTIONARY.ordinal("port.in_octets");
    int out = DICTIONARY.ordinal("port.out_octets");

    assertThat(SnmpMapping.load(DICTIONARY).tables())
        .filteredOn(
            table ->
                table.readings().stream()
                    .anyMatch(reading -> reading.signal() == in || reading.signal() == out))
        .extracting(MappedTable::name)
        .containsExactly("ifXTable");
  }

  @Test
  void a_table_of_a_few_lines_is_enough() {
    SnmpMapping mapping =
        load(
            table(
                "{signal: port.in_octets, columns: [6]}, {signal: queue.out_packets, columns: [7, 8]}"));

    assertThat(mapping.tables())
        .singleElement()
        .satisfies(
            read -> {
              assertThat(read.entry()).hasToString("1.3.6.1.9");
              assertThat(read.readings()).extracting(MappedReading::rank).containsOnly(0);
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{signal: port.no_such, columns: [6]} | readings[0].signal is 'port.no_such'",
        "{columns: [6]}                       | readings[0].signal is 'null'",
        "{signal: port.in_octets}             | readings[0].columns must be",
        "{signal: port.in_octets, columns: [0]} | readings[0].columns must be",
        "{signal: port.in_octets, columns: [6], scale: .5} | readings[0].scale must be",
        "{signal: port.in_octets, columns: [6], bits: 65} | readings[0].bits is 65",
        "{signal: port.mtu_bytes, columns: [6], form: half} | readings[0].form is 'half'",
        "{signal: port.oper_up, columns: [6]} | readings[0].states is needed",
        "{signal: fec.pre_fec_ber, columns: [6], form: mantissa_exponent} | readings[0].columns must",
        "{signal: fec.pre_fec_ber, columns: [6], form: guess} | form is 'guess': sum",
        "{signal: port.in_octets, columns: [6], colour: red} | colour"
      })
  void a_wrong_reading_is_named_by_file_and_entry(String reading, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> load(table(reading)))
        .withMessageStartingWith("own.yaml: ")
        .withMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tables: {t: {oid: iso.org, index: [ifIndex], readings: [{signal: port.in_octets, columns: [6]}]}} | tables.t.oid is 'iso.org'",
        "tables: {t: {oid: 1.3, index: [lane], readings: [{signal: port.in_octets, columns: [6]}]}} | tables.t.index has 'lane'",
        "tables: {t: {oid: 1.3, index: [any], readings: [{signal: port.in_octets, columns: [6]}]}} | tables.t.index must have one ifIndex",
        "tables: {t: {oid: 1.3, index: [ifIndex]}} | tables.t has no readings",
        "left_out: [{name: a, port: '('}] | left_out[0].port is no regular expression",
        "left_out: [{port: a}] | left_out[0].name is missing",
        "sensor_rules: [{signal: optics.snr_db, types: [volts], text: a}] | sensor_rules[0].types has 'volts'",
        "lane_rules: [{first: 1}] | lane_rules[0] is missing",
        "sensors: {s: {oid: 1.3}} | sensors.s.columns is missing"
      })
  void a_wrong_entry_is_named_by_file_and_place(String yaml, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> load(yaml))
        .withMessageStartingWith("own.yaml: ")
        .withMessageContaining(message);
  }

  @Test
  void a_table_that_is_defined_twice_is_refused() {
    MappingLoader loader = new MappingLoader(DICTIONARY);
    byte[] yaml = table("{signal: port.in_octets, columns: [6]}").getBytes(StandardCharsets.UTF_8);
    loader.add("one.yaml", new ByteArrayInputStream(yaml));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> loader.add("two.yaml", new ByteArrayInputStream(yaml)))
        .withMessage("two.yaml: tables.t is defined twice");
  }
}
