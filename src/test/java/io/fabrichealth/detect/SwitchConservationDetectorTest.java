package io.fabrichealth.detect;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.runtime.ThresholdCatalogue;
import io.fabrichealth.testing.FabricRun;
import io.fabrichealth.testing.FakeWindow;
import io.fabrichealth.topology.PortId;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SwitchConservationDetectorTest {
  private static final String SPINE = "spine1";

  private final SwitchConservationDetector detector =
      new SwitchConservationDetector(FabricRun.DICTIONARY, ThresholdCatalogue.load());
  private final FabricRun run = FabricRun.of(4, 2, 4);
  private final Random random = new Random(9);
  private String heard = "";

  /** Share of what the spine sends that it loses first, and by how much that varies. */
  private double loss;

  private double unsteady;
  private double discarded;

  private void polls(int times) {
    run.shows(this::shown);
    looks(times);
  }

  private void looks(int times) {
    for (int time = 0; time < times; time++) {
      run.poll().look(detector);
      heard = heard.isEmpty() ? String.join(", ", run.incidents()) : heard;
    }
  }

  private void shown(PortId port, FakeWindow window) {
    if (port.device().equals(SPINE)) {
      double out = .4 * FabricRun.SPEED / 8 * 10 / 4096;
      double missing = out * (loss + unsteady * random.nextGaussian() + discarded);
      window.grow("port.out_packets", -missing).grow("port.out_discards", out * discarded);
    }
  }

  @Test
  void a_thousandth_that_does_not_come_out_is_the_switch_within_three_minutes() {
    polls(30);
    assertThat(heard).isEmpty();

    loss = 1e-3;
    polls(16);

    assertThat(run.incidents()).containsExactly("SWITCH_PACKET_LOSS switch spine1");
    assertThat(run.finding(Cause.SWITCH_PACKET_LOSS).evidence().observed())
        .endsWith("packets that came in did not go out (1.0e-3)");
  }

  @Test
  void a_loss_is_not_forgotten_while_it_goes_on_and_ends_when_it_does() {
    polls(30);
    loss = 1e-3;
    polls(2_000);
    assertThat(run.incidents()).hasSize(1);

    loss = 0;
    polls(20);
    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_share_that_varies_from_poll_to_poll_is_how_the_switch_is() {
    unsteady = 1e-2;
    loss = 3e-3;
    polls(2_000);

    assertThat(heard).isEmpty();
  }

  @Test
  void what_comes_of_floods_and_mirrors_and_ends_is_no_loss() {
    loss = -.04;
    polls(60);
    loss = 0;
    polls(60);

    assertThat(heard).isEmpty();
  }

  @Test
  void a_burst_is_no_silent_loss() {
    polls(30);
    loss = .05;
    polls(1);
    loss = 0;
    polls(30);

    assertThat(heard).isEmpty();
  }

  @Test
  void what_is_lost_while_routes_lag_behind_a_cable_is_not_the_switch() {
    polls(30);
    PortId pulled = FabricRun.spine(1, 2);
    // Pulled for 30 s and plugged: what goes that way is lost in the switch until routes follow.
    for (int time = 0; time < 3; time++) {
      loss = .1;
      run.shows((port, window) -> shown(port, port.equals(pulled) ? window.down() : window));
      looks(3);
      run.shows((port, window) -> shown(port, port.equals(pulled) ? window.up() : window));
      looks(3);
      loss = 0;
      looks(20);
    }
    assertThat(heard).isEmpty();

    loss = 1e-3;
    looks(20);
    assertThat(run.incidents()).containsExactly("SWITCH_PACKET_LOSS switch spine1");
  }

  @Test
  void a_loss_of_a_minute_is_no_lossy_switch() {
    polls(30);
    for (int time = 0; time < 10; time++) {
      loss = .05;
      polls(6);
      loss = 0;
      polls(20);
    }

    assertThat(heard).isEmpty();
  }

  @Test
  void what_is_counted_as_lost_is_not_silent() {
    polls(30);
    discarded = 1e-2;
    polls(60);

    assertThat(heard).isEmpty();
  }

  @Test
  void a_switch_with_a_port_that_is_not_read_is_not_judged() {
    polls(10);
    run.unread(FabricRun.spine(1, 2));
    polls(20);
    loss = 1e-2;
    polls(60);

    assertThat(heard).isEmpty();
  }

  @Test
  void counters_that_begin_anew_begin_the_judgement_anew() {
    polls(30);
    for (int time = 0; time < 20; time++) {
      run.shows(
          (port, window) -> window.restart(time(port) ? "port.out_packets" : "port.in_errors"));
      run.poll().look(detector);
      polls(5);
    }

    assertThat(heard).isEmpty();
  }

  private static boolean time(PortId port) {
    return port.device().equals(SPINE);
  }

  @Test
  void hosts_and_switches_in_which_much_traffic_ends_are_not_judged() {
    loss = .3;
    polls(60);
    loss = .35;
    polls(60);
    assertThat(heard).isEmpty();

    run.sends(FabricRun.host(1, 1), .1);
    polls(60);
    assertThat(heard).isEmpty();
  }
}
