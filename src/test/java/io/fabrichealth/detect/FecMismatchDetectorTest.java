package io.fabrichealth.detect;

import static io.fabrichealth.testing.DetectorRun.LEAF;
import static io.fabrichealth.testing.DetectorRun.SPINE;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
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
import io.fabrichealth.topology.SeenPort;
import io.fabrichealth.topology.Sighting;
import io.fabrichealth.topology.Tier;
import io.fabrichealth.topology.Wiring;
import java.util.List;
import org.junit.jupiter.api.Test;

class FecMismatchDetectorTest {
  private static final double OPENS = 8.76;

  private final DetectorRun<FecMismatchDetector.State> run =
      DetectorRun.of(FecMismatchDetector::new);

  @Test
  void ends_with_different_modes_are_named_at_the_second_poll() {
    run.in(fabric(FecMode.UNKNOWN, FecMode.RS528, FecMode.RS544));
    run.sees(SPINE, FakeWindow::up);
    run.poll(window -> {});
    assertThat(run.nats()).isLessThan(5);

    run.poll(window -> {});

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.cause()).isEqualTo(Cause.FEC_MISMATCH);
    assertThat(run.finding().evidence().observed()).isEqualTo("RS528");
    assertThat(run.finding().evidence().expected()).isEqualTo("RS544, as at the other end");
  }

  @Test
  void a_link_without_the_planned_correction_is_named() {
    run.in(fabric(FecMode.RS544, FecMode.NONE, FecMode.NONE));
    run.polls(2, window -> {});

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.finding().evidence().expected()).isEqualTo("RS544, as planned");
  }

  @Test
  void ends_that_are_alike_and_as_planned_stay_silent() {
    run.in(fabric(FecMode.RS544, FecMode.RS544, FecMode.RS544));
    run.polls(3, window -> {});

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void the_interleaved_form_is_no_other_mode() {
    run.in(fabric(FecMode.RS544, FecMode.RS544_2X, FecMode.RS544));
    run.polls(3, window -> {});

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void an_end_that_does_not_tell_its_mode_is_no_mismatch() {
    run.in(fabric(FecMode.UNKNOWN, FecMode.RS544, FecMode.UNKNOWN));
    run.polls(3, window -> {});

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_port_that_is_down_tells_its_default() {
    run.in(fabric(FecMode.UNKNOWN, FecMode.RS528, FecMode.RS544));
    run.polls(3, FakeWindow::down);
    assertThat(run.findings()).isEmpty();

    run.sees(SPINE, FakeWindow::down);
    run.polls(3, window -> {});
    assertThat(run.findings()).isEmpty();
  }

  private static Fabric fabric(FecMode planned, FecMode leaf, FecMode spine) {
    Fabric plan =
        Fabric.builder()
            .device(Device.of("leaf1", Role.LEAF))
            .device(Device.of("spine1", Role.SPINE))
            .port(port(LEAF, planned))
            .port(port(SPINE, planned))
            .link(Link.between(LEAF, SPINE, Tier.LEAF_SPINE, null))
            .build();
    return Wiring.join(plan, Fabric.EMPTY, List.of(sighting(LEAF, leaf), sighting(SPINE, spine)));
  }

  private static Port port(PortId id, FecMode fec) {
    return new Port(id, 0, 0, fec, Media.UNKNOWN, null, 0, true, List.of());
  }

  private static Sighting sighting(PortId id, FecMode fec) {
    SeenPort seen = new SeenPort(id.port(), 1, 0, 0, fec, Media.UNKNOWN, null, 0, true, List.of());
    return new Sighting(
        id.device(), Role.SWITCH, null, null, List.of(), List.of(seen), List.of(), false);
  }
}
