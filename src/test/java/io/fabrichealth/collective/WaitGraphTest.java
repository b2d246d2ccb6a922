package io.fabrichealth.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class WaitGraphTest {

  @Test
  void who_is_awaited_and_waits_for_nobody_is_the_root() {
    WaitGraph graph =
        new WaitGraph.Builder()
            .add(0, "tp (1)", 32, "all_reduce", 1)
            .add(2, "dp (5)", 13, "all_reduce", 0)
            .add(3, "dp (6)", 13, "all_reduce", 1)
            .add(4, "pp (9)", FlightRecorder.ABSENT, "recv", 0)
            .build();

    assertThat(graph.roots()).containsExactly(1);
    assertThat(graph.cycles()).isEmpty();
    assertThat(graph.waiting()).containsExactly(0, 2, 3, 4);
    assertThat(graph.heldUpBy(1)).containsExactly(0, 2, 3, 4);
    assertThat(graph.heldUpBy(0)).containsExactly(2, 4);
    assertThat(graph.waitsFor(1))
        .extracting(WaitGraph.Wait::label)
        .containsExactly("all_reduce 32 of tp (1)", "all_reduce 13 of dp (6)");
    assertThat(graph.waitsOf(4))
        .extracting(WaitGraph.Wait::label)
        .containsExactly("recv in pp (9)");
    assertThat(graph.waitsOf(1)).isEmpty();
    assertThat(graph.waitersIn(graph.waitsFor(1).getFirst())).containsExactly(0);
  }

  @Test
  void ranks_that_wait_for_each_other_are_a_cycle_and_those_behind_them_are_not() {
    WaitGraph graph =
        new WaitGraph.Builder()
            .add(0, "world", 4, "all_reduce", 2)
            .add(1, "world", 4, "all_reduce", 2)
            .add(3, "world", 4, "all_reduce", 2)
            .add(2, "tp", 20, "all_reduce", 3)
            .build();

    assertThat(graph.roots()).isEmpty();
    assertThat(graph.cycles()).containsExactly(new TreeSet<>(List.of(2, 3)));
    assertThat(graph.heldUpBy(2)).containsExactly(0, 1, 3);
  }

  @Test
  void a_cycle_that_waits_for_somebody_else_is_no_deadlock() {
    WaitGraph graph =
        new WaitGraph.Builder()
            .add(0, "a", 1, "all_reduce", 1)
            .add(1, "b", 1, "all_reduce", 0, 2)
            .build();

    assertThat(graph.cycles()).isEmpty();
    assertThat(graph.roots()).containsExactly(2);
    assertThat(graph.heldUpBy(2)).containsExactly(0, 1);
  }

  @Test
  void who_waits_only_for_itself_does_not_wait() {
    WaitGraph graph = new WaitGraph.Builder().add(5, "solo", 1, "all_reduce", 5).build();

    assertThat(graph.waiting()).isEmpty();
    assertThat(graph.awaited()).isEmpty();
  }

  @Test
  void a_chain_of_a_hundred_thousand_ranks_leads_to_its_end() {
    WaitGraph.Builder builder = new WaitGraph.Builder();
    int last = 100_000;
    for (int rank = 0; rank < last; rank++) {
      builder.add(rank, "pp", FlightRecorder.ABSENT, "recv", rank + 1);
    }

    WaitGraph graph = builder.build();

    assertThat(graph.roots()).containsExactly(last);
    assertThat(graph.heldUpBy(last)).hasSize(last);
  }
}
