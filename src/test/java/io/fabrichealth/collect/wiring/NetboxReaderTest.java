package io.fabrichealth.collect.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabrichealth.collect.wiring.ImportedWiring.Refused;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.PortId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NetboxReaderTest {

  @Test
  void a_csv_export() throws Exception {
    ImportedWiring read =
        NetboxReader.readCsv(
            """
            side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name,type,status
            leaf1,dcim.interface,Ethernet1,gpu-001,dcim.interface,mlx5_0/1,dac-passive,connected
            leaf1,dcim.interface,Ethernet2,panel7,dcim.frontport,12,smf,connected
            leaf1,dcim.interface,Ethernet3,gpu-003,dcim.interface,mlx5_0/1,aoc,decommissioning
            pdu1,dcim.poweroutlet,4,leaf1,dcim.powerport,PSU1,power,connected
            leaf1,dcim.interface,"Ethernet5/1,Ethernet5/2",gpu-005,dcim.interface,mlx5_0/1,,connected
            ,dcim.interface,Ethernet6,gpu-006,dcim.interface,mlx5_0/1,,connected
            leaf1,dcim.interface,Ethernet7,gpu-007,dcim.interface,mlx5_0/1,mmf-om4,planned
            """);

    assertThat(read.fabric().links())
        .extracting(Link::id)
        .containsExactly("gpu-001:mlx5_0/1--leaf1:Ethernet1", "gpu-007:mlx5_0/1--leaf1:Ethernet7");
    assertThat(read.fabric().port(new PortId("leaf1", "Ethernet1")).media()).isEqualTo(Media.DAC);
    assertThat(read.fabric().port(new PortId("gpu-007", "mlx5_0/1")).media())
        .isEqualTo(Media.OPTICAL);
    assertThat(read.refused())
        .containsExactly(
            new Refused(6, "side_a_name", "'Ethernet5/1,Ethernet5/2' is several interfaces"),
            new Refused(7, "side_a_device", "is empty"));
    assertThat(read.remarks())
        .containsExactly(
            "2 cables do not join two interfaces and were left out",
            "1 cables are being decommissioned and were left out");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Device A,Termination A,Device B,Termination B",
        "\uFEFFside_a_device,side_a_name,side_b_device,side_b_name",
        "label,side-b-name,side-b-device,side-a-name,side-a-device"
      })
  void columns_are_found_by_name_in_any_order_and_spelling(String header) throws Exception {
    boolean isReversed = header.startsWith("label");
    ImportedWiring read =
        NetboxReader.readCsv(
            header + "\n" + (isReversed ? "x,1,spine1,9,leaf1" : "leaf1,9,spine1,1") + "\n");

    assertThat(read.fabric().link("leaf1:9--spine1:1")).isNotNull();
  }

  @Test
  void the_answer_of_the_api() throws Exception {
    ImportedWiring read =
        NetboxReader.readJson(
            """
            {"count": 4, "next": "https://netbox/api/dcim/cables/?offset=4", "results": [
              {"id": 1, "type": "dac-active", "status": {"value": "connected", "label": "Connected"},
               "a_terminations": [{"object_type": "dcim.interface",
                 "object": {"name": "Ethernet1", "device": {"name": "leaf1"}}}],
               "b_terminations": [{"object_type": "dcim.interface",
                 "object": {"name": "eth0", "device": {"name": "gpu-001"}}}]},
              {"id": 2, "type": "", "status": {"value": "connected"},
               "a_terminations": [{"object_type": "dcim.rearport", "object": {"name": "1"}}],
               "b_terminations": [{"object_type": "dcim.interface", "object": {"name": "2"}}]},
              {"id": 3, "a_terminations": [], "b_terminations": null},
              {"id": 4, "type": null, "status": null,
               "a_terminations": [{"object_type": "dcim.interface", "object": {"name": "Ethernet4"}}],
               "b_terminations": [{"object_type": "dcim.interface",
                 "object": {"name": "eth0", "device": {"name": "gpu-004"}}}]}
            ]}
            """);

    assertThat(read.fabric().links())
        .extracting(Link::id)
        .containsExactly("gpu-001:eth0--leaf1:Ethernet1");
    assertThat(read.fabric().port(new PortId("leaf1", "Ethernet1")).media()).isEqualTo(Media.AEC);
    assertThat(read.refused())
        .containsExactly(
            new Refused(3, "a_terminations, b_terminations", "are no lists, or empty"),
            new Refused(4, "a_terminations.object", "has no name or no device.name"));
    assertThat(read.remarks())
        .containsExactly(
            "one page of several: 'next' is set; ask with limit=0 for all cables at once",
            "1 cables do not join two interfaces and were left out");
  }

  @Test
  void what_is_no_list_of_cables_is_refused_as_a_whole() {
    for (String document : new String[] {"", "a,b\n1,2\n", "side_a_device,side_a_name\n"}) {
      assertThatExceptionOfType(WiringFormatException.class)
          .isThrownBy(() -> NetboxReader.readCsv(document));
    }
    for (String document : new String[] {"", "{}", "{\"results\": 1}", "[", "7"}) {
      assertThatExceptionOfType(WiringFormatException.class)
          .isThrownBy(() -> NetboxReader.readJson(document));
    }
  }
}
