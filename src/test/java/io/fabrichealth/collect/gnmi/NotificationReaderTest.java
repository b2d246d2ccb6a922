package io.fabrichealth.collect.gnmi;

import static io.fabrichealth.collect.gnmi.LeafTree.path;
import static io.fabrichealth.collect.gnmi.LeafTree.real;
import static io.fabrichealth.collect.gnmi.LeafTree.text;
import static io.fabrichealth.collect.gnmi.LeafTree.unsigned;
import static io.fabrichealth.collect.gnmi.ReplayedDevice.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.github.gnmi.proto.Decimal64;
import com.github.gnmi.proto.Encoding;
import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.PathElem;
import com.github.gnmi.proto.ScalarArray;
import com.github.gnmi.proto.TypedValue;
import com.github.gnmi.proto.Update;
import com.github.gnmi.proto.Value;
import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.testing.Readings;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What notifications mean, in all their forms. */
class NotificationReaderTest {
  private static final String PORT = "/interfaces/interface[name=Ethernet1]";
  private static final String COUNTERS = PORT + "/state/counters";

  private final ReplayedDevice device = new ReplayedDevice("openconfig");

  private static TypedValue.Builder value() {
    return TypedValue.newBuilder();
  }

  private static TypedValue json(String text) {
    return ReplayedDevice.json(text);
  }

  private static TypedValue decimal(long digits, int precision) {
    return value()
        .setDecimalVal(Decimal64.newBuilder().setDigits(digits).setPrecision(precision))
        .build();
  }

  private static TypedValue bytes(int... octets) {
    byte[] bytes = new byte[octets.length];
    for (int at = 0; at < octets.length; at++) {
      bytes[at] = (byte) octets[at];
    }
    return value().setBytesVal(ByteString.copyFrom(bytes)).build();
  }

  static Stream<Arguments> counters() {
    return Stream.of(
        Arguments.of(unsigned(-1L), "OK 18446744073709551615"),
        Arguments.of(value().setIntVal(7).build(), "OK 7"),
        Arguments.of(value().setIntVal(-7).build(), "UNREADABLE a counter below 0"),
        Arguments.of(text("18446744073709308388"), "OK 18446744073709308388"),
        Arguments.of(text("18446744073709551616"), "OK 18446744073709551616"),
        Arguments.of(text("2.e9"), "OK 2000000000"),
        Arguments.of(text("1.5"), "UNREADABLE not a number"),
        Arguments.of(text("0x10"), "UNREADABLE not a number"),
        Arguments.of(text("12d"), "UNREADABLE not a number"),
        Arguments.of(text("-3"), "UNREADABLE a counter below 0"),
        Arguments.of(text("N/A"), "UNREADABLE the device says not available"),
        Arguments.of(text(""), "UNREADABLE the device says not available"),
        Arguments.of(json("\"18446744073709551615\""), "OK 18446744073709551615"),
        Arguments.of(json("18446744073709551615"), "OK 18446744073709551615"),
        Arguments.of(json("42"), "OK 42"),
        Arguments.of(json("4.2e1"), "OK 42"),
        Arguments.of(json("null"), "UNREADABLE the device says not available"),
        Arguments.of(json("true"), "UNREADABLE a value of another type"),
        Arguments.of(decimal(4200, 2), "OK 42"),
        Arguments.of(decimal(42, 0), "OK 42"),
        Arguments.of(decimal(42, 77), "UNREADABLE not a number"),
        Arguments.of(decimal(42, -1), "UNREADABLE not a number"),
        Arguments.of(value().setDoubleVal(42).build(), "OK 42"),
        Arguments.of(value().setDoubleVal(Double.NaN).build(), "UNREADABLE not a number"),
        Arguments.of(value().setBoolVal(true).build(), "UNREADABLE a value of another type"),
        Arguments.of(
            value().setAnyVal(Any.getDefaultInstance()).build(),
            "UNREADABLE a value of another type"),
        Arguments.of(
            value().setProtoBytes(ByteString.EMPTY).build(), "UNREADABLE a value of another type"),
        Arguments.of(value().setAsciiVal("42").build(), "OK 42"),
        Arguments.of(
            value().setLeaflistVal(ScalarArray.newBuilder().addElement(unsigned(42))).build(),
            "OK 42"));
  }

  @ParameterizedTest
  @MethodSource("counters")
  void a_counter_is_exact_in_every_form(TypedValue given, String expected) {
    device.send(COUNTERS + "/in-octets", given);

    if (!expected.equals("OK 18446744073709551616")) {
      assertThat(device.readings().of("Ethernet1", "port.in_octets")).isEqualTo(expected);
    } else {
      // One more than 64 bits hold.
      assertThat(device.readings().of("Ethernet1", "port.in_octets"))
          .isEqualTo("UNREADABLE not a number");
    }
  }

  static Stream<Arguments> gauges() {
    return Stream.of(
        Arguments.of(decimal(-207, 2), "OK -2.07"),
        Arguments.of(value().setFloatVal(-2.07f).build(), "OK -2.07"),
        Arguments.of(bytes(0xbd, 0x8f, 0x5c, 0x29), "OK -0.07"),
        Arguments.of(bytes(0xbd, 0x8f), "UNREADABLE a value of another type"),
        Arguments.of(json("\"-2.07\""), "OK -2.07"),
        Arguments.of(json("-2.07"), "OK -2.07"),
        Arguments.of(text("-inf"), "UNREADABLE no light"),
        Arguments.of(real(Double.NEGATIVE_INFINITY), "UNREADABLE no light"),
        Arguments.of(real(-40), "UNREADABLE no light"),
        Arguments.of(real(Double.POSITIVE_INFINITY), "UNREADABLE not a number"),
        Arguments.of(text("NaN"), "UNREADABLE not a number"));
  }

  @ParameterizedTest
  @MethodSource("gauges")
  void a_power_is_a_number_or_says_why_not(TypedValue given, String expected) {
    device.send(PORT + "/state/transceiver", text("Module1"));
    device.send(
        "/components/component[name=Module1]/transceiver/physical-channels/channel[index=0]"
            + "/state/input-power/instant",
        given);

    assertThat(device.readings().of("Ethernet1", "optics.rx_power_dbm")).isEqualTo(expected);
  }

  @Test
  void the_deprecated_value_is_read_by_its_type() {
    Path path = path(COUNTERS + "/in-octets");
    Value old =
        Value.newBuilder()
            .setType(Encoding.JSON)
            .setValue(ByteString.copyFromUtf8("\"77\""))
            .build();
    device.send(
        Notification.newBuilder().addUpdate(Update.newBuilder().setPath(path).setValue(old)));

    assertThat(device.readings().of("Ethernet1", "port.in_octets")).isEqualTo("OK 77");
  }

  @Test
  void old_paths_have_their_elements_as_text() {
    Path old =
        Path.newBuilder()
            .addAllElement(
                List.of("interfaces", "interface[name=Eth\\]1/1]", "state", "oper-status"))
            .build();
    device.send(
        Notification.newBuilder()
            .addUpdate(Update.newBuilder().setPath(old).setVal(text("LOWER_LAYER_DOWN"))));

    assertThat(device.readings().of("Eth]1/1", "port.oper_up")).isEqualTo("OK 0.0");
  }

  @Test
  void prefix_and_path_are_one() {
    device.send(
        Notification.newBuilder()
            .setPrefix(path(PORT + "/state").toBuilder().setOrigin("openconfig").setTarget("l1"))
            .addUpdate(update("counters/in-octets", unsigned(5)))
            .addUpdate(update("oper-status", text("UP"))));

    Readings readings = device.readings();
    assertThat(readings.of("Ethernet1", "port.in_octets")).isEqualTo("OK 5");
    assertThat(readings.of("Ethernet1", "port.oper_up")).isEqualTo("OK 1.0");
  }

  @Test
  void a_document_is_flattened_with_the_keys_of_its_lists_wherever_they_stand() {
    device.sendJson(
        "/interfaces",
        """
        {"openconfig-interfaces:interface": [
          {"state": {"oper-status": "UP", "counters": {"in-octets": "18446744073709551615"}},
           "unknown": [[1, {"x": []}]], "name": "Ethernet1"},
          {"openconfig-interfaces:name": "Ethernet2", "state": {"oper-status": "DOWN"}},
          {"state": {"oper-status": "UP"}}
        ]}
        """);

    CollectOutcome outcome = device.pass();
    Readings readings = new Readings(outcome.batch());
    assertThat(readings.of("Ethernet1", "port.in_octets")).isEqualTo("OK 18446744073709551615");
    assertThat(readings.of("Ethernet1", "port.oper_up")).isEqualTo("OK 1.0");
    assertThat(readings.of("Ethernet2", "port.oper_up")).isEqualTo("OK 0.0");
    assertThat(outcome.batch().ports()).containsExactly("Ethernet1", "Ethernet2");
  }

  @Test
  void an_update_that_names_no_port_is_counted_and_given_to_none() {
    Path.Builder keyless = Path.newBuilder();
    for (String name : List.of("interfaces", "interface", "state", "counters", "in-octets")) {
      keyless.addElem(PathElem.newBuilder().setName(name));
    }
    device.send(
        Notification.newBuilder()
            .addUpdate(Update.newBuilder().setPath(keyless).setVal(unsigned(1))));

    CollectOutcome outcome = device.pass();
    assertThat(outcome.batch().size()).isZero();
    assertThat(outcome.problems())
        .extracting("message")
        .containsExactly("leaf1: 1 updates do not say of which port they are");
  }

  @Test
  void a_delete_comes_before_the_updates_of_its_notification() {
    device.send(COUNTERS + "/in-octets", unsigned(1));
    device.send(COUNTERS + "/out-octets", unsigned(2));
    device.send(
        Notification.newBuilder()
            .addUpdate(update(COUNTERS + "/in-octets", unsigned(10)))
            .addDelete(path(COUNTERS)));

    Readings readings = device.readings();
    assertThat(readings.of("Ethernet1", "port.in_octets")).isEqualTo("OK 10");
    assertThat(readings.of("Ethernet1", "port.out_octets"))
        .isEqualTo("UNREADABLE the device deleted it");
  }

  @Test
  void an_atomic_notification_replaces_all_below_its_prefix() {
    device.send(COUNTERS + "/in-octets", unsigned(1));
    device.send(COUNTERS + "/out-octets", unsigned(2));
    device.send(PORT + "/state/oper-status", text("UP"));
    device.send(
        Notification.newBuilder()
            .setAtomic(true)
            .setPrefix(path(COUNTERS))
            .addUpdate(update("in-octets", unsigned(3))));

    Readings readings = device.readings();
    assertThat(readings.of("Ethernet1", "port.in_octets")).isEqualTo("OK 3");
    assertThat(readings.of("Ethernet1", "port.out_octets"))
        .isEqualTo("UNREADABLE the device deleted it");
    assertThat(readings.of("Ethernet1", "port.oper_up")).isEqualTo("OK 1.0");
  }

  @Test
  void a_delete_without_a_key_is_for_all_ports_and_an_empty_one_for_none() {
    device.send(COUNTERS + "/in-octets", unsigned(1));
    device.send("/interfaces/interface[name=Ethernet2]/state/counters/in-octets", unsigned(2));
    device.send(Notification.newBuilder().addDelete(Path.getDefaultInstance()));
    assertThat(device.readings().of("Ethernet1", "port.in_octets")).isEqualTo("OK 1");

    device.delete("/interfaces");
    CollectOutcome outcome = device.pass();
    assertThat(outcome.sighting().ports()).isEmpty();
    assertThat(new Readings(outcome.batch()).of("Ethernet2", "port.in_octets"))
        .startsWith("UNREADABLE");
  }

  @Test
  void values_that_the_device_dropped_are_said() {
    device.send(
        Notification.newBuilder()
            .addUpdate(
                update(PORT + "/state/oper-status", text("UP")).toBuilder().setDuplicates(3)));

    assertThat(device.pass().remarks())
        .containsExactly("the device dropped 3 earlier values that it could not send");
    assertThat(device.pass().remarks()).isEmpty();
  }

  @Test
  void a_state_that_is_not_known_is_unreadable() {
    device.send(PORT + "/state/oper-status", text("UNKNOWN"));
    device.send(PORT + "/state/admin-status", text("openconfig-interfaces:UP"));

    Readings readings = device.readings();
    assertThat(readings.of("Ethernet1", "port.oper_up"))
        .isEqualTo("UNREADABLE a state that is not known");
    assertThat(readings.of("Ethernet1", "port.admin_up")).isEqualTo("OK 1.0");
  }

  @Test
  void a_sum_needs_all_its_parts_and_a_better_path_comes_first() {
    device.send(COUNTERS + "/in-unicast-pkts", unsigned(5));
    device.send(COUNTERS + "/in-multicast-pkts", unsigned(3));
    assertThat(device.readings().of("Ethernet1", "port.in_packets")).isEqualTo("UNSUPPORTED");

    device.send(COUNTERS + "/in-unicast-pkts", unsigned(6));
    device.send(COUNTERS + "/in-multicast-pkts", unsigned(3));
    device.send(COUNTERS + "/in-broadcast-pkts", unsigned(2));
    assertThat(device.readings().of("Ethernet1", "port.in_packets")).isEqualTo("OK 11");

    device.send(COUNTERS + "/in-pkts", unsigned(12));
    CollectOutcome outcome = device.pass();
    assertThat(new Readings(outcome.batch()).of("Ethernet1", "port.in_packets")).isEqualTo("OK 12");
    assertThat(outcome.batch().discontinuity("Ethernet1")).isEqualTo("cleared -, sources 1");
  }

  @Test
  void two_transitions_are_one_time_down() {
    device.send(COUNTERS + "/carrier-transitions", unsigned(7));

    assertThat(device.readings().of("Ethernet1", "port.link_downed")).isEqualTo("OK 3");
  }

  @Test
  void interfaces_that_are_no_ports_are_left_out_by_name_and_by_type() {
    device.send("/interfaces/interface[name=Loopback0]/state/oper-status", text("UP"));
    device.send("/interfaces/interface[name=uplinks]/state/oper-status", text("UP"));
    device.send(
        "/interfaces/interface[name=uplinks]/state/type", text("iana-if-type:ieee8023adLag"));

    CollectOutcome outcome = device.pass();
    assertThat(outcome.batch().ports()).isEmpty();
    assertThat(outcome.leftOut())
        .extracting("row", "rule")
        .containsExactly(tuple("Loopback0", "loopback"), tuple("uplinks", "link-aggregate"));
  }

  @Test
  void names_without_end_are_refused_and_counted() {
    device.send(
        "/interfaces/interface[name=" + "x".repeat(300) + "]/state/oper-status", text("UP"));

    CollectOutcome outcome = device.pass();
    assertThat(outcome.batch().ports()).isEmpty();
    assertThat(outcome.remarks()).singleElement().asString().contains("too long");
  }

  @Test
  void a_counter_that_is_not_sampled_any_more_is_stale_and_a_state_that_did_not_change_is_not() {
    long longAgo = System.nanoTime() - Duration.ofSeconds(31).toNanos();
    device.reader.take(
        Notification.newBuilder()
            .addUpdate(update(COUNTERS + "/in-octets", unsigned(5)))
            .addUpdate(update(PORT + "/state/oper-status", text("UP")))
            .build(),
        longAgo,
        GnmiCollector.nanos(ReplayedDevice.NOW));

    CollectOutcome outcome = device.pass();
    Readings readings = new Readings(outcome.batch());
    assertThat(readings.of("Ethernet1", "port.in_octets")).startsWith("STALE");
    assertThat(readings.of("Ethernet1", "port.oper_up")).isEqualTo("OK 1.0");
    assertThat(outcome.problems())
        .extracting("message")
        .containsExactly("leaf1: 1 readings are not sent any more");
  }
}
