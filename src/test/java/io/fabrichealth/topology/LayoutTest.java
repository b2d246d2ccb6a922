package io.fabrichealth.topology;

import static io.fabrichealth.topology.Told.by;
import static io.fabrichealth.topology.Told.id;
import static io.fabrichealth.topology.Told.joined;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Roles, rails and planes from the wiring alone. */
class LayoutTest {

  @Test
  void leaves_spines_and_cores_are_told_by_their_distance_to_hosts() {
    List<Told> all = new ArrayList<>();
    for (String pod : List.of("p", "q")) {
      Told host = by("host-" + pod, Role.HOST).sees("eth0", pod + "-l1", "1");
      Told other = by("host2-" + pod, Role.HOST).sees("eth0", pod + "-l2", "1");
      Told spine = by(pod + "-s1", Role.SWITCH);
      spine.sees("1", pod + "-l1", "9").sees("2", pod + "-l2", "9").sees("9", "c1", "of " + pod);
      Collections.addAll(all, host, other, spine);
      all.add(by(pod + "-l1", Role.SWITCH));
      all.add(by(pod + "-l2", Role.SWITCH));
    }
    all.add(by("c1", Role.SWITCH));
    Fabric fabric = joined(all.toArray(Told[]::new));

    assertThat(fabric.device("p-l1").role()).isEqualTo(Role.LEAF);
    assertThat(fabric.device("q-s1").role()).isEqualTo(Role.SPINE);
    assertThat(fabric.device("c1").role()).isEqualTo(Role.CORE);
    assertThat(fabric.linkAt(id("c1:of p")).tier()).isEqualTo(Tier.SPINE_CORE);
    assertThat(fabric.linkAt(id("p-l1:1")).tier()).isEqualTo(Tier.HOST_LEAF);
    assertThat(fabric.linkAt(id("p-l1:9")).tier()).isEqualTo(Tier.LEAF_SPINE);
  }

  @Test
  void a_leaf_whose_hosts_are_not_known_yet_is_not_taken_for_a_core() {
    Fabric fabric =
        joined(
            by("host1", Role.HOST).sees("eth0", "l1", "1"),
            by("l1", Role.SWITCH).sees("8", "s1", "1").sees("9", "s2", "1"),
            by("l2", Role.SWITCH).sees("8", "s1", "2").sees("9", "s2", "2"),
            by("s1", Role.SWITCH),
            by("s2", Role.SWITCH));

    assertThat(fabric.device("s2").role()).isEqualTo(Role.SPINE);
    assertThat(fabric.device("l2").role()).isEqualTo(Role.SWITCH);

    Fabric later =
        joined(
            Fabric.EMPTY,
            fabric,
            by("host1", Role.HOST).sees("eth0", "l1", "1"),
            by("host2", Role.HOST).sees("eth0", "l2", "1"),
            by("l1", Role.SWITCH).sees("8", "s1", "1").sees("9", "s2", "1"),
            by("l2", Role.SWITCH).sees("8", "s1", "2").sees("9", "s2", "2"),
            by("s1", Role.SWITCH),
            by("s2", Role.SWITCH));
    assertThat(later.device("l2").role()).isEqualTo(Role.LEAF);
    assertThat(later.device("s1").role()).isEqualTo(Role.SPINE);
  }

  @Test
  void the_rail_is_the_order_of_the_nics_whatever_leaves_and_nics_are_called() {
    // Leaves are named against the order; mlx5_2 is for storage and not wired to a leaf.
    Fabric fabric = joined(pod("a", 4, List.of("mlx5_0/1", "mlx5_1/1", "mlx5_3/1", "mlx5_10/1")));

    assertThat(rails(fabric, "a-z0", "a-y1", "a-x2", "a-w3")).containsExactly(0, 1, 2, 3);
    assertThat(fabric.linkAt(id("a-host3:mlx5_10/1")).rail()).isEqualTo(3);
  }

  @Test
  void pods_count_their_rails_alike() {
    List<Told> all = new ArrayList<>(List.of(pod("a", 4, List.of("n0", "n1"))));
    all.addAll(List.of(pod("b", 4, List.of("n0", "n1"))));
    Fabric fabric = joined(all.toArray(Told[]::new));

    assertThat(rails(fabric, "a-z0", "b-z0", "a-y1", "b-y1")).containsExactly(0, 0, 1, 1);
  }

  @Test
  void one_host_that_is_cabled_otherwise_changes_no_rail() {
    List<Told> all = new ArrayList<>(List.of(pod("a", 5, List.of("n0", "n1"))));
    all.add(by("a-odd", Role.HOST).sees("n0", "a-y1", "odd").sees("n1", "a-z0", "odd"));
    Fabric fabric = joined(all.toArray(Told[]::new));

    assertThat(rails(fabric, "a-z0", "a-y1")).containsExactly(0, 1);
  }

  @Test
  void a_host_of_which_one_nic_is_known_has_no_vote() {
    List<Told> all = new ArrayList<>(List.of(pod("a", 1, List.of("n0", "n1", "n2"))));
    for (int host = 0; host < 9; host++) {
      all.add(
          by("late" + host, Role.HOST)
              .sees("n1", "a-y1", "late" + host)
              .sees("n2", "a-x2", "late" + host));
    }
    Fabric fabric = joined(all.toArray(Told[]::new));

    assertThat(rails(fabric, "a-z0", "a-y1", "a-x2")).containsExactly(0, 1, 2);
  }

  @Test
  void leaves_of_one_host_are_never_of_the_same_rail() {
    // Half of the hosts number their NICs the other way round.
    Fabric fabric =
        joined(
            by("h1", Role.HOST).sees("n0", "l1", "1").sees("n1", "l2", "1"),
            by("h2", Role.HOST).sees("n0", "l2", "2").sees("n1", "l1", "2"));

    assertThat(rails(fabric, "l1", "l2")).containsExactly(0, 1);
  }

  @Test
  void hosts_with_one_nic_make_no_rails() {
    Fabric fabric =
        joined(
            by("h1", Role.HOST).sees("n0", "l1", "1"), by("h2", Role.HOST).sees("n0", "l2", "1"));

    assertThat(rails(fabric, "l1", "l2")).containsExactly(null, null);
    assertThat(fabric.linkAt(id("h1:n0")).rail()).isNull();
  }

  @Test
  void the_plan_says_which_rail_a_leaf_is() {
    Fabric plan =
        Fabric.builder()
            .device(new Device("a-z0", Role.LEAF, null, null, 7, null, Map.of()))
            .build();
    Fabric fabric = joined(plan, Fabric.EMPTY, pod("a", 2, List.of("n0", "n1")));

    assertThat(rails(fabric, "a-z0", "a-y1")).containsExactly(7, 1);
  }

  @Test
  void the_order_in_which_devices_come_changes_nothing() {
    List<Told> all = new ArrayList<>(List.of(pod("a", 4, List.of("n0", "n1", "n2"))));
    all.addAll(List.of(pod("b", 3, List.of("n0", "n1", "n2"))));
    Fabric fabric = joined(all.toArray(Told[]::new));
    Random random = new Random(1);
    for (int round = 0; round < 10; round++) {
      Collections.shuffle(all, random);
      Fabric shuffled = joined(all.toArray(Told[]::new));

      assertThat(shuffled.links()).containsExactlyElementsOf(fabric.links());
      assertThat(shuffled.devices()).containsExactlyInAnyOrderElementsOf(fabric.devices());
    }
  }

  @Test
  void planes_are_fabrics_that_share_hosts_and_no_switch() {
    List<Told> all = new ArrayList<>();
    for (int host = 0; host < 3; host++) {
      Told told = by("h" + host, Role.HOST);
      for (int nic = 0; nic < 2; nic++) {
        for (int plane = 0; plane < 2; plane++) {
          told.sees("n%d/%d".formatted(nic, plane), "l%d%d".formatted(plane, nic), "p" + host);
        }
      }
      all.add(told);
    }
    for (int plane = 0; plane < 2; plane++) {
      for (int leaf = 0; leaf < 2; leaf++) {
        all.add(
            by("l%d%d".formatted(plane, leaf), Role.LEAF).sees("up", "s" + plane, "down" + leaf));
      }
      all.add(by("s" + plane, Role.SPINE));
    }
    Fabric fabric = joined(all.toArray(Told[]::new));

    assertThat(planes(fabric, "l00", "l01", "s0", "l10", "l11", "s1"))
        .containsExactly(0, 0, 0, 1, 1, 1);
    assertThat(rails(fabric, "l00", "l01", "l10", "l11")).containsExactly(0, 1, 0, 1);
    assertThat(fabric.device("h0").plane()).isNull();
  }

  @Test
  void rails_with_spines_of_their_own_are_planes_and_still_rails() {
    List<Told> all = new ArrayList<>(List.of(pod("a", 2, List.of("n0", "n1"))));
    all.add(by("s0", Role.SPINE).sees("1", "a-z0", "up"));
    all.add(by("s1", Role.SPINE).sees("1", "a-y1", "up"));
    Fabric fabric = joined(all.toArray(Told[]::new));

    assertThat(planes(fabric, "s0", "s1")).doesNotContainNull().doesNotHaveDuplicates();
    assertThat(rails(fabric, "a-z0", "a-y1")).containsExactly(0, 1);
  }

  @Test
  void one_fabric_and_leaves_without_uplinks_are_no_planes() {
    Fabric joined =
        joined(
            by("h1", Role.HOST).sees("n0", "l1", "1").sees("n1", "l2", "1"),
            by("l1", Role.LEAF).sees("9", "s1", "1"),
            by("l2", Role.LEAF),
            by("s1", Role.SPINE));

    assertThat(planes(joined, "l1", "l2", "s1")).containsOnlyNulls();
  }

  /** Hosts with these NICs, the r-th of each on the same leaf; leaves count down from z. */
  private static Told[] pod(String pod, int hosts, List<String> nics) {
    List<Told> all = new ArrayList<>();
    for (int host = 0; host < hosts; host++) {
      Told told = by(pod + "-host" + host, Role.HOST).port("mlx5_2/1");
      for (int nic = 0; nic < nics.size(); nic++) {
        told.sees(nics.get(nic), pod + "-" + (char) ('z' - nic) + nic, "p" + host);
      }
      all.add(told);
    }
    for (int nic = 0; nic < nics.size(); nic++) {
      all.add(by(pod + "-" + (char) ('z' - nic) + nic, Role.SWITCH));
    }
    return all.toArray(Told[]::new);
  }

  private static List<Integer> rails(Fabric fabric, String... leaves) {
    List<Integer> rails = new ArrayList<>();
    for (String leaf : leaves) {
      rails.add(fabric.device(leaf).rail());
    }
    return rails;
  }

  private static List<Integer> planes(Fabric fabric, String... switches) {
    List<Integer> planes = new ArrayList<>();
    for (String name : switches) {
      planes.add(fabric.device(name).plane());
    }
    return planes;
  }
}
