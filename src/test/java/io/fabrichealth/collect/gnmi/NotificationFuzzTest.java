package io.fabrichealth.collect.gnmi;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.PathElem;
import com.github.gnmi.proto.TypedValue;
import com.github.gnmi.proto.Update;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.testing.Readings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/** Whatever a device sends, a pass is made of it, and says what it did not understand. */
class NotificationFuzzTest {
  private static final ProfileLoader LOADER = ProfileLoader.shipped(Readings.DICTIONARY);
  private static final List<Profile> PROFILES =
      List.of(
          LOADER.profile("openconfig"),
          LOADER.profile("sonic"),
          LOADER.profile("junos"),
          LOADER.profile("arista"));
  private static final Map<String, Profile> PLACES =
      Map.of(
          "/interfaces", PROFILES.get(0),
          "/components", PROFILES.get(0),
          "COUNTERS/Ethernet*", PROFILES.get(1),
          "/junos", PROFILES.get(2));
  private static final ObjectReader STRICT =
      JsonMapper.builder(JsonReader.FACTORY)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build()
          .readerFor(Object.class);
  private static final String[] NAMES = {
    "interfaces",
    "interface",
    "oc-if:interfaces",
    "state",
    "counters",
    "in-octets",
    "oper-status",
    "ethernet",
    "components",
    "component",
    "transceiver",
    "physical-channels",
    "channel",
    "input-power",
    "instant",
    "qos",
    "output",
    "queues",
    "queue",
    "lldp",
    "neighbors",
    "neighbor",
    "COUNTERS",
    "Ethernet*",
    "Ethernet0",
    "Ethernet0:3",
    "Queues",
    "RATES",
    "PORT_TABLE",
    "junos",
    "system",
    "linecard",
    "qmon-sw",
    "",
    "egress",
    "*",
    "name",
    "..."
  };
  private static final String[] KEYS = {"name", "index", "id", "interface-id", "queue-number"};

  /** What is no notification is refused by protobuf; every other one can be told twice. */
  @FuzzTest
  void a_notification_told_twice_says_what_it_says_once(byte[] data) {
    Notification notification;
    try {
      notification = Notification.parseFrom(data);
    } catch (InvalidProtocolBufferException e) {
      return;
    }
    for (Profile profile : PROFILES) {
      ReplayedDevice device = new ReplayedDevice(profile);
      device.send(notification.toBuilder());
      Map<String, String> once = texts(device.pass().batch());
      device.send(notification.toBuilder());
      assertThat(texts(device.pass().batch())).isEqualTo(once);
    }
  }

  /** How often a port went down counts on, of course. */
  private static Map<String, String> texts(PollBatch batch) {
    Map<String, String> texts = new TreeMap<>(new Readings(batch).texts());
    texts.keySet().removeIf(key -> key.contains("port.link_downed"));
    return texts;
  }

  /** A path leads to one port that it names, or to none. */
  @FuzzTest
  void a_path_leads_to_a_port_that_it_names_or_to_none(FuzzedDataProvider data) {
    Profile profile = data.pickValue(PROFILES);
    Path prefix = path(data);
    Path path = path(data);
    ReplayedDevice device = new ReplayedDevice(profile);
    device.send(
        Notification.newBuilder()
            .setPrefix(prefix)
            .addUpdate(
                Update.newBuilder()
                    .setPath(path)
                    .setVal(TypedValue.newBuilder().setUintVal(data.consumeLong()))));
    CollectOutcome outcome = device.pass();

    String named = (prefix + " " + path).replace("\\", "");
    assertThat(outcome.batch().ports()).hasSizeLessThanOrEqualTo(1);
    for (String port : outcome.batch().ports()) {
      // Without printing every character in protobuf's own way.
      if (port.chars().allMatch(character -> character > ' ' && character < 0x7f)) {
        assertThat(named).contains(port.replace("\\", ""));
      }
    }
  }

  private static Path path(FuzzedDataProvider data) {
    Path.Builder path = Path.newBuilder();
    int elems = data.consumeInt(0, 8);
    for (int index = 0; index < elems; index++) {
      PathElem.Builder elem = PathElem.newBuilder();
      elem.setName(data.consumeBoolean() ? data.pickValue(NAMES) : data.consumeAsciiString(12));
      if (data.consumeBoolean()) {
        elem.putKey(
            data.pickValue(KEYS),
            data.consumeBoolean() ? data.pickValue(NAMES) : data.consumeAsciiString(12));
      }
      if (data.consumeBoolean()) {
        path.addElement(
            data.consumeBoolean() ? elem.getName() + "[name=" : data.consumeAsciiString(20));
      } else {
        path.addElem(elem);
      }
    }
    return path.build();
  }

  /** What is JSON is read, and what is not is said. */
  @FuzzTest
  void a_document_is_read_or_said_to_be_none(byte[] json) {
    boolean good = isJson(json);
    for (Map.Entry<String, Profile> place : PLACES.entrySet()) {
      ReplayedDevice device = new ReplayedDevice(place.getValue());
      device.send(
          place.getKey(),
          TypedValue.newBuilder().setJsonIetfVal(ByteString.copyFrom(json)).build());
      CollectOutcome outcome = device.pass();
      boolean said =
          outcome.problems().stream()
              .anyMatch(problem -> problem.message().contains("no value that can be read"));
      assertThat(said).isEqualTo(!good);
      assertThat(outcome.batch().ports().size()).isLessThanOrEqualTo(json.length);
    }
  }

  private static boolean isJson(byte[] json) {
    try {
      return json.length > 0 && STRICT.readValue(json) != null;
    } catch (JacksonException e) {
      return false;
    }
  }
}
