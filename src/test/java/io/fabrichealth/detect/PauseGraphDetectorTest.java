package io.fabrichealth.detect;

import static io.fabrichealth.testing.FabricRun.PRIORITY;
import static io.fabrichealth.testing.FabricRun.down;
import static io.fabrichealth.testing.FabricRun.host;
import static io.fabrichealth.testing.FabricRun.spine;
import static io.fabrichealth.testing.FabricRun.up;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.testing.FabricRun;
import io.fabrichealth.topology.PortId;
import org.junit.jupiter.api.Test;
import tools.jackson.dataformat.smile.SmileMapper;

class PauseGraphDetectorTest {
  private static final double OPENS = 8.75;
  private static final double DOUBTFUL = 5;
  private static final String SLOW = "SLOW_RECEIVER host gpu-1-1";

  private final PauseGraphDetector detector =
      new PauseGraphDetector(FabricRun.DICTIONARY, FabricRun.THRESHOLDS);
  private final FabricRun run = FabricRun.of(4, 2, 4);

  private FabricRun looks(int times) {
    for (int time = 0; time < times; time++) {
      run.poll().look(detector);
    }
    return run;
  }

  private double nats() {
    return run.findings().stream().mapToDouble(Finding::nats).max().orElse(0);
  }

  /** The host pauses its leaf, which pauses the spines and its other hosts. */
  private void slowHost(double ratio) {
    run.paused(down(1, 1), ratio).sends(down(1, 1), Math.min(.4, 1 - ratio));
    for (int spine = 1; spine <= 2; spine++) {
      run.paused(spine(spine, 1), ratio * .6);
      run.paused(up(2, spine), ratio * .2).paused(up(3, spine), ratio * .1);
    }
    run.paused(host(1, 2), ratio * .4).paused(host(2, 1), ratio * .1);
  }

  @Test
  void a_host_that_pauses_its_leaf_in_two_looks_is_to_blame_and_its_victims_are_named() {
    slowHost(.6);
    looks(1);
    assertThat(nats()).isLessThan(DOUBTFUL);

    looks(1);

    assertThat(run.incidents()).containsExactly(SLOW);
    Finding finding = run.finding(Cause.SLOW_RECEIVER);
    assertThat(finding.family()).isEqualTo(Family.PAUSE);
    assertThat(finding.evidence().observed())
        .isEqualTo(
            "paused 60 % of the time; 8 directions of links wait for it, which makes 100 % of all"
                + " pause");
    assertThat(finding.evidence().subject()).isEqualTo(Subject.of(run.link(down(1, 1))));
    assertThat(finding.members())
        .contains(
            Subject.of(run.link(down(1, 1))),
            Subject.of(run.link(up(2, 1))),
            Subject.of(run.link(host(2, 1))))
        .doesNotContain(Subject.of(run.link(down(2, 3))));
  }

  @Test
  void two_slow_hosts_are_two_roots_that_share_the_blame() {
    slowHost(.6);
    run.paused(down(4, 4), .9).sends(down(4, 4), .1).paused(host(4, 1), .5);
    looks(2);

    assertThat(run.incidents()).containsExactly(SLOW, "SLOW_RECEIVER host gpu-4-4");
  }

  @Test
  void either_end_s_count_of_the_pause_will_do() {
    run.unread(host(1, 1)).paused(down(1, 1), .5);
    looks(2);
    assertThat(run.incidents()).containsExactly(SLOW);

    FabricRun other = FabricRun.of(4, 2, 4).countsFrames(down(1, 1)).paused(down(1, 1), .5);
    other.poll().look(detector).poll().look(detector);
    assertThat(other.incidents()).containsExactly(SLOW);
    assertThat(other.finding(Cause.SLOW_RECEIVER).evidence().signal())
        .isEqualTo("pfc.tx_pause_microseconds");
  }

  @Test
  void packets_that_the_hca_drops_are_a_second_witness() {
    run.paused(down(1, 1), .65)
        .shows(
            (port, window) -> window.grow("roce.out_of_buffer", port.equals(host(1, 1)) ? 400 : 0));
    looks(2);

    assertThat(run.findings()).extracting(Finding::family).contains(Family.PAUSE, Family.LOSS);
  }

  @Test
  void no_false_positive_for_what_every_fabric_pauses() {
    for (PortId port : run.fabric().ports().stream().map(each -> each.id()).toList()) {
      run.paused(port, .006);
    }
    looks(30);

    assertThat(run.findings()).isEmpty();
    assertThat(run.state(PauseGraphDetector.ID)).isEqualTo(detector.initial());
  }

  @Test
  void no_false_positive_for_one_burst() {
    looks(3);
    run.paused(down(1, 1), .5);
    looks(1);
    assertThat(nats()).isLessThan(DOUBTFUL);
    run.paused(down(1, 1), .001);
    looks(1);

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void no_false_positive_for_incast_whose_full_port_makes_the_leaf_pause_all_senders() {
    run.sends(down(1, 1), .97).marks(down(1, 1), .02);
    for (int spine = 1; spine <= 2; spine++) {
      run.paused(spine(spine, 1), .4).paused(up(2, spine), .2).paused(up(3, spine), .2);
    }
    run.paused(host(1, 2), .4).paused(host(2, 1), .2);
    looks(30);

    assertThat(run.incidents()).isEmpty();
  }

  @Test
  void no_false_positive_for_incast_in_bursts_that_fill_the_port_for_some_of_the_time() {
    run.sends(down(1, 1), .5).paused(spine(1, 1), .45).paused(host(1, 2), .45);
    looks(30);

    assertThat(run.incidents()).isEmpty();
  }

  @Test
  void no_false_positive_for_a_host_whose_port_is_full() {
    run.paused(down(1, 1), .4).sends(down(1, 1), .97);
    looks(5);

    assertThat(run.incidents()).isEmpty();
  }

  @Test
  void a_slow_host_beside_an_incast_on_the_same_leaf_is_named_alone() {
    slowHost(.6);
    run.sends(down(1, 3), .97).marks(down(1, 3), .02);
    looks(3);

    assertThat(run.incidents()).containsExactly(SLOW);
  }

  @Test
  void it_clears_after_the_host_takes_its_traffic_again() {
    run.paused(down(1, 1), .65);
    looks(30);
    run.paused(down(1, 1), .002);
    looks(1);
    assertThat(run.finding(Cause.SLOW_RECEIVER).evidence().observed())
        .isEqualTo("paused 65 % of the time");
    looks(2);
    assertThat(run.findings()).isEmpty();
    looks(61);
    assertThat(run.state(PauseGraphDetector.ID)).isEqualTo(detector.initial());
  }

  @Test
  void what_can_no_longer_be_judged_is_forgotten_after_ten_minutes() {
    run.paused(down(1, 1), .65);
    looks(3);
    run.unread(down(1, 1), host(1, 1));
    looks(60);
    assertThat(nats()).as("ten minutes later").isGreaterThan(OPENS);

    looks(1);

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_poll_that_is_seen_twice_counts_once() {
    run.paused(down(1, 1), .65).poll().look(detector).look(detector).look(detector);

    assertThat(nats()).isLessThan(DOUBTFUL);
  }

  @Test
  void polls_between_two_looks_count_by_the_growth_of_the_total() {
    run.paused(down(1, 1), .65);
    looks(1);
    // Nine seconds in ten it pauses for all of the time; the last second of each look is quiet.
    for (int look = 0; look < 2; look++) {
      run.paused(down(1, 1), 1).poll(9).paused(down(1, 1), 0).poll(1).look(detector);
    }

    assertThat(run.finding(Cause.SLOW_RECEIVER).evidence().observed())
        .isEqualTo("paused 90 % of the time");
  }

  @Test
  void frames_without_a_duration_are_weak_until_something_else_tells_the_same() {
    run.countsFrames(down(1, 1), host(1, 1)).paused(down(1, 1), .65);
    looks(10);
    assertThat(nats()).isBetween(1.0, DOUBTFUL);

    run.paused(spine(1, 1), .4);
    looks(1);

    assertThat(run.incidents()).containsExactly(SLOW);
  }

  @Test
  void a_pause_that_its_sender_does_not_know_of_is_weak() {
    run.paused(down(1, 1), .65)
        .shows(
            (port, window) -> {
              if (port.equals(host(1, 1))) {
                window.grow("pfc.tx_pause_microseconds", PRIORITY, 0);
              }
            });
    looks(10);

    assertThat(nats()).isLessThan(DOUBTFUL);
  }

  @Test
  void a_ratio_that_cannot_be_and_a_counter_that_was_reset_say_nothing() {
    run.paused(down(1, 1), 40);
    looks(5);
    assertThat(run.findings()).isEmpty();

    run.paused(down(1, 1), .9)
        .shows(
            (port, window) -> {
              for (String side : new String[] {"rx", "tx"}) {
                window.resetAll("pfc." + side + "_pause_microseconds");
                window.resetAll("pfc." + side + "_pause_frames");
              }
            });
    looks(5);
    assertThat(run.findings()).isEmpty();
  }

  @Test
  void polls_with_an_outage_do_not_count() {
    run.paused(down(1, 1), .9).shows((port, window) -> window.grow("port.link_downed", 1));
    looks(5);
    run.shows((port, window) -> window.down());
    looks(5);

    assertThat(run.findings()).isEmpty();
  }

  // --- watchdogs

  /** In every second poll the watchdog stops a storm; its own counters stand still all the time. */
  private void watchdog(int looks) {
    for (int look = 0; look < looks; look++) {
      int storms = look % 2 == 0 ? 3 : 0;
      run.shows(
          (port, window) -> {
            if (port.equals(down(1, 1))) {
              window.grow("pfc.watchdog_storms", PRIORITY, storms);
              window.grow("pfc.rx_pause_microseconds", PRIORITY, 0);
              window.grow("pfc.rx_pause_frames", PRIORITY, 0);
            }
          });
      looks(1);
    }
  }

  @Test
  void a_queue_that_a_watchdog_stops_again_and_again_is_one_accusation_without_a_gap() {
    run.unread(host(1, 1));
    watchdog(3);
    assertThat(run.incidents()).containsExactly(SLOW);
    for (int look = 0; look < 60; look++) {
      watchdog(2);
      assertThat(run.incidents()).containsExactly(SLOW);
    }
    assertThat(run.finding(Cause.SLOW_RECEIVER).evidence().observed())
        .contains("storms stopped by the watchdog");

    run.shows((port, window) -> {});
    looks(59);
    assertThat(run.incidents()).as("it may come back").containsExactly(SLOW);
    looks(5);
    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_counter_that_stands_still_while_the_peer_goes_on_to_pause_is_not_believed() {
    run.paused(down(1, 1), .9)
        .shows(
            (port, window) -> {
              if (port.equals(down(1, 1))) {
                window.grow("pfc.rx_pause_microseconds", PRIORITY, 0);
                window.grow("pfc.rx_pause_frames", PRIORITY, 0);
              }
            });
    looks(3);

    assertThat(run.incidents()).containsExactly(SLOW);
    assertThat(run.finding(Cause.SLOW_RECEIVER).evidence().signal())
        .isEqualTo("pfc.tx_pause_microseconds");
  }

  @Test
  void no_false_positive_for_storms_that_are_long_past() {
    run.shows((port, window) -> window.grow("pfc.watchdog_storms", PRIORITY, 0));
    looks(5);

    assertThat(run.findings()).isEmpty();
  }

  // --- switches

  @Test
  void a_switch_that_pauses_without_a_full_or_paused_port_has_a_buffer_fault() {
    run.paused(up(1, 1), .8).paused(up(2, 1), .8).sends(up(1, 1), .1).sends(up(2, 1), .1);
    run.sends(spine(1, 3), .1).sends(spine(1, 4), .1).sends(spine(1, 1), .1);
    looks(3);

    assertThat(run.incidents()).containsExactly("BUFFER_MISCONFIGURATION switch spine1");
  }

  @Test
  void a_switch_that_pauses_all_of_the_time_while_nothing_moves_is_a_storm() {
    for (int leaf = 1; leaf <= 4; leaf++) {
      run.paused(up(leaf, 1), 1).sends(up(leaf, 1), 0).sends(spine(1, leaf), 0);
    }
    looks(3);

    assertThat(run.incidents()).containsExactly("PFC_STORM switch spine1");
  }

  @Test
  void no_false_positive_for_a_switch_of_which_a_port_is_not_read() {
    run.paused(up(1, 1), .8).unread(spine(1, 3), up(3, 1));
    looks(5);

    assertThat(run.incidents()).isEmpty();
  }

  // --- deadlocks

  /** leaf1 to spine1 to leaf2 to spine2 and back: routes that go up again at both leaves. */
  private void cycle(double ratio, double load) {
    for (PortId port : new PortId[] {up(1, 1), spine(1, 2), up(2, 2), spine(2, 1)}) {
      run.paused(port, ratio).sends(port, load);
    }
    run.paused(host(1, 1), .9).paused(host(2, 2), .9).sends(host(1, 1), .05);
  }

  @Test
  void a_cycle_on_which_nothing_moves_is_a_deadlock_of_its_devices() {
    cycle(1, 0);
    looks(1);
    assertThat(run.incidents()).isEmpty();
    looks(1);

    assertThat(run.incidents())
        .containsExactly("PFC_DEADLOCK pause_domain leaf1+leaf2+spine1+spine2");
    assertThat(run.finding(Cause.PFC_DEADLOCK).members())
        .containsExactlyInAnyOrder(
            Subject.of(run.link(up(1, 1))),
            Subject.of(run.link(up(2, 1))),
            Subject.of(run.link(up(2, 2))),
            Subject.of(run.link(up(1, 2))));
  }

  @Test
  void a_deadlock_is_told_by_pause_and_by_packets_that_do_not_move() {
    cycle(1, 0);
    looks(2);

    assertThat(run.findings())
        .extracting(Finding::family)
        .containsExactlyInAnyOrder(Family.PAUSE, Family.LOSS);
    double nats = run.findings().stream().mapToDouble(Finding::nats).sum();
    assertThat(nats).isBetween(OPENS + 1.7, OPENS + 6);
  }

  @Test
  void no_false_positive_for_a_switch_that_a_deadlock_elsewhere_holds_up() {
    cycle(1, 0);
    // leaf3 pauses its hosts, but tells nothing of what pauses it.
    run.paused(host(3, 1), .9).paused(host(3, 2), .9).sends(up(3, 1), .1).sends(up(3, 2), .1);
    looks(6);

    assertThat(run.incidents())
        .containsExactly("PFC_DEADLOCK pause_domain leaf1+leaf2+spine1+spine2");
  }

  @Test
  void the_host_whose_pause_came_first_is_said_to_have_begun_it() {
    run.paused(down(2, 3), .8).paused(spine(1, 2), .5);
    looks(2);
    run.paused(down(2, 3), 0);
    cycle(1, 0);
    looks(4);

    assertThat(run.incidents())
        .containsExactly("PFC_DEADLOCK pause_domain leaf1+leaf2+spine1+spine2");
    assertThat(run.finding(Cause.PFC_DEADLOCK).evidence().observed())
        .contains("4 links wait for each other")
        .endsWith(
            "it began when the host of gpu-2-3:mlx5_0/1--leaf2:port3 paused 80 % of the time");
  }

  @Test
  void no_deadlock_where_packets_still_move_or_pause_is_not_all_of_the_time() {
    cycle(1, .05);
    looks(5);
    assertThat(run.findings()).noneMatch(each -> each.cause() == Cause.PFC_DEADLOCK);

    cycle(.8, 0);
    looks(5);
    assertThat(run.findings()).noneMatch(each -> each.cause() == Cause.PFC_DEADLOCK);
  }

  @Test
  void no_deadlock_where_the_queue_s_own_count_of_packets_moves() {
    cycle(1, 0);
    run.shows((port, window) -> window.grow("queue.out_packets", PRIORITY, 300_000));
    looks(5);

    assertThat(run.findings()).noneMatch(each -> each.cause() == Cause.PFC_DEADLOCK);
  }

  @Test
  void no_deadlock_for_two_storms_that_chain_up_to_a_seeming_cycle() {
    cycle(1, 0);
    run.paused(down(1, 4), 1).sends(down(1, 4), 0).paused(down(2, 4), 1).sends(down(2, 4), 0);
    looks(5);

    assertThat(run.incidents())
        .containsExactly("SLOW_RECEIVER host gpu-1-4", "SLOW_RECEIVER host gpu-2-4");
  }

  @Test
  void its_state_can_be_stored_and_read_back() {
    slowHost(.7);
    looks(3);
    SmileMapper mapper = SmileMapper.builder().build();
    Object state = run.state(PauseGraphDetector.ID);

    Object read = mapper.readValue(mapper.writeValueAsBytes(state), detector.stateType());

    assertThat(read).isEqualTo(state);
  }
}
