package io.fabrichealth.simulate.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fabrichealth.simulate.Draws;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class ReceiverTest {
  private static final double SPEED = 400e9;
  private static final int LANES = 8;

  @Test
  void a_codeword_fails_as_often_as_the_lanes_make_it() {
    Receiver receiver = receiver(1e-3);
    long uncorrectable = receiver.advance(100, 0);

    // P(more than 15 wrong of 544) at a bit error ratio of 1e-3, summed elsewhere.
    double ratio = (double) uncorrectable / receiver.totalCodewords();
    assertThat(receiver.totalCodewords()).isEqualTo(7_812_500_000L);
    assertThat(ratio).isCloseTo(1.530e-4, within(.01e-4));
    assertThat(receiver.uncorrectableCodewords()).isEqualTo(uncorrectable);
  }

  @Test
  void bins_lanes_and_totals_tell_the_same() {
    Receiver receiver = receiver(2e-5);
    receiver.advance(50, 0);
    receiver.advance(100, 0);

    long codewords = receiver.codewords(0) + receiver.uncorrectableCodewords();
    long symbols = 0;
    for (int bin = 1; bin <= 15; bin++) {
      codewords += receiver.codewords(bin);
      symbols += bin * receiver.codewords(bin);
    }
    long byLane = 0;
    long bits = 0;
    for (int lane = 0; lane < LANES; lane++) {
      byLane += receiver.symbolErrors(lane);
      bits += receiver.correctedBits(lane);
    }
    assertThat(codewords).isEqualTo(receiver.totalCodewords());
    assertThat(symbols).isEqualTo(byLane);
    assertThat(bits / (100 * SPEED * 1.0625)).isCloseTo(2e-5, within(.1e-5));
    assertThat(receiver.measuredRatio()).isCloseTo(2e-5, within(.1e-5));
  }

  @Test
  void the_lane_that_errs_has_the_errors() {
    Receiver receiver = receiver(1e-8);
    receiver.setLaneRatio(3, 1e-5);
    receiver.advance(100, 0);

    assertThat(receiver.correctedBits(3)).isGreaterThan(100 * receiver.correctedBits(2));
    assertThat(receiver.measuredLaneRatio(3)).isCloseTo(1e-5, within(.1e-5));
  }

  @Test
  void a_warm_module_errs_more() {
    Receiver cool = receiver(1e-7);
    Receiver warm = receiver(1e-7);
    cool.setDecadesPerDegree(.1);
    warm.setDecadesPerDegree(.1);
    cool.advance(100, 0);
    warm.advance(100, 5);

    double factor = (double) warm.correctedCodewords() / cool.correctedCodewords();
    assertThat(factor).isCloseTo(Math.sqrt(10), within(.1));
  }

  @Test
  void nothing_is_received_while_the_link_is_down() {
    Receiver receiver = receiver(1e-5);
    receiver.advance(10, 0);
    long before = receiver.totalCodewords();
    receiver.advance(10, 0);

    assertThat(receiver.totalCodewords()).isEqualTo(before);
  }

  @Test
  void codewords_in_another_state_keep_the_sum() {
    Receiver receiver = receiver(1e-8);
    double[] ratios = new double[LANES];
    java.util.Arrays.fill(ratios, 3e-3);
    double[] table = Receiver.table(Code.KP4, ratios);
    double[] shares = new double[LANES];
    Receiver.shares(ratios, shares);
    long beyondRepair = receiver.disturb(10_000, table, shares);
    receiver.advance(1, 0);

    long sum = 0;
    for (int bin = 0; bin <= 16; bin++) {
      sum += receiver.codewords(bin);
    }
    assertThat(sum).isEqualTo(receiver.totalCodewords());
    assertThat(beyondRepair / 1e4).isCloseTo(table[16], within(.03));
    assertThat(receiver.uncorrectableCodewords()).isEqualTo(beyondRepair);
  }

  private static Receiver receiver(double ratio) {
    double[] lanes = new double[LANES];
    java.util.Arrays.fill(lanes, ratio);
    Draws draws = new Draws(RandomGeneratorFactory.of("L64X128MixRandom").create(3));
    return new Receiver(Code.KP4, SPEED, lanes, 0, 0, draws);
  }
}
