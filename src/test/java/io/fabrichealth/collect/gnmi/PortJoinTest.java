package io.fabrichealth.collect.gnmi;

import static io.fabrichealth.collect.gnmi.LeafTree.real;
import static io.fabrichealth.collect.gnmi.LeafTree.text;
import static io.fabrichealth.collect.gnmi.LeafTree.unsigned;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.PathElem;
import com.github.gnmi.proto.ScalarArray;
import com.github.gnmi.proto.TypedValue;
import com.github.gnmi.proto.Update;
import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.testing.Readings;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Neighbour;
import io.fabrichealth.topology.Neighbour.PortIdKind;
import io.fabrichealth.topology.SeenPort;
import org.junit.jupiter.api.Test;

/** What belongs to a port: its aliases, its module and channels, its queues, its neighbours. */
class PortJoinTest {
  private static final String MODULE = "/components/component[name=Ethernet1-Transceiver]";
  private static final String CHANNELS = MODULE + "/transceiver/physical-channels/channel";

  private final ReplayedDevice device = new ReplayedDevice("openconfig");
  private final ReplayedDevice sonic = new ReplayedDevice("sonic");

  private static String power(int channel) {
    return CHANNELS + "[index=" + channel + "]/state/input-power/instant";
  }

  private static String port(String name) {
    return "/interfaces/interface[name=" + name + "]/state";
  }

  private static TypedValue channels(int... numbers) {
    ScalarArray.Builder list = ScalarArray.newBuilder();
    for (int number : numbers) {
      list.addElement(unsigned(number));
    }
    return TypedValue.newBuilder().setLeaflistVal(list).build();
  }

  @Test
  void channels_count_from_0_where_there_is_a_channel_0() {
    device.send(port("Ethernet1") + "/transceiver", text("Ethernet1-Transceiver"));
    device.send(power(0), real(-1));
    device.send(power(1), real(-2));

    Readings readings = device.readings();
    assertThat(readings.of("Ethernet1", "optics.rx_power_dbm", 0)).isEqualTo("OK -1.0");
    assertThat(readings.of("Ethernet1", "optics.rx_power_dbm", 1)).isEqualTo("OK -2.0");
  }

  @Test
  void channels_count_from_1_where_there_is_none() {
    device.send(port("Ethernet1") + "/transceiver", text("Ethernet1-Transceiver"));
    device.send(power(1), real(-1));
    device.send(power(2), real(-2));

    Readings readings = device.readings();
    assertThat(readings.of("Ethernet1", "optics.rx_power_dbm", 0)).isEqualTo("OK -1.0");
    assertThat(readings.of("Ethernet1", "optics.rx_power_dbm", 1)).isEqualTo("OK -2.0");
    assertThat(readings.of("Ethernet1", "optics.rx_power_dbm", 2)).isNull();
  }

  @Test
  void ports_of_one_module_have_the_channels_that_they_name() {
    for (int half = 1; half <= 2; half++) {
      String name = port("Ethernet1/" + half);
      device.send(name + "/transceiver", text("Ethernet1-Transceiver"));
      device.send(name + "/physical-channel", channels(2 * half - 2, 2 * half - 1));
    }
    for (int channel = 0; channel < 4; channel++) {
      device.send(power(channel), real(-channel));
    }

    CollectOutcome outcome = device.pass();
    Readings readings = new Readings(outcome.batch());
    assertThat(readings.of("Ethernet1/1", "optics.rx_power_dbm", 1)).isEqualTo("OK -1.0");
    assertThat(readings.of("Ethernet1/2", "optics.rx_power_dbm", 0)).isEqualTo("OK -2.0");
    assertThat(readings.of("Ethernet1/2", "optics.rx_power_dbm", 2)).isNull();
    assertThat(outcome.sighting().ports()).extracting(SeenPort::lanes).containsExactly(2, 2);
  }

  @Test
  void ports_of_one_module_that_do_not_say_which_channels_are_theirs_get_none() {
    device.send(port("Ethernet1/1") + "/transceiver", text("Ethernet1-Transceiver"));
    device.send(port("Ethernet1/2") + "/transceiver", text("Ethernet1-Transceiver"));
    device.send(power(0), real(-1));

    assertThat(device.readings().of("Ethernet1/1", "optics.rx_power_dbm")).isEqualTo("UNSUPPORTED");
  }

  @Test
  void a_module_tells_what_it_is() {
    device.send(port("Ethernet1") + "/transceiver", text("Ethernet1-Transceiver"));
    device.sendJson(
        MODULE + "/transceiver/state",
        """
        {"vendor-part": "QDD-400G-DR4 ", "connector-type": "openconfig-transport-types:MPO_CONNECTOR",
         "module-temperature": {"instant": "41.5"}}
        """);

    CollectOutcome outcome = device.pass();
    assertThat(outcome.sighting().ports())
        .extracting(SeenPort::partNumber, SeenPort::media)
        .containsExactly(tuple("QDD-400G-DR4", Media.OPTICAL));
    assertThat(new Readings(outcome.batch()).of("Ethernet1", "optics.module_temperature_celsius"))
        .isEqualTo("OK 41.5");
  }

  @Test
  void queues_are_numbered_by_the_end_of_their_names_and_never_twice() {
    String queues = "/qos/interfaces/interface[interface-id=Ethernet1]/output/queues/queue";
    device.send(queues + "[name=UC3]/state/ecn-marked-pkts", unsigned(30));
    device.send(queues + "[name=MC3]/state/ecn-marked-pkts", unsigned(31));

    CollectOutcome outcome = device.pass();
    Readings readings = new Readings(outcome.batch());
    assertThat(readings.of("Ethernet1", "ecn.marked_packets", 3)).isEqualTo("OK 30");
    assertThat(readings.of("Ethernet1", "ecn.marked_packets", 0)).isEqualTo("OK 31");
    assertThat(outcome.remarks()).singleElement().asString().startsWith("names of queues");
  }

  @Test
  void neighbours_are_told_with_the_kind_of_their_port_ids() {
    String neighbour = "/lldp/interfaces/interface[name=Ethernet1]/neighbors/neighbor[id=7]/state";
    device.sendJson(
        neighbour,
        """
        {"chassis-id": "AABB.CC00.0102", "chassis-id-type": "MAC_ADDRESS", "port-id": "swp1",
         "port-id-type": "openconfig-lldp-types:INTERFACE_NAME", "system-name": "spine1"}
        """);
    assertThat(device.pass().sighting().neighbours())
        .containsExactly(
            new Neighbour(
                "Ethernet1",
                "spine1",
                "aa:bb:cc:00:01:02",
                "swp1",
                PortIdKind.INTERFACE_NAME,
                null));

    device.delete("/lldp/interfaces/interface[name=Ethernet1]/neighbors/neighbor[id=7]");
    assertThat(device.pass().sighting().neighbours()).isEmpty();
  }

  @Test
  void sonic_tells_neighbours_and_ports_in_its_tables() {
    sonic.sendJson("COUNTERS_PORT_NAME_MAP", "{\"Ethernet0\": \"oid:0x1000000000012\"}");
    sonic.sendJson(
        "PORT_TABLE",
        """
        {"Ethernet0": {"alias": "etp1", "speed": "400000", "lanes": "0,1,2,3,4,5,6,7", "mtu": "9100",
         "admin_status": "up", "oper_status": "down", "fec": "rs"}}
        """);
    sonic.sendJson(
        "LLDP_ENTRY_TABLE",
        """
        {"Ethernet0": {"lldp_rem_chassis_id": "aa:bb:cc:00:01:02", "lldp_rem_chassis_id_subtype": "4",
         "lldp_rem_port_id": "mlx5_0", "lldp_rem_port_id_subtype": "7", "lldp_rem_sys_name": "gpu1"}}
        """);

    CollectOutcome outcome = sonic.pass();
    assertThat(outcome.sighting().ports())
        .extracting(
            SeenPort::name,
            SeenPort::speedBitsPerSecond,
            SeenPort::lanes,
            SeenPort::fec,
            SeenPort::mtu)
        .containsExactly(tuple("Ethernet0", 400_000_000_000L, 8, FecMode.RS544, 9100));
    assertThat(outcome.sighting().ports().getFirst().aliases()).containsExactly("etp1");
    assertThat(outcome.sighting().neighbours())
        .extracting(Neighbour::systemName, Neighbour::portId, Neighbour::portIdKind)
        .containsExactly(tuple("gpu1", "mlx5_0", PortIdKind.LOCAL));
    assertThat(new Readings(outcome.batch()).of("Ethernet0", "port.oper_up")).isEqualTo("OK 0.0");
  }

  @Test
  void counters_under_a_ports_alias_are_the_ports() {
    sonic.sendJson("COUNTERS_PORT_NAME_MAP", "{\"Ethernet0\": \"oid:0x1\"}");
    sonic.sendJson("PORT_TABLE", "{\"Ethernet0\": {\"alias\": \"etp1\"}}");
    sonic.sendJson("COUNTERS/Ethernet*", "{\"etp1\": {\"SAI_PORT_STAT_IF_IN_OCTETS\": \"55\"}}");

    CollectOutcome outcome = sonic.pass();
    assertThat(outcome.batch().ports()).containsExactly("Ethernet0");
    assertThat(new Readings(outcome.batch()).of("Ethernet0", "port.in_octets")).isEqualTo("OK 55");
  }

  @Test
  void a_name_that_is_another_ports_alias_is_refused() {
    sonic.sendJson(
        "COUNTERS_PORT_NAME_MAP", "{\"Ethernet0\": \"oid:0x1\", \"Ethernet8\": \"oid:0x2\"}");
    sonic.sendJson(
        "PORT_TABLE",
        "{\"Ethernet0\": {\"alias\": \"Ethernet8\"}, \"Ethernet8\": {\"alias\": \"Ethernet64\"}}");
    sonic.sendJson(
        "COUNTERS/Ethernet*",
        """
        {"Ethernet0": {"SAI_PORT_STAT_IF_IN_OCTETS": "1"},
         "Ethernet8": {"SAI_PORT_STAT_IF_IN_OCTETS": "2"}}
        """);

    CollectOutcome outcome = sonic.pass();
    Readings readings = new Readings(outcome.batch());
    assertThat(readings.of("Ethernet8", "port.in_octets"))
        .isEqualTo("UNREADABLE the port's name is another port's alias");
    assertThat(readings.of("Ethernet0", "port.in_octets")).isEqualTo("OK 1");
    assertThat(outcome.remarks()).singleElement().asString().contains("Ethernet8");
  }

  @Test
  void what_is_no_port_of_the_name_map_is_left_out() {
    sonic.sendJson("COUNTERS_PORT_NAME_MAP", "{\"Ethernet0\": \"oid:0x1\"}");
    sonic.sendJson(
        "COUNTERS/Ethernet*", "{\"Ethernet-Rec0\": {\"SAI_PORT_STAT_IF_IN_OCTETS\": \"1\"}}");

    assertThat(sonic.pass().leftOut())
        .extracting("row", "rule")
        .containsExactly(tuple("Ethernet-Rec0", PortJoin.NOT_LISTED));
  }

  @Test
  void fields_of_all_ports_come_as_a_document_under_the_field() {
    sonic.sendJson(
        "COUNTERS/Ethernet*/SAI_PORT_STAT_PFC_3_RX_PKTS",
        "{\"Ethernet0\": {\"SAI_PORT_STAT_PFC_3_RX_PKTS\": \"9\"}}");
    sonic.sendJson("COUNTERS/Ethernet4/SAI_PORT_STAT_PFC_3_RX_PKTS", "\"8\"");

    Readings readings = sonic.readings();
    assertThat(readings.of("Ethernet0", "pfc.rx_pause_frames", 3)).isEqualTo("OK 9");
    assertThat(readings.of("Ethernet4", "pfc.rx_pause_frames", 3)).isEqualTo("OK 8");
  }

  @Test
  void a_queue_beyond_any_switchs_is_none() {
    for (int queue : new int[] {63, 64, 9999}) {
      sonic.sendJson(
          "COUNTERS/Ethernet*/Queues",
          "{\"Ethernet0:%d\": {\"SAI_QUEUE_STAT_PACKETS\": \"5\"}}".formatted(queue));
    }

    CollectOutcome outcome = sonic.pass();
    assertThat(outcome.batch().ports()).containsExactly("Ethernet0");
    Readings readings = new Readings(outcome.batch());
    assertThat(readings.of("Ethernet0", "queue.out_packets", 63)).isEqualTo("OK 5");
    assertThat(readings.of("Ethernet0", "queue.out_packets", 64)).isNull();
    assertThat(readings.of("Ethernet0", "queue.out_packets", 9999)).isNull();
  }

  @Test
  void junos_has_keys_in_elements_without_a_name() {
    ReplayedDevice junos = new ReplayedDevice("junos");
    var prefix =
        LeafTree.path("/junos/system/linecard/qmon-sw").toBuilder()
            .addElem(PathElem.newBuilder().putKey("name", "xe-0/0/0:0"));
    for (int queue = 0; queue < 2; queue++) {
      junos.send(
          Notification.newBuilder()
              .setPrefix(prefix)
              .addUpdate(
                  Update.newBuilder()
                      .setPath(
                          Path.newBuilder()
                              .addElem(PathElem.newBuilder().setName("egress"))
                              .addElem(
                                  PathElem.newBuilder()
                                      .putKey("queue-number", Integer.toString(queue)))
                              .addElem(PathElem.newBuilder().setName("packets")))
                      .setVal(unsigned(10 + queue))));
    }

    Readings readings = junos.readings();
    assertThat(readings.of("xe-0/0/0:0", "queue.out_packets", 0)).isEqualTo("OK 10");
    assertThat(readings.of("xe-0/0/0:0", "queue.out_packets", 1)).isEqualTo("OK 11");
  }

  @Test
  void arista_counts_pauses_by_priority_in_its_own_tree() {
    ReplayedDevice arista = new ReplayedDevice("arista");
    arista.send(
        "/Smash/counters/ethIntf/SandCounters/current/counter/Ethernet3/ethStatistics"
            + "/inPfcClassFrames/count/3",
        unsigned(12));

    assertThat(arista.readings().of("Ethernet3", "pfc.rx_pause_frames", 3)).isEqualTo("OK 12");
  }
}
