package io.fabrichealth.topology;

import static io.fabrichealth.topology.Told.by;
import static io.fabrichealth.topology.Told.id;
import static io.fabrichealth.topology.Told.joined;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.topology.Neighbour.PortIdKind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several readers tell of one device. */
class SightingMergeTest {
  private static final String MAC = "b8:3f:d2:00:00:01";
  private static final String OTHER_MAC = "b8:3f:d2:00:00:02";
  private static final String GUID = "0xb83fd20300000001";

  @Test
  void what_one_does_not_know_the_other_tells() {
    SeenPort bare = new SeenPort("Ethernet0", 0, 9216, true, List.of("etp1"));
    SeenPort rich =
        new SeenPort(
            "Ethernet0",
            7,
            Told.SPEED,
            8,
            FecMode.RS544,
            Media.OPTICAL,
            "QDD-400G",
            0,
            true,
            List.of(MAC));
    Fabric fabric = joined(by("leaf1", Role.SWITCH).port(bare), by("leaf1", Role.LEAF).port(rich));

    assertThat(fabric.seen().port(id("leaf1:Ethernet0")))
        .isEqualTo(
            new SeenPort(
                "Ethernet0",
                7,
                Told.SPEED,
                8,
                FecMode.RS544,
                Media.OPTICAL,
                "QDD-400G",
                9216,
                true,
                List.of("etp1", MAC)));
    assertThat(fabric.device("leaf1").role()).isEqualTo(Role.LEAF);
    assertThat(fabric.ports()).hasSize(1);
  }

  @Test
  void exporter_subnet_manager_and_lldp_speak_of_one_hca_port() {
    Fabric fabric =
        joined(
            by("gpu-001", Role.HOST).withoutNeighbours().port("mlx5_0/1", "eth2", MAC, GUID),
            by("gpu-001", Role.HOST).port("HCA-1/1", GUID),
            by("gpu-001", Role.HOST).sees("eth2", "leaf1", "Ethernet0"),
            by("leaf1", Role.LEAF)
                .sees(
                    new Neighbour(
                        "Ethernet0", "gpu-001", MAC, MAC, PortIdKind.MAC, "eth2 of another time")));

    assertThat(fabric.links())
        .extracting(Link::id)
        .containsExactly("gpu-001:mlx5_0/1--leaf1:Ethernet0");
    assertThat(fabric.port(id("gpu-001:mlx5_0/1")).aliases())
        .containsExactlyInAnyOrder("eth2", MAC, GUID, "HCA-1/1");
    assertThat(fabric.seen().neighboursRead("gpu-001")).isTrue();
  }

  @Test
  void a_source_that_knows_both_names_decides_whichever_comes_first() {
    for (boolean first : new boolean[] {true, false}) {
      Told exporter = by("gpu-001", Role.HOST).port("mlx5_0/1", "eth2");
      Told lldp = by("gpu-001", Role.HOST).port("eth2");
      Fabric fabric = first ? joined(exporter, lldp) : joined(lldp, exporter);

      assertThat(fabric.ports()).extracting(Port::id).containsExactly(id("gpu-001:mlx5_0/1"));
    }
  }

  @Test
  void a_third_source_that_knows_the_alias_alone_speaks_of_the_same_port() {
    Fabric fabric =
        joined(
            by("gpu-001", Role.HOST).port("mlx5_0/1", "eth2"),
            by("gpu-001", Role.HOST).port("eth2"),
            by("gpu-001", Role.HOST).port("eth2", MAC));

    assertThat(fabric.ports()).extracting(Port::id).containsExactly(id("gpu-001:mlx5_0/1"));
    assertThat(fabric.names().portOf(MAC)).isEqualTo(id("gpu-001:mlx5_0/1"));
  }

  @Test
  void the_name_of_a_port_is_not_the_alias_of_another() {
    Fabric fabric =
        joined(
            by("leaf1", Role.LEAF).port("Ethernet0", "etp1"),
            by("leaf1", Role.LEAF).port("etp1").port("Ethernet4", "etp1"));

    assertThat(fabric.names().port("leaf1", "etp1")).isEqualTo(id("leaf1:Ethernet0"));
    assertThat(fabric.names().ambiguities()).isEmpty();
  }

  @Test
  void ports_of_several_sources_with_one_mac_for_all_are_not_thrown_together() {
    Fabric fabric =
        joined(
            by("leaf1", Role.LEAF).port("Ethernet0", MAC).port("Ethernet4", MAC),
            by("leaf1", Role.LEAF).port("swp1", MAC).port("swp2", MAC));

    assertThat(fabric.ports()).hasSize(4);
    assertThat(fabric.names().portOf(MAC)).isNull();
  }

  @Test
  void a_port_that_is_renamed_keeps_its_id_as_far_as_its_mac_tells() {
    Fabric before = joined(by("leaf1", Role.LEAF).port("swp1", MAC).port("swp2", OTHER_MAC));
    Fabric after =
        joined(
            Fabric.EMPTY,
            before,
            by("leaf1", Role.LEAF).port("Ethernet0", MAC).port("Ethernet4", OTHER_MAC));

    assertThat(after.ports())
        .extracting(Port::id)
        .containsExactlyInAnyOrder(id("leaf1:swp1"), id("leaf1:swp2"));
    assertThat(after.names().port("leaf1", "Ethernet4")).isEqualTo(id("leaf1:swp2"));

    Fabric later =
        joined(
            Fabric.EMPTY,
            after,
            by("leaf1", Role.LEAF).port("Ethernet0", MAC).port("Ethernet4", OTHER_MAC));
    assertThat(later.names().port("leaf1", "Ethernet0")).isEqualTo(id("leaf1:swp1"));
  }

  @Test
  void names_that_change_places_stay_names() {
    Fabric before = joined(by("gpu-001", Role.HOST).port("eth0", MAC).port("eth1", OTHER_MAC));
    Fabric after =
        joined(
            Fabric.EMPTY,
            before,
            by("gpu-001", Role.HOST).port("eth0", OTHER_MAC).port("eth1", MAC));

    assertThat(after.names().port("gpu-001", "eth0")).isEqualTo(id("gpu-001:eth0"));
    assertThat(after.names().portOf(MAC)).isEqualTo(id("gpu-001:eth1"));
    assertThat(after.ports()).hasSize(2);
  }

  @Test
  void a_netdev_that_turns_out_to_be_an_hca_port_becomes_its_alias() {
    Fabric before = joined(by("gpu-001", Role.HOST).port("eth2", MAC));
    Fabric after =
        joined(Fabric.EMPTY, before, by("gpu-001", Role.HOST).port("mlx5_0/1", "eth2", MAC));

    assertThat(after.ports()).extracting(Port::id).containsExactly(id("gpu-001:mlx5_0/1"));
  }
}
