package io.fabrichealth.topology;

import static io.fabrichealth.topology.Told.by;
import static io.fabrichealth.topology.Told.id;
import static io.fabrichealth.topology.Told.joined;
import static io.fabrichealth.topology.Told.plan;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.topology.Neighbour.PortIdKind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One port under all of its names. */
class NamesTest {
  private static final String MAC = "b8:3f:d2:00:00:01";
  private static final String GUID = "0xb83fd20300000001";
  private static final String OTHER_MAC = "b8:3f:d2:00:00:02";

  @Test
  void an_hca_port_is_found_by_netdev_mac_guid_and_in_any_case() {
    Names names = joined(by("gpu-001", Role.HOST).port("mlx5_0/1", "eth2", MAC, GUID)).names();

    PortId hca = id("gpu-001:mlx5_0/1");
    assertThat(List.of("mlx5_0/1", "MLX5_0/1", "eth2", "ETH2", MAC, GUID, MAC.toUpperCase()))
        .allSatisfy(name -> assertThat(names.port("gpu-001", name)).isEqualTo(hca));
    assertThat(names.portOf(MAC)).isEqualTo(hca);
    assertThat(names.portOf(GUID.toUpperCase().replace("0X", "0x"))).isEqualTo(hca);
    assertThat(names.portOf("eth2")).isNull();
    assertThat(names.port("gpu-001", "eth3")).isNull();
    assertThat(names.port("gpu-002", "eth2")).isNull();
  }

  @Test
  void a_port_keeps_its_own_name_where_it_is_another_ports_alias() {
    // A SONiC switch whose physical names are aliases of others (sonic-net/SONiC#2546).
    Names names =
        joined(by("leaf1", Role.LEAF).port("Ethernet4", "Ethernet8").port("Ethernet8", "Eth3"))
            .names();

    assertThat(names.port("leaf1", "Ethernet8")).isEqualTo(id("leaf1:Ethernet8"));
    assertThat(names.port("leaf1", "Eth3")).isEqualTo(id("leaf1:Ethernet8"));
    assertThat(names.ambiguities()).isEmpty();
  }

  @Test
  void an_alias_of_two_ports_is_refused_and_listed() {
    Names names =
        joined(by("leaf1", Role.LEAF).port("Ethernet1", "uplink").port("Ethernet2", "uplink"))
            .names();

    assertThat(names.port("leaf1", "uplink")).isNull();
    assertThat(names.ambiguities())
        .containsExactly(
            new Ambiguity(
                Ambiguity.Kind.PORT_ALIAS,
                "uplink",
                List.of("leaf1:Ethernet1", "leaf1:Ethernet2")));
  }

  @Test
  void names_that_differ_in_case_only_are_told_apart_where_they_are_written_exactly() {
    Names names = joined(by("leaf1", Role.LEAF).port("eth1").port("Eth1")).names();

    assertThat(names.port("leaf1", "eth1")).isEqualTo(id("leaf1:eth1"));
    assertThat(names.port("leaf1", "Eth1")).isEqualTo(id("leaf1:Eth1"));
    assertThat(names.port("leaf1", "ETH1")).isNull();
  }

  @Test
  void a_mac_at_two_devices_names_neither_but_each_on_its_own() {
    Names names =
        joined(
                by("gpu-001", Role.HOST).port("mlx5_0/1", MAC),
                by("gpu-002", Role.HOST).port("mlx5_0/1", MAC),
                by("gpu-003", Role.HOST).port("mlx5_0/1", MAC))
            .names();

    assertThat(names.portOf(MAC)).isNull();
    assertThat(names.port("gpu-002", MAC)).isEqualTo(id("gpu-002:mlx5_0/1"));
    assertThat(names.ambiguities())
        .containsExactly(
            new Ambiguity(
                Ambiguity.Kind.GLOBAL_ID,
                MAC,
                List.of("gpu-001:mlx5_0/1", "gpu-002:mlx5_0/1", "gpu-003:mlx5_0/1")));
  }

  @Test
  void addresses_of_nothing_are_no_ids() {
    Names names =
        joined(
                by("gpu-001", Role.HOST).port("a", "00:00:00:00:00:00", "0xffffffffffffffff"),
                by("gpu-002", Role.HOST).port("b", "00:00:00:00:00:00", "0xffffffffffffffff"))
            .names();

    assertThat(names.portOf("00:00:00:00:00:00")).isNull();
    assertThat(names.ambiguities()).isEmpty();
  }

  @Test
  void devices_are_found_by_the_name_they_give_themselves_and_by_their_ids() {
    Names names =
        joined(
                by("leaf1", Role.LEAF).calledItself("sw-0815.dc1.example.net").chassis(MAC),
                by("10.0.0.7", Role.LEAF).calledItself("10.0.0.7"))
            .names();

    assertThat(
            List.of("leaf1", "LEAF1", "sw-0815.dc1.example.net", "sw-0815", MAC, "sw-0815.other"))
        .allSatisfy(name -> assertThat(names.device(name)).isEqualTo("leaf1"));
    assertThat(names.device("10.0.0.7")).isEqualTo("10.0.0.7");
    assertThat(names.device("10.0.0.8")).isNull();
  }

  @Test
  void a_name_that_two_devices_give_themselves_means_neither_but_a_chassis_id_still_tells() {
    Fabric fabric =
        joined(
            by("leaf1", Role.LEAF).calledItself("sonic").chassis(MAC).port("Ethernet0"),
            by("leaf2", Role.LEAF).calledItself("sonic").chassis(OTHER_MAC).port("Ethernet0"),
            by("spine1", Role.SPINE)
                .sees(
                    new Neighbour(
                        "Ethernet4",
                        "sonic",
                        OTHER_MAC,
                        "Ethernet0",
                        PortIdKind.INTERFACE_NAME,
                        null))
                .sees("Ethernet8", "sonic", "Ethernet0"));

    assertThat(fabric.names().device("sonic")).isNull();
    assertThat(fabric.link("leaf2:Ethernet0--spine1:Ethernet4")).isNotNull();
    assertThat(fabric.link("spine1:Ethernet8")).isNotNull();
    assertThat(fabric.devices()).hasSize(3);
    assertThat(fabric.names().ambiguities())
        .containsExactly(
            new Ambiguity(Ambiguity.Kind.DEVICE_NAME, "sonic", List.of("leaf1", "leaf2")));
  }

  @Test
  void a_plan_may_call_devices_and_ports_by_other_names() {
    Fabric plan = plan("leaf1.dc1.example.net:etp1--GPU-001:eth2");
    Fabric fabric =
        joined(
            plan,
            Fabric.EMPTY,
            by("leaf1", Role.LEAF).calledItself("leaf1.dc1.example.net").port("Ethernet0", "etp1"),
            by("gpu-001", Role.HOST).port("mlx5_0/1", "eth2"));

    assertThat(fabric.links())
        .extracting(Link::id)
        .containsExactly("gpu-001:mlx5_0/1--leaf1:Ethernet0");
    assertThat(fabric.devices()).hasSize(2);
    assertThat(fabric.names().canonical(id("leaf1.dc1.example.net:etp1")))
        .isEqualTo(id("leaf1:Ethernet0"));
  }

  @Test
  void a_plan_may_give_its_ports_the_names_of_the_device_as_aliases() {
    Fabric plan =
        Fabric.builder()
            .device(Device.of("core1", Role.SWITCH))
            .port(
                new Port(
                    id("core1:Port 21"),
                    Told.SPEED,
                    4,
                    FecMode.UNKNOWN,
                    Media.UNKNOWN,
                    null,
                    0,
                    true,
                    List.of("21")))
            .build();
    Fabric fabric = joined(plan, Fabric.EMPTY, by("core1", Role.SPINE).port("21"));

    assertThat(fabric.ports()).extracting(Port::id).containsExactly(id("core1:21"));
    assertThat(fabric.port(id("core1:21")).lanes()).isEqualTo(4);
    assertThat(fabric.names().port("core1", "Port 21")).isEqualTo(id("core1:21"));
  }

  @Test
  void a_fabric_without_wiring_knows_the_aliases_of_its_ports() {
    Fabric stored =
        Fabric.builder()
            .device(Device.of("gpu-001", Role.HOST))
            .port(
                new Port(
                    id("gpu-001:mlx5_0/1"),
                    0,
                    0,
                    FecMode.UNKNOWN,
                    Media.UNKNOWN,
                    null,
                    0,
                    true,
                    List.of(MAC)))
            .build();

    assertThat(stored.names().portOf(MAC)).isEqualTo(id("gpu-001:mlx5_0/1"));
    assertThat(stored.names().device("gpu-001.example.net")).isEqualTo("gpu-001");
  }
}
