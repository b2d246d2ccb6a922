package io.fabrichealth.collect.snmp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.LeftOut;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.testing.Readings;
import io.fabrichealth.topology.Neighbour;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.SeenPort;
import io.fabrichealth.topology.Sighting;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.snmp4j.PDU;
import org.snmp4j.smi.Counter64;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.OctetString;

/** Reads an agent that behaves, and one that does not. */
class SnmpCollectorTest {
  private static final SignalDictionary DICTIONARY = SignalCatalogue.load();
  private static final SnmpMapping MAPPING = SnmpMapping.load(DICTIONARY);
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final String IFX = "1.3.6.1.2.1.31.1.1.1.";

  private Instant now = Instant.parse("2026-02-01T04:00:00Z");
  private FakeAgent agent;
  private SnmpSession session;
  private SnmpCollector collector;

  @BeforeEach
  void start() throws IOException {
    agent = new FakeAgent();
    session = SnmpSession.open();
    collector = collector("127.0.0.1", Duration.ofMillis(300));
  }

  @AfterEach
  void stop() throws IOException {
    collector.close();
    session.close();
    agent.close();
  }

  private SnmpCollector collector(String address, Duration timeout) {
    SnmpTarget target =
        new SnmpTarget(
            "leaf1",
            Role.LEAF,
            address,
            agent.port(),
            INTERVAL,
            timeout,
            new SnmpTarget.Community("public"),
            null);
    return new SnmpCollector(target, session, DICTIONARY, MAPPING, () -> now);
  }

  private CollectOutcome pass() throws InterruptedException {
    CollectOutcome outcome = collector.collect(now.plusSeconds(60));
    now = now.plus(INTERVAL);
    return outcome;
  }

  private static Readings readings(CollectOutcome outcome) {
    return new Readings(outcome.batch());
  }

  private static Sighting sighting(CollectOutcome outcome) {
    return Objects.requireNonNull(outcome.sighting());
  }

  @Test
  void counters_states_and_speed_of_every_port_are_read() throws Exception {
    agent.ports(1, 64).counter64(IFX + "6.64", -1L).integer("1.3.6.1.2.1.2.2.1.8.3", 2);

    CollectOutcome outcome = pass();

    assertThat(outcome.problems()).isEmpty();
    assertThat(outcome.batch().complete()).isTrue();
    Readings read = readings(outcome);
    assertThat(read.counter("Ethernet7", "port.in_octets", 0)).isEqualTo(7006);
    assertThat(read.counter("Ethernet7", "port.in_packets", 0)).isEqualTo(7007 + 7008 + 7009);
    assertThat(Long.toUnsignedString(read.counter("Ethernet64", "port.in_octets", 0)))
        .isEqualTo("18446744073709551615");
    assertThat(read.value("Ethernet7", "port.speed_bits_per_second", 0)).isEqualTo(4e11);
    assertThat(read.value("Ethernet3", "port.oper_up", 0)).isZero();
    assertThat(read.value("Ethernet4", "port.oper_up", 0)).isEqualTo(1);
    assertThat(outcome.batch().counterBits(DICTIONARY.ordinal("port.in_errors"))).isEqualTo(32);
    assertThat(outcome.batch().counterBits(DICTIONARY.ordinal("port.in_octets"))).isZero();
    SeenPort first = sighting(outcome).ports().getFirst();
    assertThat(first.name()).isEqualTo("Ethernet1");
    assertThat(first.index()).isEqualTo(1);
    assertThat(first.speedBitsPerSecond()).isEqualTo(400_000_000_000L);
    assertThat(first.mtu()).isEqualTo(9216);
  }

  @Test
  void boot_and_device_time_follow_the_uptime() throws Exception {
    agent.ports(1, 2);
    CollectOutcome first = pass();
    agent.upTicks = () -> 1_001_000;
    CollectOutcome second = pass();
    agent.upTicks = () -> 500;
    CollectOutcome restarted = pass();

    assertThat(first.batch().boot()).isEqualTo("2026-02-01T01:13:20Z");
    assertThat(second.batch().boot()).isEqualTo(first.batch().boot());
    assertThat(second.batch().deviceTime())
        .isEqualTo(Objects.requireNonNull(first.batch().deviceTime()).plusSeconds(10));
    assertThat(restarted.batch().boot()).isNotEqualTo(first.batch().boot());
    assertThat(restarted.sighting()).as("names are read anew after a restart").isNotNull();
  }

  @Test
  void a_discontinuity_of_one_port_is_told() throws Exception {
    agent.ports(1, 2);
    agent.objects.put(new OID(IFX + "19.1"), new org.snmp4j.smi.TimeTicks(0));
    agent.objects.put(new OID(IFX + "19.2"), new org.snmp4j.smi.TimeTicks(0));
    CollectOutcome first = pass();
    agent.objects.put(new OID(IFX + "19.2"), new org.snmp4j.smi.TimeTicks(77));
    CollectOutcome second = pass();

    assertThat(second.batch().discontinuity("Ethernet1"))
        .isEqualTo(first.batch().discontinuity("Ethernet1"));
    assertThat(second.batch().discontinuity("Ethernet2"))
        .isNotEqualTo(first.batch().discontinuity("Ethernet2"));
  }

  @Test
  void a_dead_device_is_asked_ever_more_rarely_and_comes_back_at_once() throws Exception {
    agent.ports(1, 2).silent = true;
    assertThat(code(pass())).isEqualTo(FailureCode.TIMEOUT);
    assertThat(code(pass())).isEqualTo(FailureCode.TIMEOUT);
    assertThat(code(pass())).isEqualTo(FailureCode.TIMEOUT);
    int asked = agent.requests.get();
    CollectOutcome held = pass();
    assertThat(code(held)).isEqualTo(FailureCode.BACK_OFF);
    assertThat(held.batch().complete()).isFalse();
    assertThat(held.batch().size()).isZero();
    assertThat(agent.requests.get()).isEqualTo(asked);

    agent.silent = false;
    now = now.plusSeconds(300);
    CollectOutcome back = pass();
    assertThat(back.problems()).isEmpty();
    assertThat(readings(back).has("Ethernet1", "port.in_octets")).isTrue();
    assertThat(pass().problems()).as("nothing sticks").isEmpty();
  }

  @Test
  void one_table_that_stays_silent_loses_nothing_but_itself() throws Exception {
    agent.ports(1, 8);
    pass();
    agent.silentBelow = new OID("1.3.6.1.2.1.2.2");

    CollectOutcome outcome = pass();

    assertThat(outcome.batch().complete()).isFalse();
    assertThat(outcome.problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.code()).isEqualTo(FailureCode.PARTIAL);
              assertThat(problem.message()).contains("leaf1", "ifTable");
            });
    Readings read = readings(outcome);
    assertThat(read.has("Ethernet8", "port.in_octets")).isTrue();
    assertThat(read.has("Ethernet8", "port.oper_up")).isFalse();
  }

  @Test
  void half_a_table_is_kept_and_marked() throws Exception {
    agent.ports(1, 40);
    pass();
    OID last = new OID(IFX + "6.20");
    agent.next =
        object ->
            object.startsWith(new OID(IFX + "6")) && object.compareTo(last) >= 0
                ? new OID(IFX + "6.1")
                : agent.objects.higherKey(object);

    CollectOutcome outcome = pass();

    assertThat(outcome.batch().complete()).isFalse();
    assertThat(outcome.problems()).extracting(Problem::code).contains(FailureCode.MALFORMED);
    assertThat(outcome.problems().getFirst().message()).contains("goes back");
    Readings read = readings(outcome);
    assertThat(read.has("Ethernet20", "port.in_octets")).isTrue();
    assertThat(read.has("Ethernet21", "port.in_octets")).isFalse();
    assertThat(read.has("Ethernet21", "port.out_octets")).isTrue();
  }

  @Test
  void an_agent_that_repeats_a_row_for_ever_ends_the_column() throws Exception {
    agent.ports(1, 3);
    OID table = new OID("1.3.6.1.2.1.31.1.1.1");
    agent.next =
        object ->
            object.startsWith(table) && agent.objects.containsKey(object)
                ? object
                : agent.objects.higherKey(object);

    CollectOutcome outcome = pass();

    assertThat(outcome.batch().complete()).isFalse();
    assertThat(outcome.problems()).extracting(Problem::code).contains(FailureCode.MALFORMED);
    assertThat(agent.requests.get()).isLessThan(100);
  }

  @Test
  void fewer_rows_are_asked_for_where_an_answer_is_too_big() throws Exception {
    agent.ports(1, 100).tooBigAbove = 30;

    CollectOutcome outcome = pass();

    assertThat(outcome.problems()).isEmpty();
    assertThat(readings(outcome).has("Ethernet100", "port.out_errors")).isTrue();
  }

  @Test
  void an_agent_for_which_even_one_value_is_too_big_is_named() throws Exception {
    agent.ports(1, 3).tooBigAbove = 0;

    CollectOutcome outcome = pass();

    assertThat(outcome.problems()).extracting(Problem::code).contains(FailureCode.TOO_LARGE);
    assertThat(outcome.batch().complete()).isFalse();
  }

  @Test
  void a_refused_column_is_named_and_the_others_are_read() throws Exception {
    agent.ports(1, 3).refusedStatus = PDU.genErr;

    CollectOutcome outcome = pass();

    assertThat(outcome.problems()).isNotEmpty();
    assertThat(outcome.problems().getFirst().message()).contains("refused");
  }

  @Test
  void a_value_of_the_wrong_type_is_unreadable_and_told() throws Exception {
    agent.ports(1, 2);
    agent.objects.put(new OID(IFX + "6.1"), new OctetString("N/A"));

    CollectOutcome outcome = pass();

    Readings read = readings(outcome);
    int reading = read.at("Ethernet1", "port.in_octets", 0);
    assertThat(outcome.batch().quality(reading)).isEqualTo(Quality.UNREADABLE);
    assertThat(outcome.batch().reason(reading)).contains("OCTET STRING");
    assertThat(read.counter("Ethernet2", "port.in_octets", 0)).isEqualTo(2006);
    assertThat(code(outcome)).isEqualTo(FailureCode.MALFORMED);
  }

  @Test
  void ports_keep_their_names_where_the_rows_are_numbered_anew() throws Exception {
    agent.port(1, "Ethernet1").port(2, "Ethernet2");
    pass();
    agent.port(1, "Ethernet2").port(2, "Ethernet1");
    agent.counter64(IFX + "6.1", 222).counter64(IFX + "6.2", 111);

    Readings read = readings(pass());

    assertThat(read.counter("Ethernet1", "port.in_octets", 0)).isEqualTo(111);
    assertThat(read.counter("Ethernet2", "port.in_octets", 0)).isEqualTo(222);
  }

  @Test
  void a_new_port_is_seen_without_a_restart() throws Exception {
    agent.ports(1, 2);
    pass();
    agent.port(9, "Ethernet9");
    pass();

    assertThat(readings(pass()).has("Ethernet9", "port.in_octets")).isTrue();
  }

  @Test
  void two_ports_of_one_name_are_told_apart_and_told() throws Exception {
    agent.port(1, "Ethernet1").port(2, "twin").port(3, "twin");

    CollectOutcome outcome = pass();

    assertThat(sighting(outcome).ports())
        .extracting(SeenPort::name)
        .containsExactlyInAnyOrder("Ethernet1", "twin#2", "twin#3");
    assertThat(outcome.remarks())
        .containsExactly("ports of the same name are told apart by their number: twin#2, twin#3");
    assertThat(outcome.problems()).as("nothing is lost").isEmpty();
    assertThat(outcome.batch().complete()).isTrue();
    assertThat(pass().remarks()).as("also between inventories").isEqualTo(outcome.remarks());
  }

  @Test
  void many_ports_of_one_name_make_one_short_remark() throws Exception {
    for (int row = 1; row <= 200; row++) {
      agent.port(row, "twin");
    }

    assertThat(pass().remarks())
        .singleElement()
        .asString()
        .endsWith("twin#1, twin#2, twin#3, twin#4, twin#5 and 195 more");
  }

  @Test
  void a_count_of_interfaces_that_is_wrong_for_ever_is_remarked_and_fails_nothing()
      throws Exception {
    agent.ports(1, 4).integer("1.3.6.1.2.1.2.1.0", 7);

    CollectOutcome outcome = pass();

    assertThat(outcome.remarks()).containsExactly("ifNumber is 7, ifTable has 4 rows");
    assertThat(outcome.problems()).isEmpty();
    assertThat(outcome.batch().complete()).isTrue();
  }

  @Test
  void rows_that_are_no_ports_are_left_out_by_name_of_the_rule() throws Exception {
    agent.port(1, "Ethernet1").port(2, "mgmt0").port(3, "Port-Channel5").port(4, "lo");
    agent.port(5, "Ethernet1.100").port(6, "Vlan10").port(7, "odd");
    agent.integer("1.3.6.1.2.1.2.2.1.3.7", 53);

    assertThat(pass().leftOut())
        .containsExactlyInAnyOrder(
            new LeftOut("mgmt0", "management"),
            new LeftOut("Port-Channel5", "link-aggregate"),
            new LeftOut("lo", "loopback"),
            new LeftOut("Ethernet1.100", "sub-interface"),
            new LeftOut("Vlan10", "vlan"),
            new LeftOut("odd", "not-physical"));
  }

  @Test
  void what_is_not_there_is_unsupported_once_and_asked_for_rarely() throws Exception {
    agent.ports(1, 2);
    CollectOutcome first = pass();
    int requestsOfFirst = agent.requests.get();
    pass();
    int requestsOfSecond = agent.requests.get() - requestsOfFirst;

    Readings read = readings(first);
    int pfc = read.at(PollBatch.DEVICE, "pfc.rx_pause_frames", 0);
    assertThat(first.batch().quality(pfc)).isEqualTo(Quality.UNSUPPORTED);
    assertThat(read.has("Ethernet1", "pfc.rx_pause_frames")).isFalse();
    assertThat(read.has(PollBatch.DEVICE, "port.in_octets")).isFalse();
    assertThat(requestsOfSecond).isLessThanOrEqualTo(3);
    assertThat(requestsOfFirst).isGreaterThan(10);
  }

  @Test
  void the_table_by_priority_is_preferred_and_kept_while_it_answers() throws Exception {
    agent.ports(1, 1);
    String ext = "1.3.6.1.4.1.9.9.813.1.";
    agent.counter64(ext + "1.1.1.2.1", 5);
    for (int priority = 0; priority < 8; priority++) {
      agent.counter64(ext + "2.1.2.1." + priority, 20 + priority);
      agent.counter64(ext + "2.1.3.1." + priority, 30 + priority);
      agent.counter64(ext + "4.1.2.1." + priority, 40 + priority);
    }
    Readings read = readings(pass());
    assertThat(read.counter("Ethernet1", "pfc.rx_pause_frames", 3)).isEqualTo(33);
    assertThat(read.counter("Ethernet1", "pfc.rx_pause_microseconds", 7)).isEqualTo(47);

    agent.silentBelow = new OID(ext + "2.1");
    assertThat(readings(pass()).has("Ethernet1", "pfc.rx_pause_frames"))
        .as("the sum does not stand in for the priorities")
        .isFalse();
  }

  @Test
  void milliseconds_become_microseconds() throws Exception {
    agent.ports(1, 1);
    agent.counter64("1.3.6.1.4.1.33049.15.1.2.1.3.1.3", 9);
    agent.counter64("1.3.6.1.4.1.33049.15.1.2.1.4.1.3", 12);

    assertThat(readings(pass()).counter("Ethernet1", "pfc.rx_pause_microseconds", 3))
        .isEqualTo(12_000);
  }

  @Test
  void a_cage_without_a_module_has_no_light_and_no_zero() throws Exception {
    agent.ports(1, 2);
    String dom = "1.3.6.1.4.1.2636.3.60.1.1.1.1.";
    for (int column : new int[] {5, 6, 7, 8}) {
      agent.integer(dom + column + ".1", 0);
    }
    agent.integer(dom + "5.2", -4000).integer(dom + "6.2", 7000);
    agent.integer(dom + "7.2", -188).integer(dom + "8.2", 42);

    PollBatch batch = pass().batch();
    Readings read = new Readings(batch);
    assertThat(batch.reason(read.at("Ethernet1", "optics.rx_power_dbm", 0))).isEqualTo("no module");
    assertThat(batch.reason(read.at("Ethernet2", "optics.rx_power_dbm", 0))).isEqualTo("no light");
    assertThat(read.value("Ethernet2", "optics.tx_power_dbm", 0)).isEqualTo(-1.88, within(1e-9));
    assertThat(read.value("Ethernet2", "optics.tx_bias_milliamperes", 0)).isEqualTo(7);
  }

  @Test
  void sensors_find_their_port_and_lane() throws Exception {
    agent.port(1, "Ethernet1").port(12, "Ethernet1/2").port(13, "Ethernet1/2/1");
    sensor(101, "DOM RX Power Sensor for Ethernet1/2/1/3", 6, 8, 4, 5310, 1);
    sensor(102, "Ethernet1/2 Lane 4 Transceiver Transmit Power Sensor", 6, 8, 4, 1, 1);
    sensor(103, "Ethernet1/2 Lane 4 Transceiver Bias Current Sensor", 5, 8, 2, 3345, 1);
    sensor(104, "Outlet temperature", 8, 9, 1, 415, 1);
    sensor(105, "Inlet temperature", 8, 9, 1, 215, 1);
    sensor(106, "RX Power Sensor for Ethernet1/99", 6, 8, 4, 5310, 1);
    sensor(107, "DOM RX Power Sensor for Ethernet1/2/1/4", 6, 8, 4, 0, 2);
    agent.text("1.3.6.1.2.1.47.1.1.1.1.7.7", "Lane 5 for something");
    sensor(108, "receive power", 6, 8, 4, 9999, 1);
    agent.integer("1.3.6.1.2.1.47.1.1.1.1.4.108", 7).integer("1.3.6.1.2.1.47.1.1.1.1.4.7", 8);
    agent.objects.put(new OID("1.3.6.1.2.1.47.1.3.2.1.2.8.0"), new OID("1.3.6.1.2.1.2.2.1.1.1"));

    PollBatch batch = pass().batch();
    Readings read = new Readings(batch);
    assertThat(read.value("Ethernet1/2/1", "optics.rx_power_dbm", 2))
        .isEqualTo(-2.749, within(.001));
    assertThat(batch.reason(read.at("Ethernet1/2", "optics.tx_power_dbm", 3)))
        .isEqualTo("no light");
    assertThat(read.value("Ethernet1/2", "optics.tx_bias_milliamperes", 3)).isEqualTo(33.45);
    assertThat(read.value(PollBatch.DEVICE, "device.temperature_celsius", 0)).isEqualTo(41.5);
    assertThat(batch.reason(read.at("Ethernet1/2/1", "optics.rx_power_dbm", 3)))
        .isEqualTo("unavailable");
    assertThat(read.value("Ethernet1", "optics.rx_power_dbm", 5)).isEqualTo(-.0004, within(.001));
    assertThat(read.has("Ethernet1", "optics.rx_power_dbm"))
        .as("not that of Ethernet1/99")
        .isFalse();
  }

  private void sensor(
      int entity, String name, int type, int scale, int precision, int value, int status) {
    String sensor = "1.3.6.1.2.1.99.1.1.1.";
    agent.text("1.3.6.1.2.1.47.1.1.1.1.7." + entity, name);
    agent.integer(sensor + "1." + entity, type).integer(sensor + "2." + entity, scale);
    agent.integer(sensor + "3." + entity, precision).integer(sensor + "4." + entity, value);
    agent.integer(sensor + "5." + entity, status);
  }

  @Test
  void what_the_sensors_are_is_read_again_only_where_the_ports_changed() throws Exception {
    agent.ports(1, 2);
    sensor(101, "DOM RX Power Sensor for Ethernet1", 6, 8, 4, 5310, 1);
    pass();
    agent.text("1.3.6.1.2.1.47.1.1.1.1.7.101", "DOM RX Power Sensor for Ethernet2");
    for (int pass = 0; pass < 6; pass++) {
      assertThat(readings(pass()).has("Ethernet1", "optics.rx_power_dbm")).isTrue();
    }
    agent.port(3, "Ethernet3");
    pass();

    assertThat(readings(pass()).has("Ethernet2", "optics.rx_power_dbm")).isTrue();
  }

  @Test
  void neighbours_hang_on_the_port_that_the_local_table_names() throws Exception {
    agent.port(11, "Ethernet1").port(12, "Ethernet2").port(13, "Ethernet3");
    String local = "1.0.8802.1.1.2.1.3.";
    agent.integer(local + "1.0", 4);
    agent.objects.put(new OID(local + "2.0"), OctetString.fromHexString("02:00:00:00:00:01"));
    agent.integer(local + "7.1.2.1", 5).text(local + "7.1.3.1", "Ethernet2");
    agent.integer(local + "7.1.2.2", 7).text(local + "7.1.3.2", "13");
    remote("500.1.1", 4, "02:00:00:00:00:aa", 3, "02:00:00:00:00:bb", "mlx5_0", "gpu-001");
    remote("777.2.9", 7, null, 5, null, null, "spine1");
    agent.text("1.0.8802.1.1.2.1.4.1.1.5.777.2.9", "spine1");
    agent.text("1.0.8802.1.1.2.1.4.1.1.7.777.2.9", "Ethernet4");

    Sighting sighting = sighting(pass());

    assertThat(sighting.neighboursRead()).isTrue();
    assertThat(sighting.chassisIds()).contains("02:00:00:00:00:01");
    assertThat(sighting.vendor()).isEqualTo("Arista");
    assertThat(sighting.neighbours())
        .containsExactlyInAnyOrder(
            new Neighbour(
                "Ethernet2",
                "gpu-001",
                "02:00:00:00:00:aa",
                "02:00:00:00:00:bb",
                Neighbour.PortIdKind.MAC,
                "mlx5_0"),
            new Neighbour(
                "Ethernet3",
                "spine1",
                "spine1",
                "Ethernet4",
                Neighbour.PortIdKind.INTERFACE_NAME,
                null));
  }

  @Test
  void neighbours_that_were_not_read_to_the_end_are_marked() throws Exception {
    agent.ports(1, 2);
    agent.silentBelow = new OID("1.0.8802.1.1.2.1.4");

    CollectOutcome outcome = pass();

    assertThat(sighting(outcome).neighboursRead()).isFalse();
    assertThat(readings(outcome).has("Ethernet1", "port.in_octets")).isTrue();
  }

  private void remote(
      String index,
      int chassisSubtype,
      String chassis,
      int portSubtype,
      String port,
      String description,
      String system) {
    String table = "1.0.8802.1.1.2.1.4.1.1.";
    agent.integer(table + "4." + index, chassisSubtype).integer(table + "6." + index, portSubtype);
    if (chassis != null) {
      agent.objects.put(new OID(table + "5." + index), OctetString.fromHexString(chassis));
    }
    if (port != null) {
      agent.objects.put(new OID(table + "7." + index), OctetString.fromHexString(port));
    }
    if (description != null) {
      agent.text(table + "8." + index, description);
    }
    agent.text(table + "9." + index, system);
  }

  @Test
  void an_unknown_host_is_told_from_a_silent_one() throws Exception {
    collector.close();
    collector = collector("no-such-host.invalid", Duration.ofMillis(300));

    assertThat(code(pass())).isEqualTo(FailureCode.UNKNOWN_HOST);
  }

  @Test
  void the_community_is_in_no_message() throws Exception {
    agent.silent = true;

    CollectOutcome outcome = pass();

    assertThat(outcome.problems().toString()).contains("leaf1").doesNotContain("public");
  }

  @Test
  void a_restart_in_the_middle_of_a_pass_discards_the_pass() throws Exception {
    agent.ports(1, 2);
    pass();
    int before = agent.requests.get();
    agent.upTicks = () -> agent.requests.get() > before + 1 ? 100 : 1_001_000;

    CollectOutcome outcome = pass();

    assertThat(outcome.batch().size()).isZero();
    assertThat(outcome.problems())
        .extracting(Problem::message)
        .anyMatch(m -> m.contains("restarted"));
  }

  @Test
  void counters_above_two_to_the_53_stay_exact() throws Exception {
    agent.ports(1, 1);
    agent.objects.put(new OID(IFX + "6.1"), new Counter64((1L << 60) + 1));

    assertThat(readings(pass()).counter("Ethernet1", "port.in_octets", 0))
        .isEqualTo((1L << 60) + 1);
  }

  @Test
  void two_changes_of_state_are_one_time_down() throws Exception {
    agent.ports(1, 1).counter32("1.3.6.1.4.1.30065.3.15.1.1.1.8.1", 7);

    CollectOutcome outcome = pass();

    assertThat(readings(outcome).counter("Ethernet1", "port.link_downed", 0)).isEqualTo(3);
    assertThat(outcome.batch().counterBits(DICTIONARY.ordinal("port.link_downed"))).isEqualTo(31);
  }

  private static FailureCode code(CollectOutcome outcome) {
    return outcome.problems().getFirst().code();
  }
}
