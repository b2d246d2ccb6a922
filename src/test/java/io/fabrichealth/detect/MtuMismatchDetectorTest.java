package io.fabrichealth.detect;

import static io.fabrichealth.testing.DetectorRun.HOST;
import static io.fabrichealth.testing.DetectorRun.LEAF;
import static io.fabrichealth.testing.DetectorRun.SPINE;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.testing.DetectorRun;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MtuMismatchDetectorTest {
  private static final double OPENS = 8.76;
  private static final String MTU = "port.mtu_bytes";

  private final DetectorRun<MtuMismatchDetector.State> run =
      DetectorRun.of(MtuMismatchDetector::new);

  @Test
  void a_port_below_its_plan_is_named_at_the_second_poll() {
    run.poll(window -> window.gauge(MTU, 1500));
    assertThat(run.nats()).isLessThan(5);

    run.poll(window -> window.gauge(MTU, 1500));

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.cause()).isEqualTo(Cause.MTU_MISMATCH);
    assertThat(run.finding().evidence().observed()).isEqualTo("frames of up to 1,500 octets");
    assertThat(run.finding().evidence().expected()).isEqualTo("9,216, as planned");
  }

  @Test
  void a_switch_that_takes_less_than_its_host_sends_is_named_without_a_plan() {
    run.in(fabric(HOST, 0));
    run.sees(HOST, window -> window.gauge(MTU, 9000));
    run.polls(2, window -> window.gauge(MTU, 1500));

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.finding().evidence().expected()).isEqualTo("9,000, as the other end has");
  }

  @Test
  void a_poll_that_does_not_tell_the_mtu_changes_nothing() {
    run.polls(2, window -> window.gauge(MTU, 1500));
    run.poll(window -> {});

    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void it_clears_when_the_mtu_is_set_right() {
    run.polls(3, window -> window.gauge(MTU, 1500));
    run.poll(window -> window.gauge(MTU, 9216));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_host_may_send_smaller_frames_than_its_switch_takes() {
    run.in(fabric(HOST, 0));
    run.at(HOST);
    run.sees(LEAF, window -> window.gauge(MTU, 9216));
    run.polls(3, window -> window.gauge(MTU, 4200));

    assertThat(run.findings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {9214, 9198, 9238, 9190, 9242})
  void the_header_of_layer_2_is_no_mismatch(int mtu) {
    run.in(fabric(SPINE, 9216));
    run.sees(SPINE, window -> window.gauge(MTU, 9216));
    run.polls(3, window -> window.gauge(MTU, mtu));

    assertThat(run.findings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {9000, 9100, 9412})
  void a_switch_that_counts_otherwise_on_all_of_its_ports_is_no_mismatch(int mtu) {
    run.in(fabric(SPINE, 9216));
    othersSay(mtu);
    run.polls(3, window -> window.gauge(MTU, mtu));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void one_port_that_differs_from_the_others_of_its_switch_is_one_however_little() {
    run.in(fabric(SPINE, 9216));
    othersSay(9216);
    run.polls(3, window -> window.gauge(MTU, 9100));

    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void one_odd_port_does_not_accuse_the_others_of_a_switch_that_counts_otherwise() {
    run.in(fabric(SPINE, 9216));
    othersSay(9100);
    run.sees(new PortId("leaf1", "Ethernet1/4"), window -> window.gauge(MTU, 1500));
    run.polls(3, window -> window.gauge(MTU, 9100));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_switch_all_of_whose_ports_are_far_too_small_is_one() {
    run.in(fabric(SPINE, 9216));
    othersSay(1500);
    run.polls(2, window -> window.gauge(MTU, 1500));

    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void a_port_that_is_set_down_may_have_any() {
    run.polls(3, window -> window.down().gauge("port.admin_up", 0).gauge(MTU, 1500));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_port_that_fits_keeps_its_state_as_it_is() {
    run.poll(window -> window.gauge(MTU, 9216));
    MtuMismatchDetector.State state = run.state();
    run.polls(10, window -> window.gauge(MTU, 9216));

    assertThat(run.state()).isSameAs(state);
  }

  private void othersSay(int mtu) {
    run.sees(SPINE, window -> window.gauge(MTU, 9216));
    for (int number = 2; number <= 4; number++) {
      run.sees(new PortId("leaf1", "Ethernet1/" + number), window -> window.gauge(MTU, mtu));
      run.sees(new PortId("spine1", "Ethernet1/" + number), window -> window.gauge(MTU, 9216));
    }
  }

  private static Fabric fabric(PortId peer, int planned) {
    Fabric.Builder fabric =
        Fabric.builder()
            .device(Device.of("leaf1", Role.LEAF))
            .device(Device.of("spine1", Role.SPINE))
            .device(Device.of("gpu-001", Role.HOST))
            .port(port(LEAF, planned))
            .port(port(peer, planned))
            .link(Link.between(LEAF, peer, Tier.OTHER, null));
    for (int number = 2; number <= 4; number++) {
      fabric.link(
          Link.between(
              new PortId("leaf1", "Ethernet1/" + number),
              new PortId("spine1", "Ethernet1/" + number),
              Tier.LEAF_SPINE,
              null));
    }
    return fabric.build();
  }

  private static Port port(PortId id, int mtu) {
    return new Port(id, 0, 0, FecMode.UNKNOWN, Media.UNKNOWN, null, mtu, true, List.of());
  }
}
