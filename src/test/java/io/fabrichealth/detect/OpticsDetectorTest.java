package io.fabrichealth.detect;

import static io.fabrichealth.testing.DetectorRun.HOST;
import static io.fabrichealth.testing.DetectorRun.LEAF;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.runtime.ThresholdCatalogue;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.testing.DetectorRun;
import io.fabrichealth.testing.FakeWindow;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Media;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpticsDetectorTest {
  private static final double OPENS = 8.76;
  private static final double SUSPECT = 5.8;
  private static final double[] RX = {-1.2, -0.9, -1.6, -1.3};
  private static final double[] TX = {0.8, 1.0, 0.7, 0.9};

  private final Random random = new Random(1);
  private final DetectorRun<OpticsDetector.State> run =
      DetectorRun.of(OpticsDetectorTest::detector);

  private static OpticsDetector detector(SignalDictionary dictionary) {
    return new OpticsDetector(
        dictionary,
        ThresholdCatalogue.load(),
        new CohortsDetector(dictionary, ThresholdCatalogue.load()));
  }

  /** Light received, with what noise monitors have, less the loss of each lane. */
  private Consumer<FakeWindow> rx(double... loss) {
    double[] levels = new double[RX.length];
    Arrays.setAll(
        levels, lane -> RX[lane] - loss[lane % loss.length] + .05 * random.nextGaussian());
    return window -> window.gauges("optics.rx_power_dbm", levels);
  }

  private static Consumer<FakeWindow> tx(double loss) {
    return window ->
        window.gauges(
            "optics.tx_power_dbm", Arrays.stream(TX).map(level -> level - loss).toArray());
  }

  private static Consumer<FakeWindow> bias(double factor) {
    return window -> window.gauges("optics.tx_bias_milliamperes", 60 * factor, 60, 60, 60);
  }

  /** The other end, as it was last read. */
  private void far(double rxLoss, double txLoss) {
    run.sees(HOST, rx(rxLoss).andThen(tx(txLoss)).andThen(FakeWindow::up));
  }

  @Test
  void less_light_on_one_side_is_dirt_there() {
    far(0, 0);
    run.polls(10, rx(0));
    far(0, 0);
    run.polls(2, rx(3));

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.cause()).isEqualTo(Cause.OPTICS_CONTAMINATION);
    assertThat(run.finding().subject().id()).isEqualTo("gpu-001:mlx5_0/1--leaf1:Ethernet1/1");
    assertThat(run.finding().evidence().observed())
        .contains("less light on all lanes of leaf1:Ethernet1/1 from gpu-001:mlx5_0/1")
        .endsWith("; the far end sends as before");
  }

  @Test
  void less_light_on_one_lane_names_it() {
    run.polls(10, rx(0));
    run.polls(2, rx(0, 0, 2.5, 0));

    assertThat(run.cause()).isEqualTo(Cause.OPTICS_CONTAMINATION);
    assertThat(run.finding().evidence().subject()).isEqualTo(Subject.lane(LEAF, 2));
    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void less_light_both_ways_is_the_fibre() {
    far(0, 0);
    run.polls(10, rx(0));
    far(3, 0);
    run.polls(2, rx(3));

    assertThat(run.cause()).isEqualTo(Cause.PHY_LINK);
    assertThat(run.finding().evidence().observed()).contains("dB less too");
  }

  @Test
  void less_light_because_the_far_end_sends_less_is_its_laser() {
    far(0, 0);
    run.polls(10, rx(0));
    far(0, 3);
    run.polls(2, rx(3));

    assertThat(run.cause()).isEqualTo(Cause.OPTICS_FAILING);
    assertThat(run.finding().evidence().observed()).contains("the far end sends 3.0 dB less");
  }

  @Test
  void a_laser_that_gives_less_light_for_more_current_decays() {
    run.polls(10, rx(0).andThen(tx(0)).andThen(bias(1)));
    run.polls(2, rx(0).andThen(tx(1.4)).andThen(bias(1.3)));

    assertThat(run.cause()).isEqualTo(Cause.OPTICS_FAILING);
    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.finding().evidence().observed()).contains("more current");
  }

  @Test
  void light_that_comes_and_goes_is_a_loose_module() {
    run.polls(10, rx(0));
    for (int time = 0; time < 3; time++) {
      run.polls(3, rx(3));
      run.polls(3, rx(0));
    }

    assertThat(run.cause()).isEqualTo(Cause.PHY_LINK);
    assertThat(run.finding().evidence().observed()).contains("loose");
  }

  @Test
  void a_module_that_is_too_hot_is_failing() {
    run.polls(5, rx(0).andThen(window -> window.gauge("optics.module_temperature_celsius", 88)));

    assertThat(run.cause()).isEqualTo(Cause.OPTICS_FAILING);
  }

  @Test
  void what_was_found_holds_between_two_readings_of_the_module_and_clears_with_the_light() {
    run.polls(10, rx(0));
    run.polls(2, rx(3));
    run.polls(5, window -> {});
    assertThat(run.nats()).isGreaterThan(OPENS);

    run.poll(rx(0));
    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_single_low_reading_is_at_most_suspect() {
    run.polls(10, rx(0));
    run.poll(rx(4));

    assertThat(run.nats()).isLessThan(SUSPECT);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-2, 2})
  void no_false_positive_when_a_module_reads_two_decibels_off_for_ever(double off) {
    far(0, 0);
    for (int poll = 0; poll < 500; poll++) {
      run.poll(rx(off));
      assertThat(run.findings()).isEmpty();
    }
  }

  @Test
  void no_false_positive_when_the_light_follows_the_day() {
    for (int minute = 0; minute < 2 * 1440; minute++) {
      double wave = .4 * Math.sin(2 * Math.PI * minute / 1440);
      run.poll(60, rx(wave).andThen(tx(wave / 2)).andThen(bias(1 + wave / 10)));
      assertThat(run.findings()).isEmpty();
    }
  }

  @Test
  void no_false_positive_when_the_link_is_down_or_set_down_or_was() {
    run.polls(10, rx(0));
    run.polls(5, rx(25).andThen(FakeWindow::down));
    assertThat(run.findings()).isEmpty();
    // Another module was put in.
    run.polls(10, rx(2.5));
    assertThat(run.findings()).isEmpty();

    DetectorRun<OpticsDetector.State> off =
        DetectorRun.of(OpticsDetectorTest::detector)
            .in(DetectorRun.fabric(HOST, 8, FecMode.RS544, Media.OPTICAL, false));
    off.polls(10, rx(0));
    off.polls(5, rx(9));
    assertThat(off.findings()).isEmpty();
  }

  @Test
  void no_false_positive_when_lanes_are_not_read_any_more() {
    run.polls(10, rx(0));
    run.polls(
        5, window -> window.gauges("optics.rx_power_dbm", Double.NaN, RX[1], Double.NaN, RX[3]));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void what_nobody_reads_any_more_is_not_held_against_the_link_for_ever() {
    run.polls(10, rx(0));
    run.polls(2, rx(3));
    run.polls(6 * 31, window -> {});

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_lane_far_below_its_siblings_is_doubtful_and_farther_is_worth_a_look() {
    run.polls(5, rx(0, 0, 3.8, 0));
    assertThat(run.nats()).isBetween(2.0, SUSPECT);

    DetectorRun<OpticsDetector.State> worse = DetectorRun.of(OpticsDetectorTest::detector);
    worse.polls(5, rx(0, 0, 9, 0));
    assertThat(worse.nats()).isGreaterThan(OPENS);
  }

  @Test
  void a_port_without_optics_costs_no_state() {
    OpticsDetector.State before = run.state();
    run.polls(3, window -> {});

    assertThat(run.state()).isSameAs(before);
  }
}
