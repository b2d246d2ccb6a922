package io.fabrichealth.topology;

import static io.fabrichealth.topology.Told.by;
import static io.fabrichealth.topology.Told.id;
import static io.fabrichealth.topology.Told.joined;
import static io.fabrichealth.topology.Told.plan;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.topology.Neighbour.PortIdKind;
import io.fabrichealth.topology.PlanDiff.Cable;
import io.fabrichealth.topology.PlanDiff.Difference;
import io.fabrichealth.topology.PlanDiff.Move;
import io.fabrichealth.topology.PlanDiff.PlannedCable;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanDiffTest {

  @Test
  void a_cable_that_both_ends_should_see_and_do_not_is_missing() {
    Fabric plan = plan("leaf1:1--spine1:1", "leaf1:2--spine1:2");
    PlanDiff diff =
        diff(
            plan,
            by("leaf1", Role.LEAF).port("1").sees("2", "spine1", "2"),
            by("spine1", Role.SPINE).port("1").sees("2", "leaf1", "2"));

    assertThat(diff.missing())
        .containsExactly(
            new PlannedCable(
                cable("leaf1:1--spine1:1"), "no neighbour is seen at leaf1:1 and spine1:1"));
    assertThat(diff.unknown()).isEmpty();
  }

  @Test
  void what_was_not_read_is_unknown_and_says_why() {
    Fabric plan =
        plan("leaf1:1--spine1:1", "leaf1:2--spine2:1", "leaf1:3--host1:eth0", "leaf2:1--spine2:2");
    PlanDiff diff =
        diff(
            plan,
            by("leaf1", Role.LEAF).port("1").port("2").port("3"),
            by("spine1", Role.SPINE).port("1").withoutNeighbours());

    assertThat(diff.missing()).isEmpty();
    assertThat(diff.unknown())
        .containsExactly(
            new PlannedCable(
                cable("host1:eth0--leaf1:3"),
                "host1 is not read; nobody ever saw host1 announce itself"),
            new PlannedCable(
                cable("leaf1:1--spine1:1"),
                "nobody ever saw spine1 announce itself; the neighbours of spine1 were not read"),
            new PlannedCable(
                cable("leaf1:2--spine2:1"),
                "nobody ever saw spine2 announce itself; spine2 is not read"),
            new PlannedCable(cable("leaf2:1--spine2:2"), "leaf2 is not read; spine2 is not read"));
  }

  @Test
  void a_host_that_was_seen_once_is_missing_when_it_is_seen_no_more() {
    Fabric plan = plan("leaf1:1--host1:eth0");
    Fabric before = joined(plan, Fabric.EMPTY, by("leaf1", Role.LEAF).sees("1", "host1", "eth0"));
    Fabric after = joined(plan, before, by("leaf1", Role.LEAF).port("1"));

    assertThat(PlanDiff.of(plan, before).missing()).isEmpty();
    assertThat(PlanDiff.of(plan, after).missing())
        .containsExactly(
            new PlannedCable(cable("host1:eth0--leaf1:1"), "no neighbour is seen at leaf1:1"));
  }

  @Test
  void one_end_is_enough_to_see_a_cable() {
    Fabric plan = plan("leaf1:1--host1:eth0");

    assertThat(diff(plan, by("leaf1", Role.LEAF).sees("1", "host1", "eth0")))
        .isEqualTo(diff(Fabric.EMPTY));
  }

  @Test
  void three_cables_that_went_round_are_one_swap() {
    Fabric plan = plan("leaf1:1--spine1:1", "leaf2:1--spine1:2", "leaf3:1--spine1:3");
    PlanDiff diff =
        diff(
            plan,
            by("leaf1", Role.LEAF).sees("1", "spine1", "2"),
            by("leaf2", Role.LEAF).sees("1", "spine1", "3"),
            by("leaf3", Role.LEAF).sees("1", "spine1", "1"));

    assertThat(diff.swapped()).hasSize(1);
    assertThat(diff.swapped().getFirst().planned()).hasSize(3);
    assertThat(diff.swapped().getFirst().seen())
        .containsExactly(
            cable("leaf1:1--spine1:2"), cable("leaf2:1--spine1:3"), cable("leaf3:1--spine1:1"));
    assertThat(diff.moved()).isEmpty();
    assertThat(diff.missing()).isEmpty();
    assertThat(diff.extra()).isEmpty();
  }

  @Test
  void a_cable_in_a_wrong_free_port_has_moved() {
    PlanDiff diff =
        diff(
            plan("leaf1:1--spine1:1"),
            by("leaf1", Role.LEAF).sees("1", "spine1", "7"),
            by("spine1", Role.SPINE).port("1").sees("7", "leaf1", "1"));

    assertThat(diff.moved())
        .containsExactly(new Move(cable("leaf1:1--spine1:1"), id("leaf1:1"), id("spine1:7")));
    assertThat(diff.swapped()).isEmpty();
    assertThat(diff.missing()).isEmpty();
    assertThat(diff.extra()).isEmpty();
  }

  @Test
  void a_cable_that_nobody_planned_is_extra_only_where_there_is_a_plan() {
    Told leaf = by("leaf1", Role.LEAF).sees("1", "spine1", "1").sees("9", "spine9", "9");

    assertThat(diff(plan("leaf1:1--spine1:1"), leaf).extra())
        .containsExactly(cable("leaf1:9--spine9:9"));
    assertThat(diff(Fabric.EMPTY, leaf)).isEqualTo(diff(Fabric.EMPTY));
  }

  @Test
  void a_port_with_an_old_and_a_new_neighbour_is_as_planned_until_one_is_gone() {
    Fabric plan = plan("leaf1:1--spine1:1");
    Fabric fabric =
        joined(
            plan,
            Fabric.EMPTY,
            by("leaf1", Role.LEAF).sees("1", "spine2", "1").sees("1", "spine1", "1"));

    assertThat(PlanDiff.of(plan, fabric)).isEqualTo(diff(Fabric.EMPTY));
    assertThat(fabric.names().ambiguities())
        .containsExactly(
            new Ambiguity(Ambiguity.Kind.NEIGHBOURS, "leaf1:1", List.of("spine1:1", "spine2:1")));
  }

  @Test
  void properties_that_differ_are_named_and_unknown_ones_are_not() {
    Fabric.Builder planned = Fabric.builder().device(Device.of("leaf1", Role.LEAF));
    for (String name : List.of("1", "2", "3", "4")) {
      planned.port(
          new Port(
              id("leaf1:" + name),
              Told.SPEED,
              8,
              FecMode.RS544,
              Media.OPTICAL,
              null,
              9216,
              true,
              List.of()));
    }
    Fabric plan = planned.build();
    SeenPort other =
        new SeenPort(
            "2", 0, Told.SPEED / 2, 4, FecMode.NONE, Media.UNKNOWN, null, 9230, true, List.of());
    SeenPort silent = new SeenPort("3", 0, 0, true, List.of());
    PlanDiff diff = diff(plan, by("leaf1", Role.LEAF).port("1").port(other).port(silent));

    assertThat(diff.properties())
        .containsExactly(
            new Difference(
                id("leaf1:2"), PortProperty.SPEED_BITS_PER_SECOND, "400000000000", "200000000000"),
            new Difference(id("leaf1:2"), PortProperty.LANES, "8", "4"),
            new Difference(id("leaf1:2"), PortProperty.FEC, "RS544", "NONE"));
    assertThat(diff.notSeen()).containsExactly(id("leaf1:4"));
  }

  @Test
  void names_of_plan_and_device_are_joined_before_they_are_compared() {
    Fabric plan = plan("leaf1:etp1--gpu-001.example.net:eth2");
    PlanDiff diff =
        diff(
            plan,
            by("leaf1", Role.LEAF)
                .port("Ethernet0", "etp1")
                .sees(
                    new Neighbour(
                        "Ethernet0", "gpu-001", "x", "b8:3f:d2:00:00:01", PortIdKind.MAC, "other")),
            by("gpu-001", Role.HOST).port("mlx5_0/1", "eth2", "b8:3f:d2:00:00:01"));

    assertThat(diff).isEqualTo(diff(Fabric.EMPTY));
  }

  private static PlanDiff diff(Fabric plan, Told... told) {
    return PlanDiff.of(plan, joined(plan, Fabric.EMPTY, told));
  }

  private static Cable cable(String link) {
    String[] ends = link.split("--");
    return new Cable(id(ends[0]), id(ends[1]));
  }
}
