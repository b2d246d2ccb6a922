package io.fabrichealth.detect;

import static io.fabrichealth.testing.DetectorRun.HOST;
import static io.fabrichealth.testing.DetectorRun.SPINE;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.testing.DetectorRun;
import io.fabrichealth.testing.FakeWindow;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Media;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class PfcPauseDetectorTest {
  private static final double OPENS = 8.76;

  private final DetectorRun<PfcPauseDetector.State> run = DetectorRun.of(PfcPauseDetector::new);

  /** Paused on priority 3 for that share of 10 s, sending at that share of 400 Gb/s. */
  private static Consumer<FakeWindow> paused(double ratio, double load) {
    return window ->
        window
            .grows("pfc.rx_pause_microseconds", 0, 0, 0, ratio * 10e6, 0, 0, 0, 0)
            .grow("port.out_octets", load * DetectorRun.SPEED / 8 * 10);
  }

  @Test
  void a_host_that_pauses_its_leaf_for_most_of_two_polls_is_to_blame() {
    run.poll(paused(.65, .3));
    assertThat(run.nats()).isLessThan(5.8);

    run.poll(paused(.65, .3));

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.cause()).isEqualTo(Cause.SLOW_RECEIVER);
    assertThat(run.finding().subject()).isEqualTo(Subject.host("gpu-001"));
    assertThat(run.finding().family()).isEqualTo(Family.PAUSE);
    assertThat(run.finding().evidence().observed()).isEqualTo("paused 65 % of the time");
    assertThat(run.finding().evidence().subject().id())
        .isEqualTo("gpu-001:mlx5_0/1--leaf1:Ethernet1/1");
  }

  @Test
  void the_host_s_own_count_tells_the_same() {
    run.at(HOST).polls(2, window -> window.grows("pfc.tx_pause_microseconds", 0, 0, 0, 5e6));

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.finding().subject()).isEqualTo(Subject.host("gpu-001"));
  }

  @Test
  void packets_that_the_hca_drops_are_a_second_witness() {
    run.sees(HOST, window -> window.up().grow("roce.out_of_buffer", 400));
    run.polls(2, paused(.65, .3));

    assertThat(run.findings()).hasSize(2);
    assertThat(run.findings().getLast().family()).isEqualTo(Family.LOSS);
  }

  @Test
  void what_every_fabric_pauses_is_no_matter() {
    run.polls(60, paused(.005, .6));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_burst_in_one_poll_is_at_most_a_hint_and_fades() {
    run.polls(5, paused(.001, .6));
    run.poll(paused(.5, .6));
    assertThat(run.nats()).isLessThan(5.8);
    run.poll(paused(.001, .6));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_full_port_is_congested_and_its_host_not_slow() {
    run.polls(5, paused(.4, .97));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_switch_that_pauses_a_switch_is_not_judged() {
    run.in(DetectorRun.fabric(SPINE, 8, FecMode.RS544, Media.OPTICAL, true));
    run.polls(5, paused(.65, .3));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void it_clears_after_the_host_takes_its_traffic_again() {
    run.polls(30, paused(.65, .3));
    run.polls(3, paused(.002, .6));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void while_it_clears_it_still_says_what_it_accuses_the_host_of() {
    run.polls(3, paused(.65, .3));
    run.poll(paused(.002, .6));

    assertThat(run.finding().evidence().observed()).isEqualTo("paused 65 % of the time");
  }

  @Test
  void what_can_no_longer_be_judged_is_forgotten_after_ten_minutes() {
    run.polls(3, paused(.65, .3));
    run.polls(60, window -> {});
    assertThat(run.nats()).as("ten minutes later").isGreaterThan(OPENS);

    run.poll(window -> {});

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void frames_without_a_duration_are_weak_evidence() {
    // 30,000 frames a second could pause 400G for all of the time, or for none of it.
    run.polls(10, window -> window.grows("pfc.rx_pause_frames", 0, 0, 0, 300_000));

    assertThat(run.nats()).isBetween(1.0, 5.8);
    assertThat(run.finding().evidence().signal()).isEqualTo("pfc.rx_pause_frames");
  }

  @Test
  void a_ratio_that_cannot_be_and_a_counter_that_was_reset_say_nothing() {
    run.polls(5, paused(40, .3));
    assertThat(run.findings()).isEmpty();

    run.polls(5, window -> window.reset("pfc.rx_pause_microseconds"));
    assertThat(run.findings()).isEmpty();
  }

  @Test
  void intervals_with_an_outage_do_not_count() {
    run.polls(5, paused(.9, .3).andThen(window -> window.grow("port.link_downed", 1)));
    run.polls(5, paused(1, 0).andThen(FakeWindow::down));

    assertThat(run.findings()).isEmpty();
  }
}
