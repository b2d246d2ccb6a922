package io.fabrichealth.detect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fabrichealth.finding.Finding;
import io.fabrichealth.runtime.ThresholdCatalogue;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.testing.DetectorRun;
import io.fabrichealth.testing.FakeWindow;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CohortsDetectorTest {
  private final CohortsDetector detector =
      new CohortsDetector(DetectorRun.DICTIONARY, ThresholdCatalogue.load());
  private final Map<PortId, FakeWindow> windows = new HashMap<>();
  private final Fabric.Builder fabric = Fabric.builder().device(Device.of("leaf1", Role.LEAF));

  private PortId port(int number, @Nullable String partNumber) {
    PortId id = new PortId("leaf1", "Ethernet1/" + number);
    fabric
        .port(
            new Port(
                id,
                400_000_000_000L,
                8,
                FecMode.RS544,
                Media.OPTICAL,
                partNumber,
                0,
                true,
                List.of()))
        .link(Link.half(id, null));
    windows.put(id, new FakeWindow(id, DetectorRun.DICTIONARY).begin(1, 10));
    return id;
  }

  private void shows(PortId id, double ratio, double dbm) {
    Objects.requireNonNull(windows.get(id))
        .gauge("fec.pre_fec_ber", ratio)
        .gauges("optics.rx_power_dbm", dbm, dbm);
  }

  private CohortsDetector.State look() {
    Fabric built = fabric.build();
    return detector.step(detector.initial(), new View(built)).state();
  }

  private final class View implements FabricView {
    private final Fabric built;

    private View(Fabric built) {
      this.built = built;
    }

    @Override
    public Instant at() {
      return Instant.EPOCH;
    }

    @Override
    public Fabric fabric() {
      return built;
    }

    @Override
    public @Nullable SignalWindow window(PortId port) {
      return windows.get(port);
    }

    @Override
    public <T> @Nullable T state(Detector<T> of, PortId port) {
      return null;
    }

    @Override
    public List<Finding> findings(PortId port) {
      return List.of();
    }
  }

  @Test
  void a_cohort_is_known_by_its_middle_which_a_few_bad_ones_do_not_move() {
    PortId first = port(1, "A");
    shows(first, 1e-8, -1);
    for (int number = 2; number <= 9; number++) {
      shows(port(number, "A"), number > 7 ? 1e-3 : 1.2e-8, number > 7 ? -9 : -1.2);
    }

    CohortsDetector.State state = look();
    int row = state.row(Objects.requireNonNull(fabric.build().port(first)));

    assertThat(row).isZero();
    assertThat(state.members()[row]).isEqualTo(9);
    assertThat(state.ratios()[row]).isCloseTo(-7.92, within(.01));
    assertThat(state.powers()[row]).isCloseTo(-1.2, within(.01));
  }

  @Test
  void too_few_no_part_number_or_nothing_read_make_no_cohort() {
    shows(port(1, "A"), 1e-8, -1);
    PortId alone = port(2, "A");
    for (int number = 3; number < 12; number++) {
      shows(port(number, null), 1e-8, -1);
    }
    for (int number = 12; number < 20; number++) {
      port(number, "B");
    }

    CohortsDetector.State state = look();

    assertThat(state.keys()).isEmpty();
    assertThat(state.row(Objects.requireNonNull(fabric.build().port(alone)))).isEqualTo(-1);
    assertThat(state.looks()).isEqualTo(1);
  }
}
