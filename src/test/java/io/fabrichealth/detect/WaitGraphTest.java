package io.fabrichealth.detect;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Tier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class WaitGraphTest {
  private static final int GRAPHS = 1_000;

  /** A paused link between two devices, over ports of its own. */
  private static PausedLink paused(String from, String to) {
    PortId sender = new PortId(from, "to-" + to);
    PortId receiver = new PortId(to, "to-" + from);
    Link link = Link.between(sender, receiver, Tier.OTHER, null);
    PauseMemory memory = PauseMemory.of(link.id(), link.a().equals(sender), 3);
    return new PausedLink(link, sender, receiver, 3, .5, memory);
  }

  private static List<PausedLink> random(Random random) {
    int devices = 2 + random.nextInt(7);
    double density = .05 + .5 * random.nextDouble();
    List<PausedLink> links = new ArrayList<>();
    for (int from = 0; from < devices; from++) {
      for (int to = 0; to < devices; to++) {
        if (from != to && random.nextDouble() < density) {
          links.add(paused("d" + from, "d" + to));
        }
      }
    }
    return links;
  }

  /** By asking of each pair of nodes whether there is a way, one step at a time. */
  private static boolean[][] reachable(List<PausedLink> links) {
    int nodes = links.size();
    boolean[][] reach = new boolean[nodes][nodes];
    for (int from = 0; from < nodes; from++) {
      for (int to = 0; to < nodes; to++) {
        PausedLink one = links.get(from);
        PausedLink other = links.get(to);
        reach[from][to] =
            one.receiver().device().equals(other.sender().device())
                && !other.receiver().device().equals(one.sender().device());
      }
    }
    for (int by = 0; by < nodes; by++) {
      for (int from = 0; from < nodes; from++) {
        for (int to = 0; to < nodes; to++) {
          reach[from][to] |= reach[from][by] && reach[by][to];
        }
      }
    }
    return reach;
  }

  @Test
  void cycles_are_the_strongly_connected_sets_of_a_thousand_random_graphs() {
    Random random = new Random(7);
    int withCycle = 0;
    for (int graph = 0; graph < GRAPHS; graph++) {
      List<PausedLink> links = random(random);
      boolean[][] reach = reachable(links);
      Set<Set<Integer>> expected = new HashSet<>();
      for (int node = 0; node < links.size(); node++) {
        Set<Integer> cycle = new TreeSet<>();
        for (int other = 0; other < links.size(); other++) {
          if (reach[node][other] && reach[other][node]) {
            cycle.add(other);
          }
        }
        if (cycle.size() > 1) {
          expected.add(cycle);
        }
      }

      Set<Set<Integer>> found = new HashSet<>();
      new WaitGraph(links).cycles().forEach(cycle -> found.add(new TreeSet<>(cycle)));

      assertThat(found).as("graph %s", graph).isEqualTo(expected);
      withCycle += expected.isEmpty() ? 0 : 1;
    }
    assertThat(withCycle).isBetween(100, 900);
  }

  @Test
  void who_waits_and_who_is_blamed_is_what_can_be_reached() {
    Random random = new Random(11);
    for (int graph = 0; graph < GRAPHS; graph++) {
      List<PausedLink> links = random(random);
      boolean[][] reach = reachable(links);
      WaitGraph waits = new WaitGraph(links);
      int[] blamed = waits.blamed();
      for (int node = 0; node < links.size(); node++) {
        Set<String> roots = new HashSet<>();
        if (waits.isRoot(node)) {
          roots.add(links.get(node).receiver().device());
        }
        List<Integer> waiting = new ArrayList<>();
        for (int other = 0; other < links.size(); other++) {
          if (reach[node][other] && waits.isRoot(other)) {
            roots.add(links.get(other).receiver().device());
          }
          if (other != node && reach[other][node]) {
            waiting.add(other);
          }
        }
        assertThat(waits.waitingFor(List.of(node)).stream().sorted().toList()).isEqualTo(waiting);
        assertThat(waits.isRoot(node)).isEqualTo(!hasTrue(reach[node]));
        switch (roots.size()) {
          case 0 -> assertThat(blamed[node]).isEqualTo(WaitGraph.NONE);
          case 1 -> assertThat(roots).containsExactly(links.get(blamed[node]).receiver().device());
          default -> assertThat(blamed[node]).isEqualTo(WaitGraph.SHARED);
        }
      }
    }
  }

  private static boolean hasTrue(boolean[] row) {
    for (boolean one : row) {
      if (one) {
        return true;
      }
    }
    return false;
  }

  @Test
  void a_chain_of_a_hundred_thousand_links_needs_no_deep_stack() {
    List<PausedLink> links = new ArrayList<>();
    for (int device = 0; device < 100_000; device++) {
      links.add(paused("d" + device, "d" + (device + 1)));
    }

    WaitGraph graph = new WaitGraph(links);

    assertThat(graph.cycles()).isEmpty();
    assertThat(graph.waitingFor(List.of(99_999))).hasSize(99_999);
    assertThat(graph.blamed()).containsOnly(99_999);
  }

  @Test
  void what_comes_from_a_device_does_not_wait_to_go_back_there() {
    List<PausedLink> both = List.of(paused("leaf1", "spine1"), paused("spine1", "leaf1"));

    assertThat(new WaitGraph(both).cycles()).isEmpty();
    assertThat(new WaitGraph(both).isRoot(0)).isTrue();
  }
}
