package io.fabrichealth.detect;

import static io.fabrichealth.testing.DetectorRun.HOST;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Family;
import io.fabrichealth.runtime.ThresholdCatalogue;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.testing.DetectorRun;
import io.fabrichealth.testing.FakeWindow;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class PacketLossDetectorTest {
  private static final double OPENS = 8.76;
  private static final double SUSPECT = 5.81;
  private static final String OUT_DISCARDS = "port.out_discards";
  private static final String IN_DISCARDS = "port.in_discards";
  private static final String IN_ERRORS = "port.in_errors";

  private final DetectorRun<PacketLossDetector.State> run =
      DetectorRun.of(PacketLossDetectorTest::detector);

  private static PacketLossDetector detector(SignalDictionary dictionary) {
    Thresholds thresholds = ThresholdCatalogue.load();
    return new PacketLossDetector(
        dictionary,
        thresholds,
        new ScreenDetector(
            dictionary, thresholds, new LinkConservationDetector(dictionary, thresholds)));
  }

  /** A 10G port that carries that many packets of 4 KiB a second each way, for 10 s. */
  private static Consumer<FakeWindow> small(double packetsPerSecond) {
    return traffic(10e9, packetsPerSecond, 4138);
  }

  /** A 400G port at that share of its speed, for 10 s. */
  private static Consumer<FakeWindow> large(double load) {
    return traffic(DetectorRun.SPEED, load * DetectorRun.SPEED / 8 / 4158, 4158);
  }

  private static Consumer<FakeWindow> traffic(
      double speed, double packetsPerSecond, double packetOctets) {
    double packets = packetsPerSecond * 10;
    return window ->
        window
            .gauge("port.speed_bits_per_second", speed)
            .grow("port.in_packets", packets)
            .grow("port.out_packets", packets)
            .grow("port.in_octets", packets * packetOctets)
            .grow("port.out_octets", packets * packetOctets)
            .grow(IN_ERRORS, 0)
            .grow("port.out_errors", 0)
            .grow(IN_DISCARDS, 0)
            .grow(OUT_DISCARDS, 0);
  }

  @Test
  void one_per_cent_of_few_packets_is_found_within_a_few_polls() {
    run.polls(6, small(210));
    run.polls(3, small(210).andThen(window -> window.grow(OUT_DISCARDS, 21)));

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.cause()).isEqualTo(Cause.PACKET_LOSS);
    assertThat(run.finding().family()).isEqualTo(Family.LOSS);
    assertThat(run.finding().evidence().observed())
        .isEqualTo("63 of 6,363 outgoing packets were thrown away (9.9e-3)");
  }

  @Test
  void a_stray_discard_or_two_at_every_port_is_how_a_fabric_starts() {
    run.poll(small(30).andThen(window -> window.grow(IN_DISCARDS, 1).grow(OUT_DISCARDS, 2)));
    run.poll(small(250).andThen(window -> window.grow(IN_DISCARDS, 1).grow(OUT_DISCARDS, 3)));
    run.polls(60, small(250));

    assertThat(run.nats()).isLessThan(SUSPECT);
  }

  @Test
  void a_flap_elsewhere_that_costs_a_dozen_packets_is_no_loss_of_this_link() {
    run.polls(2, small(1300).andThen(window -> window.grow(OUT_DISCARDS, 5)));

    assertThat(run.nats()).isLessThan(SUSPECT);
  }

  @Test
  void frames_of_unknown_protocols_may_be_thrown_away_all_day() {
    run.polls(360, small(250).andThen(window -> window.grow(IN_DISCARDS, 1)));

    assertThat(run.nats()).isLessThan(SUSPECT);
  }

  @Test
  void a_small_mtu_at_this_end_throws_away_what_comes_in() {
    run.polls(3, small(20).andThen(window -> window.grow(IN_DISCARDS, 6_000)));

    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void broken_frames_at_one_in_a_hundred_thousand_are_a_bad_link() {
    run.polls(3, large(.5).andThen(window -> window.grow(IN_ERRORS, 600)));

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.finding().evidence().expected()).isEqualTo("at most 1.0e-6");
  }

  @Test
  void broken_frames_are_loss_also_on_a_busy_port() {
    run.polls(3, large(.95).andThen(window -> window.grow(IN_ERRORS, 1_200)));

    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void few_broken_frames_in_many_are_allowed() {
    // One in 1e8 packets; the limit is one in 1e6.
    run.polls(360, large(.5).andThen(window -> window.grow(IN_ERRORS, .6)));

    assertThat(run.nats()).isLessThan(SUSPECT);
  }

  @Test
  void discards_of_a_busy_port_are_congestion() {
    run.polls(30, large(.97).andThen(window -> window.grow(OUT_DISCARDS, 5_000)));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void discards_of_a_port_that_marks_or_is_paused_are_congestion() {
    run.polls(
        10,
        large(.4)
            .andThen(window -> window.grow(OUT_DISCARDS, 5_000).grow("ecn.marked_packets", 4e6)));
    assertThat(run.findings()).isEmpty();

    run.polls(
        10,
        large(.4)
            .andThen(
                window ->
                    window
                        .grow(OUT_DISCARDS, 5_000)
                        .grows("pfc.rx_pause_microseconds", 0, 0, 0, 3e6)));
    assertThat(run.findings()).isEmpty();
  }

  @Test
  void discards_of_a_port_whose_load_is_not_known_prove_nothing() {
    run.polls(10, window -> window.grow("port.out_packets", 1e5).grow(OUT_DISCARDS, 5_000));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_host_that_runs_out_of_buffers_is_no_lossy_link() {
    run.at(HOST)
        .polls(
            10,
            large(.4)
                .andThen(
                    window -> window.grow(IN_DISCARDS, 5_000).grow("roce.out_of_buffer", 5_000)));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void it_clears_after_the_loss_ends() {
    run.polls(30, small(210).andThen(window -> window.grow(OUT_DISCARDS, 21)));
    run.polls(6 * 12, small(210));
    assertThat(run.nats()).isLessThan(SUSPECT);

    run.polls(30, large(.5).andThen(window -> window.grow(IN_ERRORS, 600_000)));
    run.polls(6 * 12, large(.5));
    assertThat(run.nats()).isLessThan(SUSPECT);
  }

  @Test
  void resets_outages_and_absent_counters_say_nothing() {
    run.poll(large(.5).andThen(window -> window.reset(OUT_DISCARDS).reset(IN_ERRORS)));
    run.poll(large(.5).andThen(window -> window.down().grow(OUT_DISCARDS, 9_000)));
    run.poll(large(.5).andThen(window -> window.grow(OUT_DISCARDS, 9_000)));
    run.poll(
        large(.5).andThen(window -> window.grow("port.link_downed", 1).grow(IN_ERRORS, 9_000)));
    run.poll(window -> {});

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void discards_of_a_half_full_port_are_congestion_where_nobody_counts_marks() {
    run.polls(20, large(.5).andThen(window -> window.grow(OUT_DISCARDS, 5_000)));
    assertThat(run.findings()).isEmpty();

    run.polls(
        20,
        large(.5)
            .andThen(window -> window.grow(OUT_DISCARDS, 5_000).grow("ecn.marked_packets", 0)));
    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void broken_frames_below_the_limit_are_a_bad_link_where_there_were_none_before() {
    // Three in 1e7 packets, a third of the limit, after a clean hour.
    run.polls(360, large(.5));
    run.polls(60, large(.5).andThen(window -> window.grow(IN_ERRORS, 18)));

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.finding().evidence().expected()).endsWith("as before");
  }

  @Test
  void a_port_that_always_had_as_many_is_not_accused_for_a_burst() {
    run.polls(2_000, large(.5).andThen(window -> window.grow(IN_ERRORS, 3)));
    run.poll(large(.5).andThen(window -> window.grow(IN_ERRORS, 40)));
    run.polls(30, large(.5).andThen(window -> window.grow(IN_ERRORS, 3)));

    assertThat(run.nats()).isLessThan(SUSPECT);
  }

  @Test
  void on_infiniband_received_errors_and_discards_count() {
    run.polls(3, window -> window.grow("port.in_packets", 6e7).grow("ib.receive_errors", 600));

    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void a_counter_that_stands_at_its_end_is_no_sign_of_health_and_none_of_loss() {
    run.polls(60, large(.5).andThen(window -> window.saturate("ib.receive_errors", 0)));

    assertThat(run.findings()).isEmpty();
  }
}
