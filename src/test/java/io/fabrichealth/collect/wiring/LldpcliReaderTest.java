package io.fabrichealth.collect.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabrichealth.collect.wiring.ImportedWiring.Refused;
import io.fabrichealth.topology.Neighbour;
import io.fabrichealth.topology.Neighbour.PortIdKind;
import io.fabrichealth.topology.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LldpcliReaderTest {
  private static final Neighbour SPINE =
      new Neighbour(
          "Ethernet49",
          "spine1",
          "00:1c:73:00:00:01",
          "Ethernet7",
          PortIdKind.INTERFACE_NAME,
          "to leaf1");

  @ParameterizedTest
  @ValueSource(
      strings = {
        // One interface, json.
        """
        {"lldp": {"interface": {"Ethernet49": {"via": "LLDP",
          "chassis": {"spine1": {"id": {"type": "mac", "value": "00:1C:73:00:00:01"}}},
          "port": {"id": {"type": "ifname", "value": "Ethernet7"}, "descr": "to leaf1"}}}}}
        """,
        // Several, json.
        """
        {"lldp": {"interface": [{"Ethernet49": {"via": "LLDP",
          "chassis": {"spine1": {"id": {"type": "mac", "value": "00:1c:73:00:00:01"}}},
          "port": {"id": {"type": "ifname", "value": "Ethernet7"}, "descr": "to leaf1"}}}]}}
        """,
        // json0.
        """
        {"lldp": [{"interface": [{"name": "Ethernet49", "via": "LLDP",
          "chassis": [{"id": [{"type": "mac", "value": "00:1c:73:00:00:01"}],
                       "name": [{"value": "spine1"}]}],
          "port": [{"id": [{"type": "ifname", "value": "Ethernet7"}],
                    "descr": [{"value": "to leaf1"}]}]}]}]}
        """
      })
  void all_shapes_say_the_same(String document) throws Exception {
    LldpcliReader.Read read = LldpcliReader.read("leaf1", Role.LEAF, document);

    assertThat(read.sighting().neighbours()).containsExactly(SPINE);
    assertThat(read.sighting().ports()).hasSize(1);
    assertThat(read.sighting().neighboursRead()).isTrue();
    assertThat(read.refused()).isEmpty();
  }

  @Test
  void a_neighbour_without_a_name_has_its_id_one_level_higher() throws Exception {
    LldpcliReader.Read read =
        LldpcliReader.read(
            "leaf1",
            Role.LEAF,
            """
            {"lldp": {"interface": {"Ethernet1": {
              "chassis": {"id": {"type": "mac", "value": "B8:3F:D2:00:00:01"}, "descr": "BMC"},
              "port": {"id": {"type": "mac", "value": "B8:3F:D2:00:00:01"}, "ttl": 120}}}}}
            """);

    assertThat(read.sighting().neighbours())
        .containsExactly(
            new Neighbour(
                "Ethernet1", null, "b8:3f:d2:00:00:01", "b8:3f:d2:00:00:01", PortIdKind.MAC, null));
  }

  @Test
  void what_cannot_be_read_is_named_and_the_rest_kept() throws Exception {
    LldpcliReader.Read read =
        LldpcliReader.read(
            "leaf1",
            Role.LEAF,
            """
            {"lldp": {"interface": [
              {"Ethernet1": {"chassis": {"a": {}}, "port": {"id": {"type": "ifname"}}}},
              {"Ethernet2": {"port": {"id": {"type": "ifname", "value": "1"}}}},
              {"Ethernet3": {"chassis": {"a": 1, "b": 2}, "port": {"id": {"value": "1"}}}},
              7,
              {"Ethernet4": {"chassis": {"spine1": {}}, "port": {"id": {"value": "9"}}}}
            ]}}
            """);

    assertThat(read.sighting().neighbours())
        .containsExactly(new Neighbour("Ethernet4", "spine1", "", "9", PortIdKind.OTHER, null));
    assertThat(read.refused())
        .containsExactly(
            new Refused(0, "Ethernet1.port", "has no id"),
            new Refused(0, "interface.Ethernet2", "has no neighbour with chassis and port"),
            new Refused(0, "Ethernet3.chassis", "has no id"),
            new Refused(0, "interface", "not an object"));
    // Not all was read, so the lack of a neighbour says nothing.
    assertThat(read.sighting().neighboursRead()).isFalse();
  }

  @Test
  void no_neighbours_are_none() throws Exception {
    for (String document : new String[] {"{\"lldp\": {}}", "{\"lldp\": []}", "{\"lldp\": null}"}) {
      LldpcliReader.Read read = LldpcliReader.read("leaf1", Role.LEAF, document);
      assertThat(read.sighting().neighbours()).isEmpty();
      assertThat(read.sighting().neighboursRead()).isTrue();
    }
  }

  @Test
  void what_is_no_output_of_lldpcli_is_refused_as_a_whole() {
    for (String document : new String[] {"", "{}", "[]", "{\"lldp\": 1}", "{\"lldp\": {"}) {
      assertThatExceptionOfType(WiringFormatException.class)
          .as(document)
          .isThrownBy(() -> LldpcliReader.read("leaf1", Role.LEAF, document));
    }
  }
}
