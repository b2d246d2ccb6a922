package io.fabrichealth.detect;

import static io.fabrichealth.testing.FabricRun.down;
import static io.fabrichealth.testing.FabricRun.host;
import static io.fabrichealth.testing.FabricRun.spine;
import static io.fabrichealth.testing.FabricRun.up;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.testing.FabricRun;
import io.fabrichealth.topology.PortId;
import org.junit.jupiter.api.Test;
import tools.jackson.dataformat.smile.SmileMapper;

class EcnDetectorTest {
  private final EcnDetector detector = new EcnDetector(FabricRun.DICTIONARY, FabricRun.THRESHOLDS);
  private final FabricRun run = FabricRun.of(4, 2, 8);

  private FabricRun looks(double minutes) {
    for (int time = 0; time < minutes * 6; time++) {
      run.poll().look(detector);
    }
    return run;
  }

  @Test
  void a_port_that_is_full_for_minutes_and_marks_is_congested_and_only_the_port() {
    run.sends(spine(1, 3), .95).marks(spine(1, 3), .02);
    looks(3);
    assertThat(run.incidents()).isEmpty();
    looks(.5);

    assertThat(run.incidents()).containsExactly("CONGESTION port spine1:down3");
    assertThat(run.finding(Cause.CONGESTION).evidence().observed())
        .isEqualTo("sends at 95 % of its speed for 3 min, 2.0 % marked");
    assertThat(Cause.CONGESTION.degradesLink()).isFalse();
  }

  @Test
  void a_port_to_a_host_takes_longer() {
    run.sends(down(2, 5), .95).marks(down(2, 5), .02);
    looks(4.5);
    assertThat(run.incidents()).isEmpty();
    looks(1);

    assertThat(run.incidents()).containsExactly("CONGESTION port leaf2:port5");
  }

  @Test
  void where_the_switch_counts_no_marks_the_host_s_count_will_do() {
    run.sends(down(2, 5), .9)
        .shows(
            (port, window) -> {
              window.unsupportedAll("ecn.marked_packets");
              if (port.equals(host(2, 5))) {
                window.grow("roce.ecn_marked_packets", 1e6);
              }
            });
    looks(6);

    assertThat(run.incidents()).containsExactly("CONGESTION port leaf2:port5");
  }

  @Test
  void where_nobody_counts_marks_the_port_must_be_fuller() {
    run.shows((port, window) -> window.unsupportedAll("ecn.marked_packets"));
    run.sends(spine(1, 3), .9);
    looks(10);
    assertThat(run.incidents()).isEmpty();

    run.sends(spine(1, 3), .97);
    looks(4);
    assertThat(run.incidents()).containsExactly("CONGESTION port spine1:down3");
  }

  @Test
  void no_false_positive_for_an_exchange_between_all() {
    for (int leaf = 1; leaf <= 4; leaf++) {
      for (int spine = 1; spine <= 2; spine++) {
        run.sends(spine(spine, leaf), .96).marks(spine(spine, leaf), .03);
      }
      for (int host = 1; host <= 8; host++) {
        run.sends(down(leaf, host), .96).marks(down(leaf, host), .03);
      }
    }
    looks(30);

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void no_false_positive_for_incast_to_a_host_whose_senders_are_paused() {
    run.sends(down(2, 5), .97).marks(down(2, 5), .05);
    run.paused(host(2, 1), .02).paused(spine(1, 2), .02).paused(spine(2, 2), .02);
    looks(30);

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void no_false_positive_at_the_end_of_an_incast() {
    run.sends(down(2, 5), .97).marks(down(2, 5), .05);
    run.paused(host(2, 1), .02).paused(spine(1, 2), .02).paused(spine(2, 2), .02);
    looks(10);
    run.sends(down(2, 5), 0).paused(host(2, 1), 0).paused(spine(1, 2), 0).paused(spine(2, 2), 0);
    looks(.1);

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void no_false_positive_for_short_hot_spots() {
    for (int burst = 0; burst < 10; burst++) {
      run.sends(spine(1, 3), .98).marks(spine(1, 3), .05);
      looks(2);
      run.sends(spine(1, 3), .3).marks(spine(1, 3), 0);
      looks(1);
    }

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void no_false_positive_for_a_busy_port_that_marks_little() {
    run.sends(spine(1, 3), .97).marks(spine(1, 3), 1e-5);
    run.sends(down(2, 5), .5).marks(down(2, 5), .003);
    looks(30);

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void ports_with_a_choice_of_paths_are_not_judged_here() {
    run.sends(up(1, 1), .97).marks(up(1, 1), .05);
    looks(10);

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void one_poll_below_does_not_clear_it_and_two_do() {
    PortId port = spine(1, 3);
    run.sends(port, .95).marks(port, .02);
    looks(5);
    run.sends(port, .5);
    looks(.1);
    run.sends(port, .95);
    looks(.1);
    assertThat(run.incidents()).hasSize(1);
    run.sends(port, .5);
    looks(.3);

    assertThat(run.findings()).isEmpty();
    assertThat(run.state("ecn spine1")).isEqualTo(detector.initial());
  }

  @Test
  void its_state_can_be_stored_and_read_back() {
    run.sends(spine(1, 3), .95).marks(spine(1, 3), .02);
    looks(1);
    SmileMapper mapper = SmileMapper.builder().build();
    Object state = run.state("ecn spine1");

    assertThat(mapper.readValue(mapper.writeValueAsBytes(state), detector.stateType()))
        .isEqualTo(state)
        .isNotEqualTo(detector.initial());
  }
}
