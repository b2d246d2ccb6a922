package io.fabrichealth.detect;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.runtime.ThresholdCatalogue;
import io.fabrichealth.testing.FabricRun;
import io.fabrichealth.topology.PortId;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScreenDetectorTest {
  private static final double PACKETS = .4 * FabricRun.SPEED / 8 * 60 / 4096;
  private static final int HOSTS = 16;

  private final ScreenDetector detector = detector();
  private final FabricRun run = FabricRun.of(4, 2, HOSTS);
  private final Random random = new Random(21);
  private final Set<PortId> bad = new HashSet<>();
  private double usual = 1e-9;
  private double rate;

  private static ScreenDetector detector() {
    Thresholds thresholds = ThresholdCatalogue.load();
    return new ScreenDetector(
        FabricRun.DICTIONARY,
        thresholds,
        new LinkConservationDetector(FabricRun.DICTIONARY, thresholds));
  }

  private void looks(int times) {
    run.shows(
        (port, window) ->
            window.grow("port.in_errors", poisson(PACKETS * (bad.contains(port) ? rate : usual))));
    for (int time = 0; time < times; time++) {
      run.poll(60).look(detector);
    }
  }

  private double poisson(double mean) {
    return Math.max(0, Math.rint(mean + Math.sqrt(mean) * random.nextGaussian()));
  }

  @Test
  void a_link_that_breaks_frames_more_often_than_its_kind_is_named() {
    looks(60);
    assertThat(run.findings()).isEmpty();

    bad.add(FabricRun.down(2, 3));
    rate = 3e-7;
    looks(120);

    assertThat(run.incidents())
        .containsExactly("PACKET_LOSS link " + run.link(FabricRun.down(2, 3)).id());
    assertThat(run.finding(Cause.PACKET_LOSS).evidence().observed()).contains("broken");
  }

  @Test
  void a_healthy_fabric_gives_nothing_in_two_days() {
    looks(2_880);

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_kind_that_is_always_noisy_is_not_accused() {
    usual = 2e-7;
    looks(300);

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_burst_is_not_an_outlier() {
    looks(60);
    bad.add(FabricRun.down(1, 1));
    rate = 1e-4;
    looks(1);
    bad.clear();
    looks(60);

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void links_that_come_and_go_do_not_shift_the_others() {
    looks(30);
    run.unread(FabricRun.down(3, 3), FabricRun.host(3, 3));
    bad.add(FabricRun.down(2, 3));
    rate = 3e-7;
    looks(120);

    assertThat(run.incidents())
        .isEqualTo(List.of("PACKET_LOSS link " + run.link(FabricRun.down(2, 3)).id()));
  }
}
