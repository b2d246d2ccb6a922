package io.fabrichealth.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CostModelTest {
  private static final double ROUND = 8;
  private static final double BYTES_A_MICRO = 50_000;

  private static CostModel.Load ring(int ranks, double bytes) {
    return CostModel.Load.of("all_reduce", "RING", ranks, bytes);
  }

  private static double micros(CostModel.Load load) {
    return ROUND * load.rounds() + load.bytes() / BYTES_A_MICRO;
  }

  @Test
  void the_latency_and_the_bandwidth_are_found_again() {
    CostModel.Load[] loads = {ring(8, 1e3), ring(8, 1e6), ring(8, 1e9)};
    double[] took = {micros(loads[0]), micros(loads[1]), micros(loads[2])};

    CostModel model = CostModel.fit(loads, took);

    assertThat(model.micros(new CostModel.Load(1, 0))).isCloseTo(ROUND, within(1e-6));
    assertThat(1 / model.micros(new CostModel.Load(0, 1))).isCloseTo(BYTES_A_MICRO, within(1.0));
  }

  @Test
  void one_measurement_that_is_far_off_does_not_lead_it_astray() {
    CostModel.Load[] loads = new CostModel.Load[9];
    double[] took = new double[9];
    for (int i = 0; i < loads.length; i++) {
      loads[i] = ring(8, 1e3 * Math.pow(6, i));
      took[i] = micros(loads[i]) * (i == 4 ? 20 : 1 + 0.01 * (i % 3 - 1));
    }

    CostModel model = CostModel.fit(loads, took);

    assertThat(model.micros(ring(8, 1e6))).isCloseTo(micros(ring(8, 1e6)), within(3.0));
  }

  @Test
  void a_ring_twice_as_large_loses_bandwidth_on_perfect_hardware() {
    double at512 = micros(ring(512, 64e6));
    double at1024 = micros(ring(1024, 64e6));
    CostModel.Load[] loads = {ring(512, 1e6), ring(512, 64e6)};
    CostModel model = CostModel.fit(loads, new double[] {micros(loads[0]), at512});

    assertThat(1 - at512 / at1024).isCloseTo(0.43, within(0.01));
    assertThat(model.micros(ring(1024, 64e6))).isCloseTo(at1024, within(1.0));
  }

  @Test
  void a_tree_has_fewer_rounds() {
    assertThat(CostModel.Load.of("all_reduce", "TREE", 1024, 8))
        .isEqualTo(new CostModel.Load(20, 16));
    assertThat(CostModel.Load.of("all_gather", "RING", 8, 8)).isEqualTo(new CostModel.Load(7, 7));
  }
}
