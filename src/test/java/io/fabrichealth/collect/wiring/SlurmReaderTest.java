package io.fabrichealth.collect.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabrichealth.collect.wiring.ImportedWiring.Refused;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Role;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SlurmReaderTest {

  @Test
  void a_tree_in_conf() throws Exception {
    ImportedWiring read =
        SlurmReader.readConf(
            """
            # switches
            SwitchName=leaf1 Nodes=n[01-02] LinkSpeed=400
            switchname=leaf2 NODES=n[03-04] # comment
            SwitchName=spine1 \\
              Switches=leaf[1-2]
            """);

    assertThat(read.refused()).isEmpty();
    assertThat(roles(read))
        .isEqualTo(
            Map.of(
                "leaf1", Role.LEAF,
                "leaf2", Role.LEAF,
                "spine1", Role.SPINE,
                "n01", Role.HOST,
                "n02", Role.HOST,
                "n03", Role.HOST,
                "n04", Role.HOST));
    assertThat(read.fabric().links()).isEmpty();
  }

  @Test
  void blocks_group_nodes_and_are_no_switches() throws Exception {
    ImportedWiring read =
        SlurmReader.readConf("BlockName=b1 Nodes=n[1-2]\nBlockName=b2 Nodes=n3\nBlockSizes=2,4\n");

    assertThat(read.refused()).isEmpty();
    assertThat(roles(read)).containsOnlyKeys("n1", "n2", "n3");
    assertThat(read.remarks().getFirst()).startsWith("0 switches, 2 blocks and 3 nodes");
  }

  @Test
  void a_tree_and_blocks_in_yaml() throws Exception {
    ImportedWiring read =
        SlurmReader.readYaml(
            """
            - topology: fabric
              cluster_default: true
              tree:
                switches:
                  - {switch: leaf1, nodes: "n[1-2]"}
                  - {switch: spine1, children: leaf1}
            - topology: nvl
              block: {block_sizes: [2], blocks: [{block: b1, nodes: "n[1-2]"}]}
            - topology: none
              flat: true
            """);

    assertThat(roles(read)).containsOnlyKeys("leaf1", "spine1", "n1", "n2");
    assertThat(read.refused())
        .containsExactly(new Refused(0, "none", "has neither tree.switches nor block.blocks"));
  }

  @Test
  void bad_lines_are_named_and_the_others_kept() throws Exception {
    ImportedWiring read =
        SlurmReader.readConf(
            """
            SwitchName=leaf1 Nodes=n[1-
            SwitchName=leaf2 Nodes=n2
            SwitchName=leaf2 Nodes=n3
            SwitchName=spine1 Switches=leaf[2-3]
            SwitchName=empty
            Nodes=n9
            what
            """);

    assertThat(read.refused())
        .containsExactly(
            new Refused(1, "Nodes", "'n[1-': '[' without ']'"),
            new Refused(3, "SwitchName", "'leaf2' stands here a second time"),
            new Refused(5, "SwitchName", "'empty' has neither switches nor nodes"),
            new Refused(6, null, "names no switch and no block: 'Nodes=n9'"),
            new Refused(7, null, "'what' is not KEY=VALUE"),
            new Refused(4, "Switches", "'leaf3' is no switch of the document"));
    assertThat(roles(read)).containsEntry("leaf2", Role.LEAF).containsEntry("n2", Role.HOST);
  }

  @Test
  void switches_below_themselves_end() throws Exception {
    ImportedWiring read =
        SlurmReader.readConf("SwitchName=a Switches=b\nSwitchName=b Switches=a\n");

    assertThat(roles(read)).isEqualTo(Map.of("a", Role.SWITCH, "b", Role.SWITCH));
  }

  @Test
  void what_is_no_such_document_is_refused_as_a_whole() {
    assertThatExceptionOfType(WiringFormatException.class)
        .isThrownBy(() -> SlurmReader.readConf("hello\n"));
    assertThatExceptionOfType(WiringFormatException.class)
        .isThrownBy(() -> SlurmReader.readYaml("a: b"));
    assertThatExceptionOfType(WiringFormatException.class)
        .isThrownBy(() -> SlurmReader.readYaml("- [a"));
  }

  private static Map<String, Role> roles(ImportedWiring read) {
    Map<String, Role> roles = new TreeMap<>();
    for (Device device : read.fabric().devices()) {
      roles.put(device.name(), device.role());
    }
    return roles;
  }
}
