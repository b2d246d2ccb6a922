package io.fabrichealth.detect;

import static io.fabrichealth.testing.DetectorRun.HOST;
import static io.fabrichealth.testing.DetectorRun.LEAF;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.runtime.ThresholdCatalogue;
import io.fabrichealth.testing.DetectorRun;
import io.fabrichealth.testing.FakeWindow;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LinkConservationDetectorTest {
  private static final double OPENS = 8.76;
  private static final double SUSPECT = 5;
  private static final double SECONDS = 10;

  private final DetectorRun<LinkConservationDetector.State> run =
      DetectorRun.of(
          dictionary -> new LinkConservationDetector(dictionary, ThresholdCatalogue.load()));
  private final Random random = new Random(4);
  private double rate = 5e6;
  private double backRate = 4e6;
  private double lossThere;
  private double lossBack;

  /** Seconds by which the other end's counters are older than they seem. */
  private double skew;

  private double lastSkew;
  private double lastInFlight;
  private double jitter = .3;
  private double errors;
  private double notCounted;
  private boolean drifts;
  private double highest;

  /** Both ends in turn; the host's port is the first end of the link. */
  private void polls(int times) {
    run.at(HOST);
    for (int time = 0; time < times; time++) {
      double there = rate * SECONDS;
      double back = backRate * SECONDS;
      skew = drifts ? (skew + .02) % 3 : random.nextDouble() * jitter;
      double earlier = skew - lastSkew;
      lastSkew = skew;
      double lost = there * lossThere;
      double now = random.nextGaussian() * 3;
      double inFlight = now - lastInFlight;
      lastInFlight = now;
      double broken = there * errors;
      run.poll(
          SECONDS,
          window ->
              counters(window)
                  .grow("port.out_packets", there)
                  .grow("port.in_packets", back * (1 - lossBack) + inFlight));
      run.sees(
          LEAF,
          window ->
              counters(window)
                  .grow(
                      "port.in_packets",
                      there - lost - broken - there * notCounted - earlier * rate)
                  .grow("port.in_errors", broken)
                  .grow("port.out_packets", back - earlier * backRate));
      highest = Math.max(highest, run.nats());
    }
  }

  private static FakeWindow counters(FakeWindow window) {
    return window.up().grow("port.in_errors", 0);
  }

  @Test
  void a_thousandth_that_does_not_arrive_is_found_within_five_minutes() {
    polls(30);
    assertThat(highest).isLessThan(SUSPECT);

    lossThere = 1e-3;
    polls(30);

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.cause()).isEqualTo(Cause.PACKET_LOSS);
    assertThat(run.finding().subject().id()).isEqualTo("gpu-001:mlx5_0/1--leaf1:Ethernet1/1");
    assertThat(run.finding().evidence().observed())
        .matches("[0-9,]+ of [0-9,]+ packets did not arrive .* \\((9\\..e-4|1\\..e-3)\\)");
  }

  @Test
  void the_direction_is_told_when_more_is_lost_than_the_ends_can_be_read_apart() {
    polls(30);
    lossThere = 1e-2;
    polls(90);
    assertThat(run.finding().evidence().observed())
        .contains("from gpu-001:mlx5_0/1 to leaf1:Ethernet1/1");
    assertThat(run.finding().evidence().signal()).isEqualTo("port.out_packets");
  }

  @Test
  void the_other_direction_is_seen_as_well() {
    polls(30);
    lossBack = 1e-2;
    polls(90);

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.finding().evidence().observed())
        .contains("from leaf1:Ethernet1/1 to gpu-001:mlx5_0/1");
  }

  @Test
  void loss_in_an_hour_of_a_link_that_carries_little_is_found_too() {
    rate = 120;
    backRate = 60;
    polls(30);
    lossThere = 1e-3;
    polls(200);

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.finding().evidence().observed()).contains("in one of the directions");
  }

  @Test
  void hours_without_loss_are_silent_however_the_ends_are_read() {
    polls(1_000);
    jitter = 3;
    polls(1_000);
    drifts = true;
    polls(1_000);

    assertThat(highest).isLessThan(SUSPECT);
  }

  @Test
  void what_is_counted_as_broken_is_not_silent() {
    polls(30);
    errors = 1e-3;
    polls(120);

    assertThat(highest).isLessThan(SUSPECT);
  }

  @Test
  void what_the_ends_count_differently_from_the_start_is_no_loss_below_a_floor() {
    notCounted = 2e-3;
    polls(360);
    assertThat(highest).isLessThan(SUSPECT);
  }

  @Test
  void but_above_the_floor_it_is() {
    lossThere = 3e-2;
    polls(60);

    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void a_link_without_traffic_back_is_judged_by_what_no_skew_explains() {
    backRate = 0;
    drifts = true;
    polls(600);
    assertThat(highest).isLessThan(SUSPECT);

    drifts = false;
    lossThere = 2e-2;
    polls(200);
    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void a_loss_is_not_forgotten_while_it_goes_on_and_ends_when_it_does() {
    polls(60);
    lossThere = 1e-3;
    polls(3_000);
    assertThat(run.nats()).isGreaterThan(OPENS);

    lossThere = 0;
    polls(60);
    assertThat(run.nats()).isZero();
    highest = 0;
    polls(300);
    assertThat(highest).isLessThan(SUSPECT);
  }

  @Test
  void counters_that_begin_anew_begin_the_judgement_anew() {
    polls(30);
    for (int time = 0; time < 20; time++) {
      // The leaf restarts: what it received since it was last read is gone.
      run.sees(LEAF, window -> counters(window).restart("port.in_packets"));
      polls(6);
    }

    assertThat(highest).isLessThan(SUSPECT);
  }

  @Test
  void counters_that_wrap_unknown_to_anyone_do_not_hide_a_loss() {
    polls(30);
    lossThere = 1e-3;
    for (int time = 0; time < 6; time++) {
      run.sees(LEAF, window -> counters(window).restart("port.in_packets"));
      polls(15);
    }

    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void a_job_that_pauses_between_two_readings_is_no_loss_and_hides_none() {
    pausing(1_500);
    assertThat(highest).isLessThan(SUSPECT);

    lossThere = 1e-3;
    pausing(360);
    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  /**
   * The traffic stops for some seconds every few minutes, in one direction longer than the other.
   */
  private void pausing(int times) {
    for (int time = 0; time < times; time += 25) {
      polls(23);
      double usual = rate;
      double usualBack = backRate;
      rate = usual * (.3 + .6 * random.nextDouble());
      backRate = usualBack * (.3 + .6 * random.nextDouble());
      polls(2);
      rate = usual;
      backRate = usualBack;
    }
  }

  @Test
  void gaps_outages_and_a_peer_that_is_not_read_are_no_loss() {
    polls(30);
    for (int time = 0; time < 10; time++) {
      run.poll(
          90,
          window ->
              counters(window)
                  .grow("port.out_packets", 90 * rate)
                  .grow("port.in_packets", 90 * backRate));
      run.sees(
          LEAF,
          window ->
              counters(window)
                  .grow("port.in_packets", 90 * rate)
                  .grow("port.out_packets", 90 * backRate));
      polls(3);
      run.poll(window -> window.down());
      polls(3);
      run.poll(window -> counters(window).grow("port.link_downed", 1));
      polls(3);
      run.poll(window -> {});
    }

    assertThat(highest).isLessThan(SUSPECT);
  }
}
