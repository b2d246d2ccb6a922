package io.fabrichealth.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.snmp4j.smi.Counter32;
import org.snmp4j.smi.Counter64;
import org.snmp4j.smi.Gauge32;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.OctetString;
import org.snmp4j.smi.TimeTicks;
import org.snmp4j.smi.Variable;
import org.snmp4j.smi.VariableBinding;

class SwitchMibTest {
  private static final String IF = "1.3.6.1.2.1.2.2.1.";
  private static final String IFX = "1.3.6.1.2.1.31.1.1.1.";
  private static final String LLDP_LOCAL_PORT = "1.0.8802.1.1.2.1.3.7.1.";
  private static final String LLDP_REMOTE = "1.0.8802.1.1.2.1.4.1.1.";
  private static final String ENTITY = "1.3.6.1.2.1.47.1.1.1.1.";
  private static final String SENSOR = "1.3.6.1.2.1.99.1.1.1.";
  private static final String PFC = "1.3.6.1.4.1.9.9.813.1.";
  private static final String FEC = "1.3.6.1.4.1.6027.3.27.1.3.1.";

  private final ManualClock clock = new ManualClock();
  private final SimulatedFabric fabric =
      new SimulatedFabric(
          DemoPlan.fabric(),
          DemoScript.standard(),
          RandomGeneratorFactory.of("L64X128MixRandom").create(5),
          clock);

  @Test
  void interfaces_are_named_as_in_the_plan_and_their_numbers_are_of_the_right_types() {
    MibView leaf = view("leaf1");
    Map<String, Variable> names = column(leaf, IFX + "1");

    assertThat(names).hasSize(24);
    names.forEach(
        (index, name) -> {
          assertThat(fabric.plan().port(new PortId("leaf1", name.toString()))).isNotNull();
          assertThat(get(leaf, IF + "2." + index)).isEqualTo(name);
          assertThat(get(leaf, IFX + "6." + index)).isInstanceOf(Counter64.class);
          assertThat(get(leaf, IF + "14." + index)).isInstanceOf(Counter32.class);
          assertThat(get(leaf, IFX + "15." + index)).isEqualTo(new Gauge32(400_000));
          assertThat(get(leaf, IF + "5." + index)).isEqualTo(new Gauge32(4_294_967_295L));
        });
  }

  @Test
  void neighbours_tell_the_whole_wiring_and_nothing_else() {
    int links = 0;
    for (Device device : fabric.plan().devices()) {
      if (!device.role().isSwitch()) {
        continue;
      }
      MibView view = view(device.name());
      Map<String, Variable> localNames = column(view, LLDP_LOCAL_PORT + "3");
      Map<String, Variable> remotePorts = column(view, LLDP_REMOTE + "8");
      assertThat(remotePorts).hasSameSizeAs(localNames);
      for (Map.Entry<String, Variable> remote : remotePorts.entrySet()) {
        String[] index = remote.getKey().split("\\.");
        assertThat(index).hasSize(3);
        assertThat(Integer.parseInt(index[0])).as("timeMark").isPositive();
        String system = get(view, LLDP_REMOTE + "9." + remote.getKey()).toString();
        PortId here = new PortId(device.name(), localNames.get(index[1]).toString());
        Link link = fabric.plan().linkAt(here);
        assertThat(link).as(here.id()).isNotNull();
        assertThat(link.peerOf(here)).isEqualTo(new PortId(system, remote.getValue().toString()));
        links++;
      }
    }
    assertThat(links).isEqualTo(64 + 2 * 32);
  }

  @Test
  void hosts_are_neighbours_by_the_mac_that_their_exporter_shows() {
    MibView leaf = view("leaf2");
    Map<String, Variable> kinds = column(leaf, LLDP_REMOTE + "6");
    int hosts = 0;
    for (Map.Entry<String, Variable> kind : kinds.entrySet()) {
      Variable id = get(leaf, LLDP_REMOTE + "7." + kind.getKey());
      String system = get(leaf, LLDP_REMOTE + "9." + kind.getKey()).toString();
      int chassisKind = get(leaf, LLDP_REMOTE + "4." + kind.getKey()).toInt();
      if (kind.getValue().toInt() == 3) {
        String mac = ((OctetString) id).toHexString(':');
        assertThat(chassisKind).isEqualTo(7);
        assertThat(mac).hasSize(17);
        assertThat(HostExposition.of(fabric, system)).contains(",mac=\"" + mac + "\",");
        hosts++;
      } else {
        assertThat(kind.getValue().toInt()).isEqualTo(5);
        assertThat(chassisKind).isEqualTo(4);
        assertThat(get(leaf, LLDP_REMOTE + "5." + kind.getKey()))
            .isEqualTo(get(view(system), "1.0.8802.1.1.2.1.3.2.0"));
      }
    }
    assertThat(hosts).isEqualTo(16);
  }

  @Test
  void lldp_numbers_of_ports_are_not_their_interface_numbers() {
    MibView leaf = view("leaf1");

    assertThat(column(leaf, LLDP_LOCAL_PORT + "3").keySet())
        .doesNotContainAnyElementsOf(column(leaf, IF + "1").keySet());
  }

  @Test
  void optical_power_is_milliwatts_with_four_decimals_and_leads_to_its_port_and_lane() {
    clock.advance(Duration.ofSeconds(3));
    fabric.read(() -> "");
    MibView leaf = view("leaf1");
    int sensors = 0;
    for (Map.Entry<String, Variable> name : column(leaf, ENTITY + "7").entrySet()) {
      if (!name.getValue().toString().startsWith("DOM RX Power")) {
        continue;
      }
      String sensor = name.getKey();
      String module = get(leaf, ENTITY + "4." + sensor).toString();
      String ifIndex =
          get(leaf, "1.3.6.1.2.1.47.1.3.2.1.2." + module + ".0")
              .toString()
              .replace("1.3.6.1.2.1.2.2.1.1.", "");
      String port = get(leaf, IFX + "1." + ifIndex).toString();
      assertThat(name.getValue().toString()).matches("DOM RX Power Sensor for " + port + " lane .");
      assertThat(get(leaf, SENSOR + "1." + sensor).toInt()).isEqualTo(6);
      assertThat(get(leaf, SENSOR + "2." + sensor).toInt()).isEqualTo(8);
      assertThat(get(leaf, SENSOR + "3." + sensor).toInt()).isEqualTo(4);
      int lane = name.getValue().toString().charAt(name.getValue().toString().length() - 1) - '1';
      double dbm = 10 * Math.log10(get(leaf, SENSOR + "4." + sensor).toInt() / 1e4);
      OpticalModule truth = fabric.cabling().port(new PortId("leaf1", port)).module();
      assertThat(dbm).isCloseTo(truth.receivedDbm(lane), within(.001)).isBetween(-4.0, 0.0);
      sensors++;
    }
    assertThat(sensors).isEqualTo(24 * 4);
  }

  @Test
  void a_flap_shows_at_both_ends_in_state_time_and_count_of_changes() {
    Fault.FlappingLink flap =
        DemoScript.standard().faults().stream()
            .filter(Fault.FlappingLink.class::isInstance)
            .map(Fault.FlappingLink.class::cast)
            .findFirst()
            .orElseThrow();
    clock.advance(flap.from().plusSeconds(5));
    fabric.read(() -> "");

    for (PortId end : flap.link().ends()) {
      MibView view = view(end.device());
      String index = indexOf(view, end);
      assertThat(get(view, IF + "8." + index).toInt()).isEqualTo(2);
      assertThat(((TimeTicks) get(view, IF + "9." + index)).toMilliseconds() / 1000.0)
          .isCloseTo(flap.from().toSeconds(), within(.26));
      // Up at the start, then down.
      assertThat(get(view, "1.3.6.1.4.1.30065.3.15.1.1.1.8." + index).toInt()).isEqualTo(2);
      assertThat(column(view, IF + "8").values())
          .filteredOn(state -> state.toInt() != 1)
          .hasSize(1);
    }
  }

  @Test
  void pause_of_the_slow_receiver_is_received_by_its_leaf_on_one_priority() {
    clock.advance(Duration.ofSeconds(60));
    fabric.read(() -> "");
    Fault.SlowReceiver slow =
        DemoScript.standard().faults().stream()
            .filter(Fault.SlowReceiver.class::isInstance)
            .map(Fault.SlowReceiver.class::cast)
            .findFirst()
            .orElseThrow();
    PortId leafPort = fabric.plan().linkAt(slow.hca()).peerOf(slow.hca());
    MibView leaf = view(leafPort.device());
    String index = indexOf(leaf, leafPort);

    assertThat(get(leaf, PFC + "2.1.3." + index + ".3").toLong()).isGreaterThan(100_000);
    assertThat(get(leaf, PFC + "2.1.2." + index + ".3").toLong()).isLessThan(100);
    assertThat(get(leaf, PFC + "4.1.2." + index + ".3").toLong())
        .isBetween((long) (.6 * 48e6), (long) (.7 * 48e6));
    assertThat(get(leaf, PFC + "4.1.2." + index + ".0").toLong()).isZero();
  }

  @Test
  void corrected_bits_are_the_sum_of_the_lanes_that_the_port_receives() {
    clock.advance(Duration.ofSeconds(30));
    fabric.read(() -> "");
    PortId port = DemoPlan.uplink(0, 0, 0);
    MibView leaf = view("leaf1");

    assertThat(get(leaf, FEC + "25." + indexOf(leaf, port)).toLong())
        .isEqualTo(
            fabric.cabling().port(port).in().lanes().stream().mapToLong(Lane::correctedBits).sum())
        .isPositive();
  }

  private MibView view(String device) {
    return SwitchMib.of(fabric, fabric.plan().device(device));
  }

  private static Variable get(MibView view, String oid) {
    Variable value = view.get(new OID(oid));
    assertThat(value).as(oid).isNotNull();
    return value;
  }

  private static String indexOf(MibView view, PortId port) {
    return column(view, IFX + "1").entrySet().stream()
        .filter(row -> row.getValue().toString().equals(port.port()))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow();
  }

  /** Rows of a column by their index. */
  private static Map<String, Variable> column(MibView view, String column) {
    Map<String, Variable> rows = new LinkedHashMap<>();
    VariableBinding next = view.next(new OID(column));
    while (next != null && next.getOid().startsWith(new OID(column))) {
      rows.put(next.getOid().toString().substring(column.length() + 1), next.getVariable());
      next = view.next(next.getOid());
    }
    return rows;
  }
}
