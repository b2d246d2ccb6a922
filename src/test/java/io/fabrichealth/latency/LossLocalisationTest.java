package io.fabrichealth.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A leaf and spine fabric of 6 leaves and 4 spines: up links, down links, then spines. */
class LossLocalisationTest {
  private static final int LEAVES = 6;
  private static final int SPINES = 4;
  private static final int LINKS = LEAVES * SPINES;
  private static final int CANDIDATES = 2 * LINKS + SPINES;
  private static final LossPrior PRIOR = LossPrior.even(CANDIDATES, Math.log(1e-3));

  @Test
  void one_link_is_named_with_its_rate() {
    double[] rates = new double[CANDIDATES];
    rates[up(2, 1)] = 2e-3;

    List<LossFault> found = LossLocalisation.faults(traffic(rates, 4_000, 1), PRIOR);

    assertThat(found).hasSize(1);
    LossFault fault = found.getFirst();
    assertThat(fault.candidate()).isEqualTo(up(2, 1));
    assertThat(fault.low()).isLessThan(2e-3);
    assertThat(fault.high()).isGreaterThan(2e-3);
    assertThat(fault.rate()).isBetween(1.4e-3, 2.8e-3);
    assertThat(fault.nats()).isGreaterThan(20);
    assertThat(fault.rivals()).isEmpty();
  }

  @Test
  void a_switch_is_named_and_not_its_links() {
    double[] rates = new double[CANDIDATES];
    rates[spine(3)] = 1e-3;

    List<LossFault> found = LossLocalisation.faults(traffic(rates, 4_000, 2), PRIOR);

    assertThat(found).extracting(LossFault::candidate).containsExactly(spine(3));
  }

  @Test
  void two_bad_links_of_one_switch_are_not_the_switch() {
    double[] rates = new double[CANDIDATES];
    rates[up(0, 2)] = 3e-3;
    rates[down(4, 2)] = 3e-3;

    List<LossFault> found = LossLocalisation.faults(traffic(rates, 8_000, 3), PRIOR);

    assertThat(found)
        .extracting(LossFault::candidate)
        .containsExactlyInAnyOrder(up(0, 2), down(4, 2));
  }

  @Test
  void a_strong_fault_does_not_hide_a_weak_one() {
    double[] rates = new double[CANDIDATES];
    rates[up(1, 0)] = 5e-2;
    rates[down(3, 3)] = 1e-3;

    List<LossFault> found = LossLocalisation.faults(traffic(rates, 10_000, 4), PRIOR);

    assertThat(found)
        .extracting(LossFault::candidate)
        .containsExactlyInAnyOrder(up(1, 0), down(3, 3));
  }

  @Test
  void a_link_that_loses_everything_is_named() {
    double[] rates = new double[CANDIDATES];
    rates[down(5, 1)] = 1;

    List<LossFault> found = LossLocalisation.faults(traffic(rates, 100, 5), PRIOR);

    assertThat(found).extracting(LossFault::candidate).containsExactly(down(5, 1));
    assertThat(found.getFirst().rate()).isGreaterThan(.9);
  }

  @Test
  void background_on_all_links_names_none() {
    double[] rates = new double[CANDIDATES];
    for (int link = 0; link < 2 * LINKS; link++) {
      rates[link] = 1e-4;
    }

    assertThat(LossLocalisation.faults(traffic(rates, 5_000, 6), PRIOR)).isEmpty();
  }

  @Test
  void a_single_loss_names_none() {
    FlowLosses losses = traffic(new double[CANDIDATES], 2_000, 7);
    losses.add(new int[] {up(0, 0), spine(0), down(1, 0)}, 0, 3, 2, 2_000, 1);

    assertThat(LossLocalisation.faults(losses, PRIOR)).isEmpty();
  }

  @Test
  void what_cannot_be_told_apart_is_a_rival() {
    FlowLosses losses = new FlowLosses(4);
    losses.add(new int[] {0, 1}, 0, 2, 2, 10_000, 30);
    losses.add(new int[] {2, 3}, 0, 2, 2, 10_000, 0);

    List<LossFault> found = LossLocalisation.faults(losses, LossPrior.even(4, Math.log(1e-3)));

    assertThat(found).hasSize(1);
    assertThat(found.getFirst().candidate()).isZero();
    assertThat(found.getFirst().rivals()).extracting(LossFault.Rival::candidate).containsExactly(1);
    assertThat(found.getFirst().nats() + Math.log(1e-3)).isBetween(-.1, .1);
  }

  @Test
  void flows_of_uncertain_path_point_to_what_their_paths_have_in_common() {
    double[] rates = new double[CANDIDATES];
    rates[up(2, 1)] = 4e-3;
    FlowLosses losses = new FlowLosses(CANDIDATES);
    SplittableRandom draws = new SplittableRandom(8);
    double[] even = {.25, .25, .25, .25};
    for (int from = 0; from < LEAVES; from++) {
      for (int to = 0; to < LEAVES; to++) {
        for (int flow = 0; from != to && flow < 16; flow++) {
          int[][] paths = new int[SPINES][];
          for (int spine = 0; spine < SPINES; spine++) {
            paths[spine] = new int[] {up(from, spine), spine(spine), down(to, spine)};
          }
          losses.addChoice(paths, even, 2, 2_000, lost(draws, rates, paths[flow % SPINES], 2_000));
        }
      }
    }

    List<LossFault> found = LossLocalisation.faults(losses, PRIOR);

    // No flow tells its spine: all uplinks of the leaf look alike.
    assertThat(found).isNotEmpty();
    assertThat(found.getFirst().candidate()).isBetween(up(2, 0), up(2, 3));
  }

  @Test
  void the_same_flows_give_the_same_answer() {
    double[] rates = new double[CANDIDATES];
    rates[up(2, 1)] = 2e-3;
    rates[spine(0)] = 1e-3;

    assertThat(LossLocalisation.faults(traffic(rates, 1_000, 9), PRIOR))
        .isEqualTo(LossLocalisation.faults(traffic(rates, 1_000, 9), PRIOR));
  }

  @Test
  void a_prior_for_other_candidates_is_refused() {
    assertThatThrownBy(
            () -> LossLocalisation.faults(new FlowLosses(3), LossPrior.even(2, Math.log(1e-3))))
        .hasMessageContaining("2 priors for 3 candidates");
  }

  /** Every pair of leaves over every spine. */
  private static FlowLosses traffic(double[] rates, int sent, long seed) {
    SplittableRandom draws = new SplittableRandom(seed);
    FlowLosses losses = new FlowLosses(CANDIDATES);
    for (int from = 0; from < LEAVES; from++) {
      for (int to = 0; to < LEAVES; to++) {
        for (int spine = 0; from != to && spine < SPINES; spine++) {
          int[] path = {up(from, spine), spine(spine), down(to, spine)};
          losses.add(path, 0, 3, 2, sent, lost(draws, rates, path, sent));
        }
      }
    }
    return losses;
  }

  private static long lost(SplittableRandom draws, double[] rates, int[] path, int sent) {
    double kept = 1;
    for (int candidate : path) {
      kept *= 1 - rates[candidate];
    }
    long lost = 0;
    for (int packet = 0; packet < sent; packet++) {
      lost += draws.nextDouble() < kept ? 0 : 1;
    }
    return lost;
  }

  private static int up(int leaf, int spine) {
    return leaf * SPINES + spine;
  }

  private static int down(int leaf, int spine) {
    return LINKS + leaf * SPINES + spine;
  }

  private static int spine(int spine) {
    return 2 * LINKS + spine;
  }
}
