package io.fabrichealth.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.topology.Neighbour.PortIdKind;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WiringTest {

  @Test
  void a_host_that_announces_its_mac_is_found_by_the_alias_of_its_hca() {
    Fabric fabric =
        seen(
            leaf("leaf1", ports("Ethernet1"), mac("Ethernet1", "gpu-001", "b8:3f:d2:00:00:01")),
            host("gpu-001", hca("mlx5_0/1", "b8:3f:d2:00:00:01")));

    assertThat(fabric.links()).hasSize(1);
    Link link = fabric.link("gpu-001:mlx5_0/1--leaf1:Ethernet1");
    assertThat(link).isNotNull();
    assertThat(link.tier()).isEqualTo(Tier.HOST_LEAF);
  }

  @Test
  void two_switches_that_see_each_other_make_one_link() {
    Fabric fabric =
        seen(
            leaf("leaf1", ports("Ethernet49"), name("Ethernet49", "spine1", "Ethernet1")),
            spine("spine1", ports("Ethernet1"), name("Ethernet1", "leaf1", "Ethernet49")));

    assertThat(fabric.links())
        .extracting(Link::id)
        .containsExactly("leaf1:Ethernet49--spine1:Ethernet1");
    assertThat(fabric.links().iterator().next().tier()).isEqualTo(Tier.LEAF_SPINE);
  }

  @Test
  void fully_qualified_and_differently_written_names_are_the_same_device() {
    Fabric fabric =
        seen(
            leaf(
                "leaf1",
                ports("Ethernet49"),
                name("Ethernet49", "Spine1.dc1.example.net", "ethernet1")),
            spine("spine1", ports("Ethernet1")));

    assertThat(fabric.link("leaf1:Ethernet49--spine1:Ethernet1")).isNotNull();
    assertThat(fabric.devices()).hasSize(2);
  }

  @Test
  void ports_without_a_known_peer_are_half_links() {
    Fabric fabric = seen(leaf("leaf1", ports("Ethernet1", "Ethernet2")));

    assertThat(fabric.links())
        .allMatch(Link::isHalf)
        .extracting(Link::id)
        .containsExactly("leaf1:Ethernet1", "leaf1:Ethernet2");
  }

  @Test
  void a_neighbour_nobody_reads_becomes_a_device_at_the_end_of_a_link() {
    Fabric fabric = seen(leaf("leaf1", ports("Ethernet1"), name("Ethernet1", "core9", "et-0/0/1")));

    assertThat(fabric.link("core9:et-0/0/1--leaf1:Ethernet1")).isNotNull();
    assertThat(fabric.device("core9").role()).isEqualTo(Role.SPINE);
  }

  @Test
  void a_link_stays_when_its_neighbour_is_no_longer_seen_and_moves_when_another_is() {
    Sighting before =
        leaf("leaf1", ports("Ethernet1", "Ethernet2"), name("Ethernet1", "spine1", "Ethernet7"));
    Fabric known = seen(before);

    Fabric down =
        Wiring.join(Fabric.EMPTY, known, List.of(leaf("leaf1", ports("Ethernet1", "Ethernet2"))));
    assertThat(down.link("leaf1:Ethernet1--spine1:Ethernet7")).isNotNull();

    Fabric moved =
        Wiring.join(
            Fabric.EMPTY,
            down,
            List.of(
                leaf(
                    "leaf1",
                    ports("Ethernet1", "Ethernet2"),
                    name("Ethernet2", "spine1", "Ethernet7"))));
    assertThat(moved.link("leaf1:Ethernet2--spine1:Ethernet7")).isNotNull();
    assertThat(moved.link("leaf1:Ethernet1").isHalf()).isTrue();
  }

  @Test
  void the_plan_outweighs_what_is_seen() {
    PortId leaf = new PortId("leaf1", "Ethernet1");
    Fabric plan =
        Fabric.builder()
            .device(new Device("leaf1", Role.LEAF, null, null, 3, null, Map.of()))
            .device(Device.of("spine1", Role.SPINE))
            .port(
                new Port(
                    leaf,
                    400_000_000_000L,
                    8,
                    FecMode.RS544,
                    Media.OPTICAL,
                    null,
                    9216,
                    true,
                    List.of()))
            .link(Link.between(leaf, new PortId("spine1", "Ethernet1"), Tier.LEAF_SPINE, null))
            .build();

    Fabric fabric =
        Wiring.join(
            plan,
            Fabric.EMPTY,
            List.of(leaf("leaf1", ports("Ethernet1"), name("Ethernet1", "spine2", "Ethernet5"))));

    assertThat(fabric.linkAt(leaf).id()).isEqualTo("leaf1:Ethernet1--spine1:Ethernet1");
    assertThat(fabric.port(leaf).speedBitsPerSecond()).isEqualTo(400_000_000_000L);
    assertThat(fabric.port(leaf).fec()).isEqualTo(FecMode.RS544);
  }

  @Test
  void a_link_that_leaves_the_plan_leaves_the_fabric_unless_it_is_seen() {
    Link first =
        Link.between(
            new PortId("leaf1", "Ethernet1"), new PortId("spine1", "Ethernet1"), Tier.OTHER, null);
    Link second =
        Link.between(
            new PortId("leaf1", "Ethernet2"), new PortId("spine1", "Ethernet2"), Tier.OTHER, null);
    Fabric plan = Fabric.builder().link(first).link(second).build();
    Sighting leaf =
        leaf("leaf1", ports("Ethernet1", "Ethernet2"), name("Ethernet2", "spine1", "Ethernet2"));
    Fabric before = Wiring.join(plan, Fabric.EMPTY, List.of(leaf));

    Fabric after = Wiring.join(Fabric.EMPTY, before.without(plan.links()), List.of(leaf));

    assertThat(after.link(first.id())).isNull();
    assertThat(after.link("leaf1:Ethernet1").isHalf()).isTrue();
    assertThat(after.link(second.id())).isNotNull();
  }

  @Test
  void a_plan_that_does_not_say_what_a_device_is_leaves_it_the_role_of_the_target() {
    Link planned =
        Link.between(
            new PortId("leaf1", "Ethernet1"), new PortId("gpu-001", "mlx5_0/1"), Tier.OTHER, null);
    Fabric plan =
        Fabric.builder()
            .device(Device.of("leaf1", Role.SWITCH))
            .device(Device.of("gpu-001", Role.SWITCH))
            .link(planned)
            .build();

    Fabric fabric =
        Wiring.join(
            plan, Fabric.EMPTY, List.of(leaf("leaf1", ports("Ethernet1")), host("gpu-001")));

    assertThat(fabric.device("gpu-001").role()).isEqualTo(Role.HOST);
    assertThat(fabric.link(planned.id()).tier()).isEqualTo(Tier.HOST_LEAF);
  }

  @Test
  void contradicting_claims_never_put_a_port_into_two_links() {
    Fabric fabric =
        seen(
            leaf("leaf1", ports("Ethernet1"), name("Ethernet1", "spine1", "Ethernet1")),
            leaf("leaf2", ports("Ethernet1"), name("Ethernet1", "spine1", "Ethernet1")),
            spine("spine1", ports("Ethernet1"), name("Ethernet1", "leaf2", "Ethernet1")));

    assertThat(fabric.link("leaf2:Ethernet1--spine1:Ethernet1")).isNotNull();
    assertThat(fabric.link("leaf1:Ethernet1").isHalf()).isTrue();
    assertThat(fabric.links()).hasSize(2);
  }

  private static Fabric seen(Sighting... sightings) {
    return Wiring.join(Fabric.EMPTY, Fabric.EMPTY, List.of(sightings));
  }

  private static Sighting leaf(String name, List<SeenPort> ports, Neighbour... neighbours) {
    return new Sighting(
        name, Role.LEAF, name, null, List.of(), ports, Arrays.asList(neighbours), true);
  }

  private static Sighting spine(String name, List<SeenPort> ports, Neighbour... neighbours) {
    return new Sighting(
        name, Role.SPINE, name, null, List.of(), ports, Arrays.asList(neighbours), true);
  }

  private static Sighting host(String name, SeenPort... ports) {
    return new Sighting(name, Role.HOST, name, null, List.of(), List.of(ports), List.of(), false);
  }

  private static List<SeenPort> ports(String... names) {
    return Arrays.stream(names)
        .map(name -> new SeenPort(name, 100_000_000_000L, 9216, true, List.of()))
        .toList();
  }

  private static SeenPort hca(String name, String mac) {
    return new SeenPort(name, 400_000_000_000L, 4096, true, List.of(mac));
  }

  private static Neighbour mac(String local, String system, String mac) {
    return new Neighbour(local, system, "00:00:00:00:00:09", mac, PortIdKind.MAC, "eth0");
  }

  private static Neighbour name(String local, String system, String port) {
    return new Neighbour(local, system, system, port, PortIdKind.INTERFACE_NAME, "uplink");
  }
}
