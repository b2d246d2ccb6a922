package io.fabrichealth.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PathsTest {

  @Test
  void between_leaves_there_is_a_path_over_every_spine() {
    Paths paths = Paths.of(leafSpine(3, 4, 2));

    Ways ways = paths.between("h0-0", "nic0", "h2-1", "nic0");

    assertThat(ways.paths()).hasNumberOfRows(4);
    assertThat(ways.weights()).containsOnly(.25);
    assertThat(named(paths, ways.paths()[0])).containsExactly("h0-0", "l0", "s0", "l2", "h2-1");
    assertThat(named(paths, ways.paths()[3])).containsExactly("h0-0", "l0", "s3", "l2", "h2-1");
  }

  @Test
  void under_one_leaf_there_is_one_path_and_no_host_forwards() {
    Fabric.Builder fabric = builder(leafSpine(2, 2, 2));
    // A host that is wired to both leaves would be a short cut.
    link(fabric, "h0-0", "nic1", "l1", "x");
    Paths paths = Paths.of(fabric.build());

    Ways ways = paths.between("h0-0", "nic0", "h0-1", "nic0");
    Ways across = paths.between("h0-1", "nic0", "h1-0", "nic0");

    assertThat(ways.paths()).hasNumberOfRows(1);
    assertThat(named(paths, ways.paths()[0])).containsExactly("h0-0", "l0", "h0-1");
    assertThat(across.paths()).hasNumberOfRows(2);
    assertThat(named(paths, across.paths()[0])).containsExactly("h0-1", "l0", "s0", "l1", "h1-0");
  }

  @Test
  void parallel_links_share_what_their_hop_gets() {
    Fabric.Builder fabric = builder(leafSpine(2, 2, 1));
    link(fabric, "l0", "second", "s0", "second");
    Paths paths = Paths.of(fabric.build());

    Ways ways = paths.between("h0-0", "nic0", "h1-0", "nic0");

    assertThat(ways.paths()).hasNumberOfRows(3);
    assertThat(ways.weights()).containsOnly(1.0 / 3);
  }

  @Test
  void three_tiers_have_a_path_over_every_core() {
    Fabric.Builder fabric = Fabric.builder();
    for (int pod = 0; pod < 2; pod++) {
      link(fabric, "h" + pod, "nic0", "l" + pod, "h");
      for (int spine = 0; spine < 2; spine++) {
        link(fabric, "l" + pod, "u" + spine, "s" + pod + spine, "d");
        for (int core = 0; core < 3; core++) {
          link(fabric, "s" + pod + spine, "u" + core, "c" + spine + core, "d" + pod);
        }
      }
    }
    Paths paths = Paths.of(roles(fabric).build());

    Ways ways = paths.between("h0", null, "h1", null);

    assertThat(ways.paths()).hasNumberOfRows(6);
    assertThat(ways.weights()[0]).isEqualTo(1.0 / 6);
    assertThat(named(paths, ways.paths()[0]))
        .containsExactly("h0", "l0", "s00", "c00", "s10", "l1", "h1");
  }

  @Test
  void hosts_without_a_port_use_the_rail_that_is_nearest() {
    Fabric.Builder fabric = Fabric.builder();
    for (int rail = 0; rail < 2; rail++) {
      for (int host = 0; host < 2; host++) {
        link(fabric, "h" + host, "nic" + rail, "l" + rail, "d" + host);
      }
      link(fabric, "l" + rail, "u", "s0", "d" + rail);
    }
    Paths paths = Paths.of(roles(fabric).build());

    Ways any = paths.between("h0", null, "h1", null);
    Ways crossed = paths.between("h0", "nic0", "h1", "nic1");

    assertThat(any.paths()).hasNumberOfRows(2);
    assertThat(named(paths, any.paths()[1])).containsExactly("h0", "l1", "h1");
    assertThat(named(paths, crossed.paths()[0])).containsExactly("h0", "l0", "s0", "l1", "h1");
  }

  @Test
  void an_exact_path_is_walked_in_its_direction() {
    Paths paths = Paths.of(leafSpine(2, 2, 1));
    List<String> links = List.of("h0-0:nic0--l0:d0", "l0:u1--s1:d0", "l1:u1--s1:d1");

    int[] path = paths.exact("h0-0", links);

    assertThat(path).isNotNull();
    assertThat(named(paths, path)).containsExactly("h0-0", "l0", "s1", "l1");
    assertThat(named(paths, Paths.reversed(path))).containsExactly("l1", "s1", "l0", "h0-0");
  }

  @Test
  void a_path_that_does_not_hang_together_is_none() {
    Paths paths = Paths.of(leafSpine(2, 2, 1));

    assertThat(paths.exact("h0-0", List.of("l0:u1--s1:d0"))).isNull();
    assertThat(paths.exact("h0-0", List.of("h0-0:nic0--l0:d0", "no:such--link:x"))).isNull();
    assertThat(paths.exact("nobody", List.of("h0-0:nic0--l0:d0"))).isNull();
  }

  @Test
  void who_is_not_wired_has_no_path() {
    Fabric.Builder fabric = builder(leafSpine(1, 1, 1));
    link(fabric, "far", "nic0", "island", "d0");
    fabric.link(Link.half(new PortId("h9", "nic0"), null));
    Paths paths = Paths.of(fabric.build());

    assertThat(paths.between("h0-0", null, "far", null).isEmpty()).isTrue();
    assertThat(paths.between("h0-0", null, "h9", null).isEmpty()).isTrue();
    assertThat(paths.between("h0-0", "no-such", "far", null).isEmpty()).isTrue();
    assertThat(paths.between("h0-0", null, "h0-0", null).isEmpty()).isTrue();
  }

  static Fabric leafSpine(int leaves, int spines, int hosts) {
    Fabric.Builder fabric = Fabric.builder();
    for (int leaf = 0; leaf < leaves; leaf++) {
      for (int host = 0; host < hosts; host++) {
        link(fabric, "h" + leaf + "-" + host, "nic0", "l" + leaf, "d" + host);
      }
      for (int spine = 0; spine < spines; spine++) {
        link(fabric, "l" + leaf, "u" + spine, "s" + spine, "d" + leaf);
      }
    }
    return roles(fabric).build();
  }

  private static Fabric.Builder builder(Fabric of) {
    Fabric.Builder builder = Fabric.builder();
    of.devices().forEach(builder::device);
    of.links().forEach(builder::link);
    return builder;
  }

  private static Fabric.Builder roles(Fabric.Builder fabric) {
    Fabric built = fabric.build();
    Fabric.Builder named = builder(built);
    built.ports().stream()
        .map(port -> port.id().device())
        .distinct()
        .forEach(
            name -> named.device(Device.of(name, name.startsWith("h") ? Role.HOST : Role.SWITCH)));
    return named;
  }

  private static void link(Fabric.Builder fabric, String a, String ap, String b, String bp) {
    fabric.link(Link.between(new PortId(a, ap), new PortId(b, bp), Tier.OTHER, null));
  }

  private static List<String> named(Paths paths, int[] path) {
    List<String> devices = new ArrayList<>();
    devices.add(paths.from(path[0]).device());
    for (int way : path) {
      devices.add(paths.to(way).device());
    }
    return devices;
  }
}
