package io.fabrichealth.topology;

import static io.fabrichealth.topology.Told.by;
import static io.fabrichealth.topology.Told.joined;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.topology.TopologyChange.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopologyChangeTest {

  @Test
  void nothing_changed_where_nothing_was_read_before_or_is_read_now() {
    Fabric fabric = joined(by("leaf1", Role.LEAF).sees("1", "spine1", "1"));

    assertThat(TopologyChange.between(Fabric.EMPTY, fabric)).isEmpty();
    assertThat(TopologyChange.between(fabric, Fabric.EMPTY)).isEmpty();
    assertThat(TopologyChange.between(fabric, fabric)).isEmpty();
  }

  @Test
  void an_index_that_moves_is_an_event_and_the_port_stays_itself() {
    Fabric before = joined(by("leaf1", Role.LEAF).port(indexed("1", 3)).port(indexed("2", 4)));
    Fabric after =
        joined(
            Fabric.EMPTY,
            before,
            by("leaf1", Role.LEAF).port(indexed("1", 4)).port(indexed("2", 3)));

    assertThat(TopologyChange.between(before, after))
        .containsExactlyInAnyOrder(
            new TopologyChange("leaf1", "1", Kind.PORT_INDEX_CHANGED, "3 to 4"),
            new TopologyChange("leaf1", "2", Kind.PORT_INDEX_CHANGED, "4 to 3"));
    assertThat(after.ports()).hasSize(2);
  }

  private static SeenPort indexed(String name, long index) {
    return new SeenPort(
        name, index, 0, 0, FecMode.UNKNOWN, Media.UNKNOWN, null, 0, true, List.of());
  }

  @Test
  void ports_come_and_go() {
    Fabric before = joined(by("leaf1", Role.LEAF).port("1").port("2"));
    Fabric after = joined(Fabric.EMPTY, before, by("leaf1", Role.LEAF).port("2").port("3"));

    assertThat(TopologyChange.between(before, after))
        .containsExactlyInAnyOrder(
            new TopologyChange("leaf1", "3", Kind.PORT_APPEARED, ""),
            new TopologyChange("leaf1", "1", Kind.PORT_VANISHED, ""));
    assertThat(after.port(new PortId("leaf1", "1"))).isNull();
  }

  @Test
  void a_link_is_told_once_where_both_ends_see_it_come_or_go() {
    Fabric without = joined(by("leaf1", Role.LEAF).port("1"), by("spine1", Role.SPINE).port("1"));
    Fabric with =
        joined(
            Fabric.EMPTY,
            without,
            by("leaf1", Role.LEAF).sees("1", "spine1", "1"),
            by("spine1", Role.SPINE).sees("1", "leaf1", "1"));

    assertThat(TopologyChange.between(without, with))
        .containsExactly(new TopologyChange("leaf1", "1", Kind.LINK_APPEARED, "to spine1:1"));
    assertThat(TopologyChange.between(with, without))
        .containsExactly(new TopologyChange("leaf1", "1", Kind.LINK_VANISHED, "from spine1:1"));
  }

  @Test
  void a_neighbour_that_was_not_asked_for_has_not_gone() {
    Fabric before = joined(by("leaf1", Role.LEAF).sees("1", "spine1", "1"));
    Fabric after =
        joined(Fabric.EMPTY, before, by("leaf1", Role.LEAF).port("1").withoutNeighbours());

    assertThat(TopologyChange.between(before, after)).isEmpty();
  }

  @Test
  void a_cable_that_moves_names_both_peers() {
    Fabric before = joined(by("leaf1", Role.LEAF).sees("1", "spine1", "1"));
    Fabric after = joined(Fabric.EMPTY, before, by("leaf1", Role.LEAF).sees("1", "spine2", "5"));

    assertThat(TopologyChange.between(before, after))
        .containsExactly(
            new TopologyChange("leaf1", "1", Kind.LINK_MOVED, "from spine1:1 to spine2:5"));
  }

  @Test
  void a_device_that_calls_itself_otherwise() {
    Fabric before = joined(by("leaf1", Role.LEAF).calledItself("sw1"));
    Fabric after = joined(Fabric.EMPTY, before, by("leaf1", Role.LEAF).calledItself("sw2"));

    assertThat(TopologyChange.between(before, after))
        .containsExactly(new TopologyChange("leaf1", null, Kind.SYSTEM_NAME_CHANGED, "sw1 to sw2"));
    assertThat(Kind.SYSTEM_NAME_CHANGED.label()).isEqualTo("system_name_changed");
  }
}
