package io.fabrichealth.detect;

import static io.fabrichealth.testing.DetectorRun.HOST;
import static io.fabrichealth.testing.DetectorRun.LEAF;
import static io.fabrichealth.testing.DetectorRun.SPEED;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.runtime.ThresholdCatalogue;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.testing.DetectorRun;
import io.fabrichealth.testing.FakeWindow;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.DoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PreFecBerDetectorTest {
  private static final double OPENS = 8.76;
  private static final Thresholds THRESHOLDS = ThresholdCatalogue.load();
  private static final CohortsDetector COHORTS =
      new CohortsDetector(DetectorRun.DICTIONARY, THRESHOLDS);
  private static final double POLL_BITS = DetectorRun.SPEED * 10;

  private final DetectorRun<PreFecBerDetector.State> run =
      DetectorRun.of(PreFecBerDetectorTest::detector);

  private static PreFecBerDetector detector(SignalDictionary dictionary) {
    return new PreFecBerDetector(dictionary, THRESHOLDS, COHORTS);
  }

  private static Consumer<FakeWindow> lanes(double... ratios) {
    double laneBits = POLL_BITS / ratios.length;
    double[] errors = Arrays.stream(ratios).map(ratio -> ratio * laneBits).toArray();
    return window -> window.grows("fec.corrected_bits", errors);
  }

  @Test
  void one_dirty_lane_is_named_with_what_the_others_show() {
    run.polls(2, lanes(1e-8, 2e-8, 1e-8, 1.5e-4, 1e-8, 3e-8, 1e-8, 1e-8));

    assertThat(run.nats()).isGreaterThan(15);
    assertThat(run.cause()).isEqualTo(Cause.PHY_LANE);
    assertThat(run.finding().evidence().subject()).isEqualTo(Subject.lane(LEAF, 3));
    assertThat(run.finding().evidence().observed())
        .isEqualTo(
            "1.5e-4 errors per bit before FEC on lane 3, 1.0e-8 on the others; margin 0.3 dB");
    assertThat(run.finding().evidence().expected()).isEqualTo("below 1.0e-5 (RS544, optical)");
  }

  @Test
  void a_lane_that_has_always_erred_more_than_its_siblings_is_healthy_below_the_limit() {
    run.polls(60, lanes(1e-9, 1e-9, 2e-7, 1e-9));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void all_lanes_over_the_limit_are_the_link() {
    run.polls(2, lanes(4e-5, 5e-5, 3e-5, 6e-5));

    assertThat(run.cause()).isEqualTo(Cause.PHY_LINK);
    assertThat(run.finding().evidence().subject()).isEqualTo(Subject.of(LEAF));
    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void at_the_limit_it_is_about_even_and_half_as_much_again_opens() {
    run.polls(30, lanes(1e-5, 1e-5, 1e-5, 1e-5));
    assertThat(run.nats()).isBetween(4.0, 7.0);

    run.polls(30, lanes(1.5e-5, 1.5e-5, 1.5e-5, 1.5e-5));
    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void half_the_limit_is_no_matter() {
    run.polls(60, lanes(5e-6, 5e-6, 5e-6, 5e-6));

    assertThat(run.nats()).isLessThan(2);
  }

  @Test
  void a_step_is_found_within_three_polls_after_a_long_healthy_time() {
    run.polls(360, lanes(1e-7, 1e-7, 1e-7, 1e-7));
    run.polls(3, lanes(1e-7, 1e-7, 1e-4, 1e-7));

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.cause()).isEqualTo(Cause.PHY_LANE);
  }

  @Test
  void a_single_reading_is_at_most_suspect() {
    run.poll(lanes(1e-8, 1e-3, 1e-8, 1e-8));

    assertThat(run.nats()).isBetween(1.0, 5.8);
  }

  @Test
  void it_clears_a_few_minutes_after_the_connector_was_cleaned() {
    run.polls(60, lanes(1e-8, 1e-3, 1e-8, 1e-8));
    run.polls(6 * 7, lanes(1e-8, 1e-8, 1e-8, 1e-8));

    assertThat(run.findings()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    // speed of a lane, FEC, media, what opens, what does not
    "8, RS544, OPTICAL, 3e-5, 3e-6",
    "8, RS544, UNKNOWN, 3e-5, 3e-6",
    "4, RS544, DAC, 3e-7, 3e-8",
    "4, RS272, DAC, 3e-6, 3e-7",
    "8, RS271, OPTICAL, 3e-7, 3e-8",
    "16, RS528, DAC, 3e-9, 3e-10",
    "2, RS544, OPTICAL, 6e-4, 6e-5",
    "0, UNKNOWN, UNKNOWN, 3e-5, 3e-6"
  })
  void the_limit_follows_speed_fec_and_media(
      int width, FecMode fec, Media media, double bad, double good) {
    DetectorRun<PreFecBerDetector.State> healthy =
        DetectorRun.of(PreFecBerDetectorTest::detector)
            .in(DetectorRun.fabric(HOST, width, fec, media, true));
    run.in(DetectorRun.fabric(HOST, width, fec, media, true));
    healthy.polls(20, window -> window.grow("fec.corrected_bits", good * POLL_BITS));
    run.polls(20, window -> window.grow("fec.corrected_bits", bad * POLL_BITS));

    assertThat(healthy.nats()).isLessThan(2);
    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void the_histogram_of_codewords_tells_the_ratio() {
    // 400G: 78.1 million codewords a second; 4e-5 errors a bit are .22 symbols a codeword.
    double codewords = 7.81e8;
    run.polls(
        2,
        window ->
            window.grows(
                "fec.codewords_by_symbol_errors",
                codewords * .804,
                codewords * .175,
                codewords * .019,
                codewords * .002));

    assertThat(run.finding().evidence().signal()).isEqualTo("fec.codewords_by_symbol_errors");
    assertThat(run.finding().evidence().observed()).startsWith("4.0e-5 errors");
    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void corrected_codewords_alone_tell_the_ratio() {
    double codewords = 7.8125e8;
    run.polls(2, window -> window.grow("fec.corrected_codewords", codewords * .2));

    assertThat(run.finding().evidence().observed()).startsWith("4.1e-5 errors");
    assertThat(run.cause()).isEqualTo(Cause.PHY_LINK);
  }

  @Test
  void a_gauge_tells_the_ratio_and_one_that_is_no_ratio_tells_nothing() {
    run.polls(2, window -> window.gauge("fec.pre_fec_ber", 5e-5));
    assertThat(run.nats()).isGreaterThan(OPENS);

    for (double nonsense : new double[] {Double.NaN, -1, 530, Double.POSITIVE_INFINITY}) {
      DetectorRun<PreFecBerDetector.State> other = DetectorRun.of(PreFecBerDetectorTest::detector);
      other.polls(5, window -> window.gauge("fec.pre_fec_ber", nonsense));
      assertThat(other.findings()).isEmpty();
    }
  }

  @Test
  void lane_gauges_name_the_lane_and_skip_a_lane_that_is_not_readable() {
    run.polls(2, window -> window.gauges("fec.lane_pre_fec_ber", 1e-8, Double.NaN, 8e-5, 1e-8));

    assertThat(run.cause()).isEqualTo(Cause.PHY_LANE);
    assertThat(run.finding().evidence().subject()).isEqualTo(Subject.lane(LEAF, 2));
  }

  @Test
  void lanes_that_count_nothing_do_not_hide_what_the_total_counts() {
    run.polls(
        2,
        window ->
            window
                .grows("fec.corrected_bits", 0, 0, 0, 0)
                .grows("fec.codewords_by_symbol_errors", 7.81e8 * .8, 7.81e8 * .2));

    assertThat(run.cause()).isEqualTo(Cause.PHY_LINK);
    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void a_lane_whose_neighbours_are_not_read_is_compared_with_none() {
    run.polls(2, window -> window.gauges("fec.lane_pre_fec_ber", Double.NaN, 2e-3, Double.NaN));

    assertThat(run.finding().evidence().observed())
        .isEqualTo("2.0e-3 errors per bit before FEC on lane 1; margin -1.7 dB");
  }

  @Test
  void dim_light_on_the_bad_lane_is_listed_beside_it_and_alone_it_is_nothing() {
    Consumer<FakeWindow> dim =
        window -> window.gauges("optics.rx_power_dbm", -1.2, -4.8, -1.0, -1.3);
    run.polls(5, lanes(1e-8, 1e-8, 1e-8, 1e-8).andThen(dim));
    assertThat(run.findings()).isEmpty();

    run.polls(2, lanes(1e-8, 2e-3, 1e-8, 1e-8).andThen(dim));

    assertThat(run.findings()).hasSize(2);
    assertThat(run.findings().getLast().evidence().observed())
        .isEqualTo("-4.8 dBm on lane 1, 3.6 dB below the others");
  }

  @Test
  void a_lane_without_light_is_an_absent_value_and_no_dim_lane() {
    run.polls(
        3,
        lanes(1e-8, 2e-3, 1e-8, 1e-8)
            .andThen(window -> window.gauges("optics.rx_power_dbm", -1.2, Double.NaN, -1, -1)));

    assertThat(run.findings()).hasSize(1);
  }

  @Test
  void errors_while_the_link_comes_up_do_not_count() {
    run.poll(lanes(1e-8, 1e-8, 1e-8, 1e-8));
    run.poll(lanes(1e-2, 1e-2, 1e-2, 1e-2).andThen(FakeWindow::down));
    run.poll(lanes(1e-2, 1e-2, 1e-2, 1e-2));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void without_a_speed_it_stays_silent_rather_than_guess() {
    DetectorRun<PreFecBerDetector.State> unknown =
        DetectorRun.of(PreFecBerDetectorTest::detector)
            .in(
                Fabric.builder()
                    .device(Device.of("leaf1", Role.LEAF))
                    .link(Link.half(LEAF, null))
                    .build());
    unknown.polls(
        3,
        window ->
            window
                .gauge("port.speed_bits_per_second", Double.NaN)
                .grow("fec.corrected_bits", 1e12));

    assertThat(unknown.findings()).isEmpty();
  }

  @Test
  void a_missed_poll_is_one_longer_exposure() {
    run.polls(10, lanes(1e-7, 1e-7, 1e-7, 1e-7));
    run.poll(
        60,
        window -> window.grows("fec.corrected_bits", 6e-7 * POLL_BITS / 4, 6e-7 * POLL_BITS / 4));

    assertThat(run.findings()).isEmpty();
  }

  // --- against what is usual

  private void hours(double hours, DoubleFunction<Consumer<FakeWindow>> at) {
    for (double hour = 0; hour < hours; hour += 1.0 / 60) {
      run.poll(60, at.apply(hour));
    }
  }

  private static Consumer<FakeWindow> lanesOfMinute(double... ratios) {
    double laneBits = SPEED * 60 / ratios.length;
    double[] errors = Arrays.stream(ratios).map(ratio -> ratio * laneBits).toArray();
    return window -> window.grows("fec.corrected_bits", errors);
  }

  @Test
  void a_lane_that_leaves_its_place_is_named_long_before_its_limit() {
    hours(10, hour -> lanesOfMinute(3e-9, 1e-9, 2e-8, 5e-9));
    assertThat(run.findings()).isEmpty();

    hours(40, hour -> lanesOfMinute(3e-9, 1e-9 * Math.pow(10, .05 * hour), 2e-8, 5e-9));

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.cause()).isEqualTo(Cause.PHY_LANE);
    assertThat(run.finding().evidence().subject()).isEqualTo(Subject.lane(LEAF, 1));
    assertThat(run.finding().evidence().reference()).isEqualTo(Reference.HISTORY);
  }

  @Test
  void a_lane_that_drifts_from_1e_minus_4_is_named_a_day_before_the_first_lost_codeword() {
    // At .05 decades an hour, codewords are lost after 28 hours.
    run.polls(3, lanesOfMinute(1e-8, 2e-8, 1e-4, 1e-8));

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.cause()).isEqualTo(Cause.PHY_LANE);
  }

  @Test
  void the_course_of_a_day_on_all_lanes_is_no_fault_with_or_without_a_temperature() {
    for (boolean told : new boolean[] {true, false}) {
      hours(
          48,
          hour -> {
            double wave = Math.sin(2 * Math.PI * hour / 24);
            double warmth = Math.pow(10, .5 * wave);
            Consumer<FakeWindow> read =
                lanesOfMinute(2e-8 * warmth, 4e-7 * warmth, 1e-7 * warmth, 3e-8 * warmth);
            return told
                ? read.andThen(w -> w.gauge("optics.module_temperature_celsius", 50 + 5 * wave))
                : read;
          });
      assertThat(run.findings()).isEmpty();
    }
  }

  @Test
  void a_step_on_all_lanes_is_the_link_within_three_polls_though_below_the_limit() {
    run.polls(60, lanes(1e-8, 2e-8, 5e-9, 1e-8));
    run.poll(lanes(1e-6, 2e-6, 5e-7, 1e-6));
    assertThat(run.nats()).isLessThan(5.8);
    run.polls(2, lanes(1e-6, 2e-6, 5e-7, 1e-6));

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.cause()).isEqualTo(Cause.PHY_LINK);
    assertThat(run.finding().evidence().observed()).contains("margin 3.0 dB");
  }

  @Test
  void a_step_that_the_module_makes_by_getting_warmer_is_none() {
    Consumer<FakeWindow> cool = window -> window.gauge("optics.module_temperature_celsius", 45);
    Consumer<FakeWindow> warm = window -> window.gauge("optics.module_temperature_celsius", 57);
    run.polls(60, lanes(1e-8, 1e-8, 1e-8, 1e-8).andThen(cool));
    run.polls(10, lanes(1.2e-7, 1.2e-7, 1.2e-7, 1.2e-7).andThen(warm));

    assertThat(run.nats()).isLessThan(2);
  }

  @Test
  void a_burst_in_one_poll_is_no_change() {
    run.polls(60, lanes(1e-8, 1e-8, 1e-8, 1e-8));
    run.poll(lanes(1e-8, 1e-6, 1e-8, 1e-8));
    for (int poll = 0; poll < 20; poll++) {
      run.poll(lanes(1e-8, 1e-8, 1e-8, 1e-8));
      assertThat(run.nats()).isLessThan(5.8);
    }
  }

  @Test
  void after_an_outage_it_learns_anew_what_is_usual() {
    run.polls(60, lanes(1e-9, 1e-9, 1e-9, 1e-9));
    run.poll(FakeWindow::down);
    run.polls(60, lanes(1e-7, 1e-7, 1e-7, 1e-7));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_step_of_totals_only_or_of_a_gauge_only_is_the_link_too_and_says_what_it_had() {
    double codewords = 7.8125e8;
    run.polls(30, window -> window.grow("fec.corrected_codewords", codewords * 5440 * 1e-8));
    run.polls(3, window -> window.grow("fec.corrected_codewords", codewords * 5440 * 1e-6));
    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.finding().evidence().signal()).isEqualTo("fec.corrected_codewords");

    DetectorRun<PreFecBerDetector.State> gauge = DetectorRun.of(PreFecBerDetectorTest::detector);
    gauge.polls(30, window -> window.gauge("fec.pre_fec_ber", 1e-8));
    gauge.polls(3, window -> window.gauge("fec.pre_fec_ber", 1e-6));
    assertThat(gauge.nats()).isGreaterThan(OPENS);
    assertThat(gauge.finding().evidence().signal()).isEqualTo("fec.pre_fec_ber");
  }

  // --- against its kind

  private static Fabric fabricOf(String partNumber) {
    return Fabric.builder()
        .device(Device.of("leaf1", Role.LEAF))
        .device(Device.of("gpu-001", Role.HOST))
        .port(
            new Port(
                LEAF,
                (long) SPEED,
                8,
                FecMode.RS544,
                Media.OPTICAL,
                partNumber,
                9216,
                true,
                List.of()))
        .link(Link.between(LEAF, HOST, Tier.HOST_LEAF, null))
        .build();
  }

  private static CohortsDetector.State noisy(double logRatio) {
    return new CohortsDetector.State(
        new String[] {"NOISY-1 400000000000 RS544"},
        new int[] {40},
        new double[] {logRatio},
        new double[] {.1},
        new double[] {CohortsDetector.State.UNKNOWN},
        new double[] {0},
        5);
  }

  @Test
  void a_part_number_that_is_always_noisy_is_silent_as_long_as_the_margin_is_good() {
    run.in(fabricOf("NOISY-1")).knowing(COHORTS, noisy(-4.9));
    run.polls(60, lanes(1e-5, 2e-5, 8e-6, 1.2e-5));
    assertThat(run.nats()).isLessThan(2);

    run.polls(12, lanes(8e-5, 1.6e-4, 6e-5, 1e-4));

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.cause()).isEqualTo(Cause.PHY_LINK);
  }

  @Test
  void no_part_number_is_noisy_enough_to_excuse_a_lost_margin() {
    run.in(fabricOf("NOISY-1")).knowing(COHORTS, noisy(-4));
    run.polls(5, lanes(1e-4, 1e-4, 1e-4, 1e-4));

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.finding().evidence().expected()).contains("40 others of NOISY-1");
  }

  @Test
  void until_a_cohort_can_be_known_a_ratio_with_a_good_margin_is_at_most_suspect() {
    run.in(fabricOf("NOISY-1"));
    run.polls(6, lanes(2e-5, 2e-5, 2e-5, 2e-5));
    assertThat(run.nats()).isLessThan(5.8);

    run.polls(12, lanes(2e-5, 2e-5, 2e-5, 2e-5));
    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void one_of_many_that_is_far_from_its_kind_is_said_to_be() {
    run.in(fabricOf("NOISY-1")).knowing(COHORTS, noisy(-8));
    run.polls(5, lanes(2e-5, 2e-5, 2e-5, 2e-5));

    assertThat(run.findings())
        .anyMatch(finding -> finding.evidence().reference() == Reference.PEERS);
  }
}
