package io.fabrichealth.detect.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class SlopeStepTest {
  private static final double PACKETS = 2_000;
  private static final double THRESHOLD = 27.3;
  private static final double HEALTHY = 1e-4;

  /** Sums over so many polls: what is missing in each of them, and where the reading is off. */
  private static Trail trail(
      int room, int polls, IntToDoubleFunction missing, IntToDoubleFunction off) {
    Trail trail = Trail.begin(2, room);
    double before = 0;
    for (int poll = 0; poll < polls; poll++) {
      double now = off.applyAsDouble(poll);
      trail = trail.plus(PACKETS, missing.applyAsDouble(poll) + now - before);
      before = now;
    }
    return trail;
  }

  private static double[] column(Trail trail, int column) {
    double[] values = new double[trail.length()];
    for (int at = 0; at < values.length; at++) {
      values[at] = trail.value(at, column);
    }
    return values;
  }

  private static SlopeStep ofReadings(Trail trail) {
    return SlopeStep.ofReadings(
        column(trail, 0),
        column(trail, 1),
        trail.sizes(),
        HEALTHY,
        ReadingNoise.UNKNOWN.atLeast(1));
  }

  private static SlopeStep ofWalk(Trail trail) {
    return SlopeStep.ofWalk(column(trail, 0), column(trail, 1), trail.sizes(), 1);
  }

  @Test
  void points_that_are_off_by_themselves_give_no_step_in_a_thousand_hours() {
    double highest = 0;
    for (int run = 0; run < 1_000; run++) {
      Random random = new Random(run);
      Trail trail = trail(16, 360, poll -> 0, poll -> random.nextGaussian() * PACKETS / 10);
      highest = Math.max(highest, ofReadings(trail).nats());
    }

    assertThat(highest).isLessThan(10);
  }

  @Test
  void a_loss_of_one_in_a_thousand_is_a_step_from_where_it_begins() {
    Random random = new Random(1);
    Trail trail =
        trail(
            16,
            90,
            poll -> poll < 30 ? 0 : MixtureEvidenceTest.poisson(random, 2),
            poll -> random.nextGaussian() * 3);
    SlopeStep step = ofReadings(trail);

    assertThat(step.nats()).isGreaterThan(THRESHOLD);
    assertThat(step.loss()).isCloseTo(1e-3, within(2.5e-4));
    assertThat(step.passed()).isCloseTo(60 * PACKETS, within(15 * PACKETS));
  }

  @Test
  void what_was_missing_from_the_start_is_no_step() {
    for (double share : new double[] {1e-3, 2e-3, 1e-2, .2}) {
      double highest = 0;
      for (int run = 0; run < 50; run++) {
        Random random = new Random(run);
        Trail trail =
            trail(
                16,
                180,
                poll -> MixtureEvidenceTest.poisson(random, share * PACKETS),
                poll -> random.nextGaussian() * 3);
        highest = Math.max(highest, ofReadings(trail).nats());
      }
      assertThat(highest).as("%s", share).isLessThan(THRESHOLD - 4);
    }
  }

  @Test
  void but_it_is_above_a_limit() {
    Random random = new Random(1);
    Trail trail =
        trail(
            16,
            60,
            poll -> MixtureEvidenceTest.poisson(random, .02 * PACKETS),
            poll -> random.nextGaussian() * 3);

    assertThat(above(trail, .01)).isGreaterThan(THRESHOLD);
    assertThat(above(trail, .02)).isLessThan(5);
    assertThat(above(trail, .03)).isZero();
    assertThat(above(Trail.begin(2, 16), .01)).isZero();
  }

  private static double above(Trail trail, double limit) {
    return SlopeStep.natsAbove(
        limit, column(trail, 0), column(trail, 1), trail.sizes(), ReadingNoise.UNKNOWN.atLeast(1));
  }

  @Test
  void what_was_gained_and_is_not_gained_any_more_is_no_loss() {
    Random random = new Random(1);
    Trail flood = trail(48, 90, poll -> poll < 45 ? -40 : 0, poll -> random.nextGaussian() * 3);

    assertThat(ofReadings(flood).nats()).isLessThan(5);
    assertThat(ofWalk(flood).nats()).isLessThan(5);
  }

  @Test
  void a_walk_gives_no_step_in_a_thousand_hours_however_unsteady_it_is() {
    for (double unsteady : new double[] {5e-4, 5e-3, 5e-2}) {
      double highest = 0;
      for (int run = 0; run < 1_000; run++) {
        Random random = new Random(run);
        Trail trail = trail(48, 360, poll -> random.nextGaussian() * unsteady * PACKETS, poll -> 0);
        highest = Math.max(highest, ofWalk(trail).nats());
      }
      assertThat(highest).as("%s", unsteady).isLessThan(12);
    }
  }

  @Test
  void a_burst_in_a_walk_is_no_step() {
    Trail trail = trail(48, 60, poll -> poll == 57 ? 500 : 0, poll -> 0);

    assertThat(ofWalk(trail).nats()).isZero();
  }

  @Test
  void a_loss_stands_out_of_a_steady_walk_within_ten_polls() {
    Random random = new Random(1);
    Trail trail =
        trail(48, 40, poll -> poll < 30 ? 0 : MixtureEvidenceTest.poisson(random, 10), poll -> 0);
    SlopeStep step = ofWalk(trail);

    assertThat(step.nats()).isGreaterThan(THRESHOLD);
    assertThat(step.loss()).isCloseTo(5e-3, within(1.5e-3));
  }

  @Test
  void a_few_points_tell_nothing() {
    assertThat(ofReadings(trail(16, 5, poll -> poll, poll -> 0))).isEqualTo(SlopeStep.NONE);
    assertThat(ofWalk(trail(16, 5, poll -> poll, poll -> 0))).isEqualTo(SlopeStep.NONE);
    assertThat(
            SlopeStep.ofReadings(
                new double[0], new double[0], new byte[0], 1, ReadingNoise.UNKNOWN))
        .isEqualTo(SlopeStep.NONE);
  }

  @Test
  void a_trail_is_bounded_and_its_means_lie_on_the_line() {
    Trail trail = Trail.begin(2, 4);
    double due = 0;
    for (int poll = 0; poll < 5_000; poll++) {
      trail = trail.plus(3, 6);
      due += 3;
      if (poll < 200) {
        assertThat(trail.growth(0)).isEqualTo(due);
      }
    }

    assertThat(trail.length()).isLessThanOrEqualTo(7 * 4);
    assertThat(trail.points()).isBetween(200, 7 * 64 * 4);
    for (int at = 0; at < trail.length(); at++) {
      assertThat(trail.value(at, 1)).isCloseTo(2 * trail.value(at, 0), within(1e-3));
      if (at > 0) {
        assertThat(trail.value(at, 0)).isGreaterThan(trail.value(at - 1, 0));
      }
    }
    assertThat(trail.value(trail.length() - 1, 0)).isCloseTo(trail.growth(0), within(1e-2));
  }

  @Test
  void the_noise_of_readings_is_learned_and_outliers_count_little() {
    Random random = new Random(2);
    ReadingNoise noise = ReadingNoise.UNKNOWN;
    double before = 0;
    for (int reading = 0; reading < 400; reading++) {
      double now = random.nextGaussian() * 4;
      noise = noise.plus(now - before, 10, 100);
      before = now;
    }
    assertThat(noise.variance()).isCloseTo(16, within(5.0));
    assertThat(noise.isOutlier(10, 10)).isFalse();
    assertThat(noise.isOutlier(100, 10)).isTrue();
    assertThat(noise.isOutlier(Double.NaN, 10)).isFalse();
    assertThat(noise.plus(1e9, 10, 100).variance()).isLessThan(20);
  }
}
