package io.fabrichealth.detect;

import static io.fabrichealth.testing.DetectorRun.HOST;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.testing.DetectorRun;
import io.fabrichealth.testing.FakeWindow;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import org.junit.jupiter.api.Test;

class LinkDownDetectorTest {
  private static final double OPENS = 8.76;

  private final DetectorRun<LinkDownDetector.State> run = DetectorRun.of(LinkDownDetector::new);

  @Test
  void the_second_poll_that_finds_it_down_is_sure() {
    run.poll(window -> {});
    run.poll(FakeWindow::down);
    assertThat(run.nats()).isLessThan(5.8);

    run.poll(FakeWindow::down);

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.cause()).isEqualTo(Cause.LINK_DOWN);
    assertThat(run.finding().evidence().observed()).isEqualTo("down at leaf1:Ethernet1/1 for 10 s");
  }

  @Test
  void both_ends_down_at_one_poll_are_suspect_and_no_incident() {
    run.poll(window -> {});
    run.sees(HOST, FakeWindow::down);
    run.poll(FakeWindow::down);

    assertThat(run.nats()).isBetween(5.81, OPENS);
    assertThat(run.finding().evidence().observed()).isEqualTo("down at both ends");
  }

  @Test
  void it_clears_at_the_first_poll_that_finds_it_up() {
    run.polls(3, FakeWindow::down);
    run.poll(window -> {});

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_port_that_is_set_down_is_as_it_should_be() {
    run.polls(3, window -> window.down().gauge("port.admin_up", 0));
    assertThat(run.findings()).isEmpty();

    run.sees(HOST, window -> window.down().gauge("port.admin_up", 0));
    run.polls(3, FakeWindow::down);
    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_port_to_which_nothing_is_known_to_be_wired_stays_silent() {
    run.in(
        Fabric.builder()
            .device(Device.of("leaf1", Role.LEAF))
            .link(Link.half(DetectorRun.LEAF, null))
            .build());
    run.polls(5, FakeWindow::down);

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_state_that_is_not_read_changes_nothing() {
    run.polls(2, FakeWindow::down);
    run.poll(window -> window.gauge("port.oper_up", Double.NaN));
    assertThat(run.nats()).isGreaterThan(OPENS);

    DetectorRun<LinkDownDetector.State> unread = DetectorRun.of(LinkDownDetector::new);
    unread.polls(5, window -> window.gauge("port.oper_up", Double.NaN));
    assertThat(unread.findings()).isEmpty();
  }

  @Test
  void a_whole_device_that_starts_has_five_minutes() {
    Fabric.Builder fabric =
        Fabric.builder()
            .device(Device.of("leaf1", Role.LEAF))
            .device(Device.of("spine1", Role.SPINE));
    for (int number = 1; number <= 4; number++) {
      fabric.link(
          Link.between(
              new PortId("leaf1", "Ethernet1/" + number),
              new PortId("spine1", "Ethernet1/" + number),
              Tier.LEAF_SPINE,
              null));
    }
    run.in(fabric.build());
    for (int poll = 0; poll < 29; poll++) {
      allDown();
      assertThat(run.findings()).isEmpty();
    }
    for (int poll = 0; poll < 3; poll++) {
      allDown();
    }

    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void a_device_that_stops_to_answer_has_five_minutes_to_start() {
    run.sees(HOST, FakeWindow::up);
    run.polls(25, FakeWindow::down);
    assertThat(run.findings()).isEmpty();

    run.polls(10, FakeWindow::down);

    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void a_device_that_answers_and_whose_link_stays_down_does_not_start() {
    run.sees(HOST, FakeWindow::up);
    run.poll(FakeWindow::down);
    run.sees(HOST, FakeWindow::down);
    run.poll(FakeWindow::down);

    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void unused_ports_do_not_make_a_device_look_as_if_it_starts() {
    run.in(LeafWithEmptyCages.fabric(8));
    run.poll(window -> {});
    unusedAreDown();
    run.polls(2, FakeWindow::down);

    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  private void unusedAreDown() {
    for (int number = 5; number <= 8; number++) {
      run.sees(
          new PortId("leaf1", "Ethernet1/" + number),
          window -> window.down().gauge("port.admin_up", 0));
    }
    for (int number = 9; number <= 20; number++) {
      run.sees(new PortId("leaf1", "Ethernet1/" + number), FakeWindow::down);
    }
  }

  private void allDown() {
    for (int number = 2; number <= 4; number++) {
      run.sees(new PortId("leaf1", "Ethernet1/" + number), FakeWindow::down);
    }
    run.poll(FakeWindow::down);
  }
}
