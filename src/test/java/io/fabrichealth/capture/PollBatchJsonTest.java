package io.fabrichealth.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.testing.Batches;
import java.io.StringWriter;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

class PollBatchJsonTest {
  private static final SignalDictionary DICTIONARY = SignalCatalogue.load();
  private static final Instant AT = Instant.parse("2026-03-01T00:00:10.000000001Z");
  private static final String HEAD = "{\"at\":\"2026-03-01T00:00:10Z\",\"device\":\"leaf1\",";

  private final PollBatchJson json = new PollBatchJson(DICTIONARY);
  private final JsonFactory factory = new JsonFactory();

  @Test
  void a_poll_of_the_format_is_read() throws InvalidPollException {
    PollRead read =
        read(
            """
            {"type":"poll","at":"2026-03-01T00:00:10Z","device":"leaf1","collector":"snmp",
             "deviceTime":"2026-03-01T00:00:09.5Z","boot":"2026-02-01T04:00:00Z","complete":true,
             "ports":{"Ethernet1/1":{"port.oper_up":1,"port.in_octets":18446744073709551615,
               "fec.codewords_by_symbol_errors":[9180000,120,3],
               "optics.rx_power_dbm":[-1.2,-1.1,null,-1.3]}},
             "values":{"device.temperature_celsius":41.0},
             "quality":{"Ethernet1/1":{"port.in_octets":"SATURATED",
               "optics.rx_power_dbm":[null,null,"UNREADABLE(no light)",null]}},
             "discontinuity":{"Ethernet1/1":"a"},"counterBits":{"port.in_errors":32}}
            """);

    PollBatch batch = read.batch();
    assertThat(read.refused()).isZero();
    assertThat(batch.device()).isEqualTo("leaf1");
    assertThat(batch.collector()).isEqualTo("snmp");
    assertThat(batch.deviceTime()).isEqualTo("2026-03-01T00:00:09.5Z");
    assertThat(batch.boot()).isEqualTo("2026-02-01T04:00:00Z");
    assertThat(batch.complete()).isTrue();
    assertThat(batch.discontinuity("Ethernet1/1")).isEqualTo("a");
    assertThat(batch.counterBits(DICTIONARY.ordinal("port.in_errors"))).isEqualTo(32);
    assertThat(Batches.lines(batch, DICTIONARY))
        .containsExactly(
            "Ethernet1/1 fec.codewords_by_symbol_errors[0] 9180000 OK",
            "Ethernet1/1 fec.codewords_by_symbol_errors[1] 120 OK",
            "Ethernet1/1 fec.codewords_by_symbol_errors[2] 3 OK",
            "Ethernet1/1 optics.rx_power_dbm[0] -1.2 OK",
            "Ethernet1/1 optics.rx_power_dbm[1] -1.1 OK",
            "Ethernet1/1 optics.rx_power_dbm[2] UNREADABLE no light",
            "Ethernet1/1 optics.rx_power_dbm[3] -1.3 OK",
            "Ethernet1/1 port.in_octets[0] 18446744073709551615 SATURATED",
            "Ethernet1/1 port.oper_up[0] 1.0 OK",
            "device.temperature_celsius[0] 41.0 OK");
  }

  @Test
  void what_is_written_is_read_as_it_was() throws InvalidPollException {
    PollBatch.Builder builder =
        PollBatch.builder("leaf 1", "gnmi", AT)
            .deviceTime(AT.minusMillis(3))
            .boot("7")
            .discontinuity("swp/2", "x")
            .counterBits(DICTIONARY.ordinal("port.in_errors"), 32);
    int first = builder.port("swp1");
    int second = builder.port("swp/2");
    int device = builder.port(PollBatch.DEVICE);
    builder.port("silent");
    int lanes = DICTIONARY.ordinal("fec.corrected_bits");
    int power = DICTIONARY.ordinal("optics.rx_power_dbm");
    builder.counter(second, DICTIONARY.ordinal("port.in_octets"), 0, -1L);
    builder.counter(first, lanes, 3, (1L << 53) + 1);
    builder.counter(first, lanes, 1, 0);
    builder.value(second, power, 0, -0.0);
    builder.value(second, power, 1, 0.1 + 0.2);
    builder.value(second, DICTIONARY.ordinal("port.speed_bits_per_second"), 0, 4e11);
    builder.absent(second, power, 2, Quality.UNREADABLE, "no light");
    builder.absent(first, power, 0, Quality.UNSUPPORTED, null);
    builder.absent(first, power, 1, Quality.UNSUPPORTED, null);
    builder.absent(first, DICTIONARY.ordinal("port.mtu_bytes"), 0, Quality.STALE, "late");
    builder.saturated(first, DICTIONARY.ordinal("ib.symbol_errors"), 0, 65_535);
    builder.value(device, DICTIONARY.ordinal("device.temperature_celsius"), 0, 41.5);
    PollBatch batch = builder.build(false);

    PollRead read = read(written(batch));

    assertThat(read.refused()).isZero();
    assertThat(Batches.lines(read.batch(), DICTIONARY))
        .isEqualTo(Batches.lines(batch, DICTIONARY))
        .hasSize(12);
    assertThat(read.batch().at()).isEqualTo(AT);
    assertThat(read.batch().deviceTime()).isEqualTo(batch.deviceTime());
    assertThat(read.batch().boot()).isEqualTo("7");
    assertThat(read.batch().complete()).isFalse();
    assertThat(read.batch().discontinuity("swp/2")).isEqualTo("x");
    assertThat(read.batch().ports()).containsExactlyInAnyOrderElementsOf(batch.ports());
    assertThat(read.batch().counterBits(DICTIONARY.ordinal("port.in_errors"))).isEqualTo(32);
  }

  @Test
  void a_missed_pass_stays_one() throws InvalidPollException {
    PollBatch read = read(written(PollBatch.missed("leaf1", "snmp", AT))).batch();

    assertThat(read.size()).isZero();
    assertThat(read.complete()).isFalse();
    assertThat(read.ports()).isEmpty();
  }

  @Test
  void a_value_that_is_not_finite_is_told_as_unreadable() throws InvalidPollException {
    PollBatch.Builder builder = PollBatch.builder("leaf1", "snmp", AT);
    builder.value(
        builder.port("swp1"), DICTIONARY.ordinal("port.mtu_bytes"), 0, Double.POSITIVE_INFINITY);

    PollBatch read = read(written(builder.build(true))).batch();

    assertThat(Batches.lines(read, DICTIONARY))
        .containsExactly("swp1 port.mtu_bytes[0] UNREADABLE not finite");
  }

  @Test
  void a_reading_that_stands_there_twice_is_what_it_was_last() throws InvalidPollException {
    PollBatch.Builder builder = PollBatch.builder("leaf1", "snmp", AT);
    int port = builder.port("swp1");
    builder.counter(port, DICTIONARY.ordinal("port.in_octets"), 0, 1);
    builder.counter(port, DICTIONARY.ordinal("fec.corrected_bits"), 0, 1);
    builder.counter(port, DICTIONARY.ordinal("fec.corrected_bits"), 0, 2);
    builder.counter(port, DICTIONARY.ordinal("port.in_octets"), 0, 2);

    assertThat(Batches.lines(read(written(builder.build(true))).batch(), DICTIONARY))
        .containsExactly("swp1 fec.corrected_bits[0] 2 OK", "swp1 port.in_octets[0] 2 OK");
  }

  @Test
  void null_is_not_read_and_a_quality_alone_says_why() throws InvalidPollException {
    PollBatch batch =
        read(HEAD
                + """
                    "ports":{"a":{"port.in_octets":null,"fec.corrected_bits":[null,7],
                      "optics.rx_power_dbm":null}},
                    "quality":{"a":{"port.in_errors":"UNSUPPORTED","port.oper_up":"UNREADABLE"}}}
                    """)
            .batch();

    assertThat(Batches.lines(batch, DICTIONARY))
        .containsExactly(
            "a fec.corrected_bits[1] 7 OK",
            "a port.in_errors[0] UNSUPPORTED null",
            "a port.oper_up[0] UNREADABLE null");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "port.in_octets":-1                     | /ports/a~1b/port.in_octets | must be a whole number from 0 to 2^64 - 1, or null
          "port.in_octets":18446744073709551616   | /ports/a~1b/port.in_octets | must be a whole number from 0 to 2^64 - 1, or null
          "port.in_octets":1.5                    | /ports/a~1b/port.in_octets | must be a whole number from 0 to 2^64 - 1, or null
          "port.in_octets":"1"                    | /ports/a~1b/port.in_octets | must be a whole number from 0 to 2^64 - 1, or null
          "port.in_octets":[1]                    | /ports/a~1b/port.in_octets | must be a whole number from 0 to 2^64 - 1, or null
          "port.mtu_bytes":1e999                  | /ports/a~1b/port.mtu_bytes | must be a finite number, or null
          "port.mtu_bytes":true                   | /ports/a~1b/port.mtu_bytes | must be a finite number, or null
          "fec.corrected_bits":1                  | /ports/a~1b/fec.corrected_bits | must be an array by index, or null
          "fec.corrected_bits":[1,{"x":[]}]       | /ports/a~1b/fec.corrected_bits/1 | must be a whole number from 0 to 2^64 - 1, or null
          "port.in_octet":1                       | /ports/a~1b/port.in_octet | is no signal
          "device.temperature_celsius":1          | /ports/a~1b/device.temperature_celsius | is a signal of devices, not of ports
          """)
  void a_reading_that_cannot_be_used_hides_no_other(String text, String pointer, String problem)
      throws InvalidPollException {
    PollRead read = read(HEAD + "\"ports\":{\"a/b\":{" + text + ",\"port.oper_up\":1}}}");

    assertThat(read.refused()).isOne();
    assertThat(read.refusals())
        .extracting(PollRead.Refusal::pointer, PollRead.Refusal::problem)
        .containsExactly(tuple(pointer, problem));
    assertThat(Batches.lines(read.batch(), DICTIONARY)).contains("a/b port.oper_up[0] 1.0 OK");
  }

  @Test
  void an_unknown_quality_makes_its_value_unreadable() throws InvalidPollException {
    PollRead read =
        read(
            HEAD
                + "\"ports\":{\"a\":{\"port.oper_up\":1}},"
                + "\"quality\":{\"a\":{\"port.oper_up\":\"FINE\"}}}");

    assertThat(Batches.lines(read.batch(), DICTIONARY))
        .containsExactly("a port.oper_up[0] UNREADABLE null");
    assertThat(read.refusals())
        .extracting(PollRead.Refusal::pointer)
        .containsExactly("/quality/a/port.oper_up");
  }

  @Test
  void fields_of_a_newer_writer_are_left_out_and_told() throws InvalidPollException {
    PollRead read = read(HEAD + "\"colour\":{\"a\":[1,2]},\"ports\":{\"a\":{\"port.oper_up\":1}}}");

    assertThat(read.refusals())
        .extracting(PollRead.Refusal::kind, PollRead.Refusal::pointer)
        .containsExactly(tuple(PollRead.Kind.UNKNOWN_FIELD, "/colour"));
    assertThat(read.batch().size()).isOne();
  }

  @Test
  void of_very_many_refusals_the_first_are_kept_and_all_are_counted() throws InvalidPollException {
    StringBuilder signals = new StringBuilder();
    for (int index = 0; index < 1_000; index++) {
      signals.append("\"no.").append(index).append("\":1,");
    }

    PollRead read = read(HEAD + "\"ports\":{\"a\":{" + signals + "\"port.oper_up\":1}}}");

    assertThat(read.refused()).isEqualTo(1_000);
    assertThat(read.refusals()).hasSize(PollRead.MOST_REFUSALS);
    assertThat(read.batch().size()).isOne();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"device":"a"}                                         | at
          {"at":"2026-03-01T00:00:10Z"}                          | device
          {"at":"yesterday","device":"a"}                        | at
          {"at":1772323210,"device":"a"}                         | at
          {"at":"+1000000-03-01T00:00:10Z","device":"a"}         | at
          {"at":"2026-03-01T00:00:10Z","device":" "}             | device
          {"at":"2026-03-01T00:00:10Z","device":"a\\u0000b"}     | device
          {"at":"2026-03-01T00:00:10Z","device":["a"]}           | device
          {"at":"2026-03-01T00:00:10Z","device":"a","boot":7}    | boot
          {"at":"2026-03-01T00:00:10Z","device":"a","ports":[]}  | ports
          {"at":"2026-03-01T00:00:10Z","device":"a","complete":1} | complete
          {"at":"2026-03-01T00:00:10Z","device":"a","type":"probe"} | type
          {"at":"2026-03-01T00:00:10Z","device":"a","counterBits":{"port.in_errors":65}} | counterBits
          """)
  void a_record_that_is_no_poll_names_the_field(String text, String field) {
    assertThatExceptionOfType(InvalidPollException.class)
        .isThrownBy(() -> read(text))
        .satisfies(fault -> assertThat(fault.field()).isEqualTo(field))
        .withMessageContaining("expected ");
  }

  @Test
  void behind_a_record_that_is_no_poll_the_next_is_read() throws InvalidPollException {
    try (JsonParser in =
        factory.createParser(
            ObjectReadContext.empty(),
            "[{\"device\":{\"a\":[1]},\"ports\":{\"a\":{\"port.oper_up\":1}}},7,"
                + HEAD
                + "\"ports\":{}}]")) {
      assertThat(in.nextToken()).isEqualTo(JsonToken.START_ARRAY);
      in.nextToken();
      assertThatExceptionOfType(InvalidPollException.class).isThrownBy(() -> json.read(in));
      in.nextToken();
      assertThatExceptionOfType(InvalidPollException.class).isThrownBy(() -> json.read(in));
      in.nextToken();
      assertThat(json.read(in).batch().device()).isEqualTo("leaf1");
      assertThat(in.nextToken()).isEqualTo(JsonToken.END_ARRAY);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "{\"at\":", "{\"ports\":{\"a\":{\"port.in_octets\":1", "nil", "{]"})
  void text_that_is_cut_off_or_no_json_is_said_to_be_so(String text) {
    assertThatExceptionOfType(JacksonException.class).isThrownBy(() -> read(text));
  }

  private PollRead read(String text) throws InvalidPollException {
    try (JsonParser in = factory.createParser(ObjectReadContext.empty(), text)) {
      return json.read(in);
    }
  }

  private String written(PollBatch batch) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = factory.createGenerator(ObjectWriteContext.empty(), text)) {
      json.write(out, batch);
    }
    return text.toString();
  }
}
