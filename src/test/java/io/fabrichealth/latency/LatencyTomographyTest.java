package io.fabrichealth.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LatencyTomographyTest {
  private static final double PRIOR = Math.log(1e-3);

  @Test
  void a_slow_link_is_named_with_its_delay() {
    LatencyTomography tomography = mesh(new double[] {0, 0, 25, 0, 0, 0}, 1);

    List<SlowFault> found = tomography.faults(.5, PRIOR);

    assertThat(found).hasSize(1);
    assertThat(found.getFirst().candidate()).isEqualTo(2);
    assertThat(found.getFirst().micros()).isCloseTo(25, within(1.0));
    assertThat(found.getFirst().low()).isLessThan(25);
    assertThat(found.getFirst().high()).isGreaterThan(25);
  }

  @Test
  void two_slow_links_share_what_crosses_both() {
    List<SlowFault> found = mesh(new double[] {8, 0, 25, 0, 0, 0}, 2).faults(.5, PRIOR);

    assertThat(found).extracting(SlowFault::candidate).containsExactlyInAnyOrder(0, 2);
  }

  @Test
  void noise_and_a_flow_that_fits_nothing_name_none() {
    LatencyTomography tomography = mesh(new double[6], 3);
    tomography.add(new int[] {1, 4}, 900);

    assertThat(tomography.faults(.5, PRIOR)).isEmpty();
  }

  @Test
  void round_trips_that_became_shorter_name_none() {
    assertThat(mesh(new double[] {0, -20, 0, 0, 0, 0}, 4).faults(.5, PRIOR)).isEmpty();
  }

  @Test
  void without_flows_there_is_no_answer() {
    assertThat(new LatencyTomography(5).faults(.5, PRIOR)).isEmpty();
  }

  /** Ten flows over each pair of six links, with half a microsecond of noise. */
  private static LatencyTomography mesh(double[] delays, long seed) {
    SplittableRandom draws = new SplittableRandom(seed);
    LatencyTomography tomography = new LatencyTomography(delays.length);
    for (int one = 0; one < delays.length; one++) {
      for (int other = 0; other < one; other++) {
        for (int flow = 0; flow < 10; flow++) {
          double noise = draws.nextDouble() - .5;
          tomography.add(new int[] {one, other}, delays[one] + delays[other] + noise);
        }
      }
    }
    return tomography;
  }
}
