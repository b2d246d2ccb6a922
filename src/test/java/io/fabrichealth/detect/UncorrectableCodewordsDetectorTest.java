package io.fabrichealth.detect;

import static io.fabrichealth.testing.DetectorRun.HOST;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.runtime.ThresholdCatalogue;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.testing.DetectorRun;
import io.fabrichealth.testing.FakeWindow;
import org.junit.jupiter.api.Test;

class UncorrectableCodewordsDetectorTest {
  /** Beyond this, the prior of a link is overcome and an incident opens. */
  private static final double OPENS = 8.76;

  private static final String UNCORRECTABLE = "fec.uncorrectable_codewords";

  private final DetectorRun<UncorrectableCodewordsDetector.State> run =
      DetectorRun.of(UncorrectableCodewordsDetectorTest::detector);

  private static UncorrectableCodewordsDetector detector(SignalDictionary dictionary) {
    return new UncorrectableCodewordsDetector(dictionary, ThresholdCatalogue.load());
  }

  @Test
  void a_burst_of_uncorrectable_codewords_speaks_for_a_bad_link_at_once() {
    run.polls(3, window -> window.grow(UNCORRECTABLE, 0));
    assertThat(run.findings()).isEmpty();

    run.poll(window -> window.grow(UNCORRECTABLE, 160));

    assertThat(run.nats()).isGreaterThan(15);
    assertThat(run.cause()).isEqualTo(Cause.PHY_LINK);
    assertThat(run.finding().family()).isEqualTo(Family.PHY);
    assertThat(run.finding().evidence().observed()).startsWith("160 uncorrectable codewords in ");
    assertThat(run.finding().evidence().expected()).isEqualTo("at most 2.9 in 12 min at 400 Gb/s");
    assertThat(run.finding().evidence().source()).isEqualTo("snmp leaf1");
  }

  @Test
  void an_outage_that_only_the_peer_shows_excuses_errors_however_wrong_its_clock() {
    for (int poll = 0; poll < 3; poll++) {
      run.sees(HOST, window -> window.skewed(3600).up().grow("port.link_downed", 1));
      run.poll(window -> window.grow(UNCORRECTABLE, 300));
    }

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void an_outage_that_the_peer_showed_long_ago_excuses_nothing() {
    run.sees(HOST, window -> window.skewed(120).up().grow("port.link_downed", 1));
    run.poll(120, window -> window.grow(UNCORRECTABLE, 300));

    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void a_trickle_above_the_limit_is_found_by_the_long_memory() {
    // One in 90 s at 400G is 2.8e-14 a bit, almost three times the limit.
    for (int poll = 0; poll < 6 * 360; poll++) {
      int due = poll % 9 == 0 ? 1 : 0;
      run.poll(window -> window.grow(UNCORRECTABLE, due));
    }

    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void a_trickle_that_the_limit_allows_is_none() {
    // One in 21 minutes at 400G is 2e-15 a bit; allowed is 1e-14.
    double most = 0;
    for (int poll = 0; poll < 6 * 60 * 24; poll++) {
      int due = poll % 126 == 0 ? 1 : 0;
      run.poll(window -> window.grow(UNCORRECTABLE, due));
      most = Math.max(most, run.nats());
    }

    assertThat(most).isLessThan(5.8);
  }

  @Test
  void a_few_errors_at_once_are_no_incident_on_the_first_poll_or_later() {
    run.poll(window -> window.grow(UNCORRECTABLE, 4));
    assertThat(run.nats()).isLessThan(OPENS);

    DetectorRun<UncorrectableCodewordsDetector.State> later =
        DetectorRun.of(UncorrectableCodewordsDetectorTest::detector);
    later.polls(60, window -> window.grow(UNCORRECTABLE, 0));
    later.poll(window -> window.grow(UNCORRECTABLE, 4));
    assertThat(later.nats()).isLessThan(5.8);
  }

  @Test
  void the_same_count_weighs_less_over_a_longer_exposure() {
    run.poll(10, window -> window.grow(UNCORRECTABLE, 12));
    DetectorRun<UncorrectableCodewordsDetector.State> gap =
        DetectorRun.of(UncorrectableCodewordsDetectorTest::detector);
    gap.poll(1800, window -> window.grow(UNCORRECTABLE, 12));

    assertThat(gap.nats()).isLessThan(run.nats() - 2);
  }

  @Test
  void the_same_count_weighs_more_at_a_lower_speed() {
    run.poll(600, window -> window.grow(UNCORRECTABLE, 8));
    DetectorRun<UncorrectableCodewordsDetector.State> slow =
        DetectorRun.of(UncorrectableCodewordsDetectorTest::detector);
    slow.poll(
        600, window -> window.gauge("port.speed_bits_per_second", 100e9).grow(UNCORRECTABLE, 8));

    assertThat(slow.nats()).isGreaterThan(run.nats() + 1);
  }

  @Test
  void one_lane_that_stands_out_is_named() {
    double laneBits = DetectorRun.SPEED / 4 * 10;
    run.polls(
        2,
        window ->
            window
                .grow(UNCORRECTABLE, 30)
                .grows(
                    "fec.corrected_bits",
                    1e-8 * laneBits,
                    2e-8 * laneBits,
                    1.5e-4 * laneBits,
                    1e-8 * laneBits));

    assertThat(run.cause()).isEqualTo(Cause.PHY_LANE);
    assertThat(run.finding().evidence().subject()).isEqualTo(Subject.lane(DetectorRun.LEAF, 2));
    assertThat(run.finding().subject().id()).isEqualTo("gpu-001:mlx5_0/1--leaf1:Ethernet1/1");
  }

  @Test
  void a_lane_that_errs_more_than_the_others_but_little_is_not_blamed() {
    double laneBits = DetectorRun.SPEED / 4 * 10;
    run.polls(
        2,
        window ->
            window
                .grow(UNCORRECTABLE, 30)
                .grows(
                    "fec.corrected_bits",
                    1e-9 * laneBits,
                    1e-9 * laneBits,
                    2e-7 * laneBits,
                    1e-9 * laneBits));

    assertThat(run.cause()).isEqualTo(Cause.PACKET_LOSS);
    assertThat(run.finding().evidence().subject()).isEqualTo(Subject.of(DetectorRun.LEAF));
  }

  @Test
  void it_clears_after_the_errors_end() {
    run.polls(30, window -> window.grow(UNCORRECTABLE, 5_000));
    assertThat(run.nats()).isGreaterThan(15);

    run.polls(6 * 12, window -> window.grow(UNCORRECTABLE, 0));

    assertThat(run.nats()).isLessThan(5.8);
  }

  @Test
  void a_counter_that_reaches_its_end_says_or_more_and_then_nothing() {
    run.poll(window -> window.saturate("ib.symbol_errors", 60_000));
    assertThat(run.nats()).isGreaterThan(15);
    assertThat(run.finding().evidence().observed()).startsWith("60,000 or more symbol errors");

    // It cannot move any more: what was seen fades, and is not refuted.
    UncorrectableCodewordsDetector.State before = run.state();
    run.poll(window -> window.saturate("ib.symbol_errors", 0));
    assertThat(run.state().memories().get(1).quiet()).isEqualTo(before.memories().get(1).quiet());
  }

  @Test
  void a_reset_or_a_counter_that_is_not_there_says_nothing() {
    run.poll(window -> window.reset(UNCORRECTABLE));
    run.poll(window -> window.unsupported("ib.symbol_errors"));
    run.poll(window -> {});

    assertThat(run.findings()).isEmpty();
    assertThat(run.state().memories()).allMatch(memory -> memory.recentExposure() == 0);
  }

  @Test
  void errors_while_the_link_comes_up_do_not_count() {
    run.poll(FakeWindow::down);
    run.poll(window -> window.grow(UNCORRECTABLE, 9_000));
    run.poll(window -> window.grow("port.link_downed", 1).grow(UNCORRECTABLE, 9_000));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void errors_do_not_count_while_the_other_end_reports_an_outage() {
    run.poll(window -> window.grow(UNCORRECTABLE, 0));
    run.sees(HOST, window -> window.up().grow("port.link_downed", 1));
    run.poll(window -> window.grow(UNCORRECTABLE, 9_000));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_port_without_a_speed_is_held_to_the_widest_limit() {
    run.poll(
        window -> window.gauge("port.speed_bits_per_second", Double.NaN).grow(UNCORRECTABLE, 160));

    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void lost_codewords_at_a_ratio_at_which_noise_loses_none_make_a_lossy_link() {
    run.polls(
        3,
        window ->
            window
                .grow(UNCORRECTABLE, 40)
                .grow("fec.corrected_bits", 1e-6 * DetectorRun.SPEED * 10));

    assertThat(run.cause()).isEqualTo(Cause.PACKET_LOSS);
    assertThat(run.finding().evidence().observed())
        .endsWith(", in bursts: 1.0e-6 errors per bit before FEC");
  }

  @Test
  void lost_codewords_that_noise_explains_are_those_of_a_bad_link() {
    run.polls(
        3,
        window ->
            window
                .grow(UNCORRECTABLE, 40)
                .grow("fec.corrected_bits", 4e-4 * DetectorRun.SPEED * 10));

    assertThat(run.cause()).isEqualTo(Cause.PHY_LINK);
    assertThat(run.finding().evidence().observed()).doesNotContain("bursts");
  }

  @Test
  void where_nothing_tells_the_ratio_packets_lost_beside_them_say_that_the_link_is_lossy() {
    run.polls(3, window -> window.grow(UNCORRECTABLE, 40).grow("port.in_errors", 90));

    assertThat(run.cause()).isEqualTo(Cause.PACKET_LOSS);
  }

  @Test
  void the_first_burst_of_a_counter_that_stood_at_zero_counts_and_one_lone_codeword_is_none() {
    run.poll(window -> window.grow(UNCORRECTABLE, 0));
    run.poll(window -> window.grow(UNCORRECTABLE, 1));
    assertThat(run.nats()).isLessThan(5.8);

    run.polls(60, window -> window.grow(UNCORRECTABLE, 0));
    run.poll(window -> window.grow(UNCORRECTABLE, 500));
    assertThat(run.nats()).isGreaterThan(OPENS);
  }
}
