package io.fabrichealth.detect;

import static io.fabrichealth.testing.FabricRun.host;
import static io.fabrichealth.testing.FabricRun.up;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.testing.FabricRun;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.dataformat.smile.SmileMapper;

class EcmpDetectorTest {
  private static final double OPENS = 8.75;

  private final EcmpDetector detector =
      new EcmpDetector(FabricRun.DICTIONARY, FabricRun.THRESHOLDS);

  private static FabricRun uplinks(FabricRun run, double... loads) {
    for (int spine = 1; spine <= loads.length; spine++) {
      run.sends(up(1, spine), loads[spine - 1]);
    }
    return run;
  }

  private FabricRun looks(FabricRun run, double minutes) {
    for (int time = 0; time < minutes * 6; time++) {
      run.poll().look(detector);
    }
    return run;
  }

  private static double nats(FabricRun run) {
    return run.findings().stream().mapToDouble(Finding::nats).max().orElse(0);
  }

  @Test
  void links_that_their_flows_left_for_others_are_polarised() {
    FabricRun run = uplinks(FabricRun.of(4, 2, 8), .2, .3);
    looks(run, 5);
    uplinks(run, 0, .5);
    looks(run, 5);
    assertThat(run.incidents()).isEmpty();
    looks(run, .5);

    assertThat(run.incidents()).containsExactly("ROUTE_POLARISATION route leaf1");
    assertThat(run.finding(Cause.ROUTE_POLARISATION).members())
        .containsExactly(Subject.of(run.link(up(1, 1))));
    uplinks(run, .2, .3);
    looks(run, .3);
    assertThat(run.findings()).isEmpty();
  }

  @Test
  void where_so_many_links_are_left_that_luck_is_beyond_question_two_polls_are_enough() {
    FabricRun run = uplinks(FabricRun.of(4, 4, 16), .2, .3, .25, .25);
    looks(run, 5);
    uplinks(run, 0, .4, 0, .6);
    looks(run, .1);
    assertThat(run.incidents()).isEmpty();
    looks(run, .1);

    assertThat(run.incidents()).containsExactly("ROUTE_POLARISATION route leaf1");
  }

  @Test
  void no_false_positive_where_links_are_left_for_a_while_by_other_traffic() {
    FabricRun run = uplinks(FabricRun.of(4, 4, 16), .2, .3, .25, .25);
    looks(run, 5);
    uplinks(run, 0, .3, 0, .35);
    looks(run, 3);

    assertThat(run.incidents()).isEmpty();
  }

  @Test
  void a_marking_uplink_far_above_its_like_is_a_hot_spot_after_three_polls() {
    FabricRun run = uplinks(FabricRun.of(4, 4, 8), .2, .2, .25, .15);
    looks(run, 1);
    uplinks(run, .7, .2, .25, .15).marks(up(1, 1), .03);
    looks(run, .3);
    assertThat(run.incidents()).isEmpty();
    looks(run, .2);

    assertThat(run.incidents()).containsExactly("CONGESTION port leaf1:up1");
  }

  @Test
  void an_uplink_far_above_its_like_is_a_hot_spot_after_minutes_where_nobody_counts_marks() {
    FabricRun run = uplinks(FabricRun.of(4, 4, 8), .88, .2, .25, .15);
    run.shows((port, window) -> window.unsupportedAll("ecn.marked_packets"));
    looks(run, 2);
    assertThat(run.incidents()).isEmpty();
    uplinks(run, .7, .2, .25, .15);
    looks(run, 1);
    uplinks(run, .88, .2, .25, .15);
    looks(run, .5);

    assertThat(run.incidents()).containsExactly("CONGESTION port leaf1:up1");
  }

  @Test
  void no_false_positive_where_marks_are_not_counted_and_an_uplink_is_full_now_and_then() {
    FabricRun run = FabricRun.of(4, 4, 8);
    run.shows((port, window) -> window.unsupportedAll("ecn.marked_packets"));
    for (int time = 0; time < 5; time++) {
      looks(uplinks(run, .88, .2, .25, .15), 1);
      looks(uplinks(run, .7, .2, .25, .15), 3);
      assertThat(run.incidents()).isEmpty();
    }
  }

  @Test
  void no_false_positive_for_an_uplink_that_is_full_because_it_is_slower_than_planned() {
    FabricRun run = uplinks(FabricRun.of(4, 4, 8), .2, .2, .25, .005);
    run.shows(
        (port, window) -> {
          if (port.equals(up(1, 1))) {
            window.gauge("port.speed_bits_per_second", 100e9);
          }
        });
    looks(run, 1);
    uplinks(run, .24, .2, .25, .005).marks(up(1, 1), .03);
    looks(run, 5);

    assertThat(run.incidents()).isEmpty();
  }

  @Test
  void no_false_positive_for_a_few_minutes_of_flows_that_lie_unevenly_and_mark() {
    FabricRun run = uplinks(FabricRun.of(4, 4, 8), .9, .5, .7, .4).marks(up(1, 1), .03);
    looks(run, 2.5);

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void links_that_stay_idle_though_flows_enough_go_by_are_polarised() {
    FabricRun run = FabricRun.of(2, 8, 32);
    for (int host = 1; host <= 32; host++) {
      run.sends(host(1, host), .1);
    }
    uplinks(run, .8, .8, .8, .8, 0, 0, 0, 0);
    looks(run, 5);

    assertThat(run.incidents()).containsExactly("ROUTE_POLARISATION route leaf1");
    assertThat(run.finding(Cause.ROUTE_POLARISATION).evidence().observed())
        .isEqualTo("4 links are idle while 32 flows or more chose among 8 links");
  }

  @Test
  void the_same_links_idle_over_many_draws_of_few_flows_are_polarised() {
    FabricRun run = FabricRun.of(2, 4, 8);
    int draws = 0;
    while (nats(run) < OPENS && draws < 40) {
      uplinks(run, .3, .3, .3, 0);
      looks(run, 4);
      uplinks(run, 0, 0, 0, 0);
      looks(run, 1);
      draws++;
    }

    // Three flows a draw at least, each of which misses one link of four with 3/4.
    assertThat(draws).isBetween(8, 14);
    assertThat(run.incidents()).containsExactly("ROUTE_POLARISATION route leaf1");
  }

  @Test
  void no_false_positive_for_few_flows_that_fell_together() {
    FabricRun run = uplinks(FabricRun.of(2, 8, 8), .4, 0, 0, .4, 0, .8, 0, 0);
    looks(run, 60);

    assertThat(run.incidents()).isEmpty();
  }

  @Test
  void no_false_positive_in_hundreds_of_draws_of_flows_by_lot() {
    Random random = new Random(5);
    FabricRun run = FabricRun.of(2, 4, 8);
    int opened = 0;
    for (int draw = 0; draw < 400; draw++) {
      double[] loads = new double[4];
      int flows = 1 + random.nextInt(8);
      for (int flow = 0; flow < flows; flow++) {
        loads[random.nextInt(4)] += .1;
      }
      uplinks(run, loads);
      for (int minute = 0; minute < 4; minute++) {
        run.poll(60).look(detector);
      }
      opened += run.incidents().isEmpty() ? 0 : 1;
      uplinks(run, 0, 0, 0, 0).poll(60).look(detector);
    }

    assertThat(opened).isZero();
  }

  @Test
  void no_false_positive_for_a_link_that_is_down_or_drained_or_has_flapped() {
    FabricRun run = uplinks(FabricRun.of(4, 2, 8), .2, .3);
    looks(run, 5);
    uplinks(run, 0, .5).sends(FabricRun.spine(1, 1), 0);
    looks(run, 30);
    assertThat(run.findings()).as("drained").isEmpty();

    run = uplinks(FabricRun.of(4, 2, 8), .2, .3);
    looks(run, 5);
    run.shows(
        (port, window) -> {
          if (port.equals(up(1, 1))) {
            window.down();
          }
        });
    uplinks(run, 0, .5);
    looks(run, 10);
    assertThat(run.findings()).as("down").isEmpty();
    run.shows((port, window) -> {});
    looks(run, 10);
    assertThat(run.incidents()).as("up again, flows still elsewhere").isEmpty();
  }

  @Test
  void no_false_positive_for_a_link_that_is_paused() {
    FabricRun run = uplinks(FabricRun.of(4, 2, 8), .2, .3);
    looks(run, 5);
    uplinks(run, 0, .3).paused(up(1, 1), 1);
    looks(run, 10);

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void no_false_positive_where_the_load_broke_off_in_between() {
    FabricRun run = uplinks(FabricRun.of(4, 2, 8), .2, .3);
    looks(run, 5);
    uplinks(run, .01, .01);
    looks(run, .2);
    uplinks(run, 0, .5);
    looks(run, 30);

    assertThat(run.incidents()).isEmpty();
  }

  @Test
  void a_full_uplink_beside_an_idle_one_carries_flows_that_collide() {
    FabricRun run = uplinks(FabricRun.of(4, 2, 8), .95, .005).marks(up(1, 1), .02);
    looks(run, 4);

    assertThat(run.incidents()).containsExactly("ROUTE_COLLISION route leaf1");
    assertThat(run.finding(Cause.ROUTE_COLLISION).evidence().observed())
        .startsWith("leaf1:up1 sends at 95 % of its speed for 3 min, 2.0 % marked while leaf1:up2");
  }

  @Test
  void a_full_uplink_that_took_the_flows_of_another_is_a_collision() {
    FabricRun run = uplinks(FabricRun.of(4, 2, 8), .5, .5);
    looks(run, 5);
    uplinks(run, .96, .1).marks(up(1, 1), .02);
    looks(run, 4);

    assertThat(run.incidents()).containsExactly("ROUTE_COLLISION route leaf1");
  }

  @Test
  void a_full_uplink_whose_like_carry_what_they_always_did_is_a_hot_spot() {
    FabricRun run = uplinks(FabricRun.of(4, 2, 8), .2, .2);
    looks(run, 5);
    uplinks(run, .95, .2).marks(up(1, 1), .02);
    looks(run, 4);

    assertThat(run.incidents()).containsExactly("CONGESTION port leaf1:up1");
  }

  @Test
  void no_false_positive_for_an_exchange_between_all() {
    FabricRun run = uplinks(FabricRun.of(4, 4, 8), .97, .95, .96, .9);
    for (int spine = 1; spine <= 4; spine++) {
      run.marks(up(1, spine), .03);
    }
    looks(run, 30);

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void no_false_positive_for_what_joins_one_link_only() {
    FabricRun run = uplinks(FabricRun.of(4, 2, 8), .05, .05);
    looks(run, 10);
    uplinks(run, .05, .7);
    looks(run, 30);

    assertThat(run.incidents()).isEmpty();
  }

  @Test
  void luck_is_the_chance_that_no_flow_chose_these_links() {
    // 16 flows over 4 links miss one given link with .75^16, and there are 4 of them.
    assertThat(FlowLuck.nats(16, 4, 1)).isCloseTo(-Math.log(4 * .010023), within(1e-3));
    assertThat(FlowLuck.nats(1, 2, 1)).isCloseTo(0, within(1e-9));
  }

  @Test
  void its_state_can_be_stored_and_read_back() {
    FabricRun run = looks(uplinks(FabricRun.of(2, 4, 8), .3, .3, .95, 0), 4);
    SmileMapper mapper = SmileMapper.builder().build();
    Object state = run.state("ecmp leaf1");

    assertThat(mapper.readValue(mapper.writeValueAsBytes(state), detector.stateType()))
        .usingRecursiveComparison()
        .isEqualTo(state);
  }
}
