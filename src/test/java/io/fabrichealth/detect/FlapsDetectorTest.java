package io.fabrichealth.detect;

import static io.fabrichealth.testing.DetectorRun.HOST;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.testing.DetectorRun;
import io.fabrichealth.testing.FakeWindow;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import org.junit.jupiter.api.Test;

class FlapsDetectorTest {
  private static final double OPENS = 8.76;
  private static final double SUSPECT = 5.81;
  private static final String DOWNED = "port.link_downed";
  private static final String DOWN_TIME = "port.down_milliseconds";

  private final DetectorRun<FlapsDetector.State> run = DetectorRun.of(FlapsDetector::new);

  @Test
  void two_outages_27_seconds_apart_are_flapping_within_90_seconds() {
    // Down for 12 s, up for 15 s, from second 15 on; nothing but the state is read.
    for (int second = 10; second <= 60; second += 10) {
      boolean down = second >= 15 && (second - 15) % 27 < 12;
      run.poll(window -> window.gauge("port.oper_up", down ? 0 : 1));
    }

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.cause()).isEqualTo(Cause.LINK_FLAP);
    assertThat(run.finding().evidence().signal()).isEqualTo("port.oper_up");
  }

  @Test
  void outages_too_short_for_a_poll_are_counted_by_the_port() {
    run.poll(window -> window.grow(DOWNED, 0));
    run.poll(window -> window.grow(DOWNED, 4));

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.finding().evidence().signal()).isEqualTo(DOWNED);
    assertThat(run.finding().evidence().observed()).startsWith("4 outages");
  }

  @Test
  void one_outage_is_not_an_incident_however_long_it_was() {
    run.poll(window -> {});
    run.polls(5, FakeWindow::down);
    run.poll(window -> {});

    assertThat(run.nats()).isBetween(SUSPECT, OPENS);
    assertThat(run.finding().evidence().observed())
        .contains("1 outage in")
        .contains("longest 40 s");
  }

  @Test
  void one_short_outage_is_not_even_suspect() {
    run.poll(window -> window.grow(DOWNED, 0).grow(DOWN_TIME, 0));
    run.poll(window -> window.grow(DOWNED, 1).grow(DOWN_TIME, 800));
    run.poll(window -> window.grow(DOWNED, 0).grow(DOWN_TIME, 0));

    assertThat(run.nats()).isLessThan(SUSPECT);
  }

  @Test
  void two_outages_an_hour_apart_that_break_a_transport_are_flapping() {
    outage(14_000);
    run.polls(360, window -> window.grow(DOWNED, 0).grow(DOWN_TIME, 0));
    assertThat(run.nats()).isLessThan(OPENS);

    outage(9_800);

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.finding().evidence().observed()).contains("longest 14 s");
  }

  private void outage(double milliseconds) {
    run.poll(window -> window.grow(DOWNED, 1).grow(DOWN_TIME, milliseconds));
  }

  @Test
  void longer_outages_weigh_more() {
    DetectorRun<FlapsDetector.State> brief = DetectorRun.of(FlapsDetector::new);
    brief.poll(window -> window.grow(DOWNED, 2).grow(DOWN_TIME, 1_600));
    run.poll(window -> window.grow(DOWNED, 2).grow(DOWN_TIME, 19_000));

    assertThat(run.nats()).isGreaterThan(brief.nats() + 2);
  }

  @Test
  void many_brief_outages_in_a_row_are_no_long_one() {
    run.polls(5, window -> window.grow(DOWNED, 4).grow(DOWN_TIME, 3_200));

    assertThat(run.state().longestSeconds()).isEqualTo(.8);
    assertThat(run.state().totalSeconds()).isEqualTo(16);
  }

  @Test
  void a_change_of_state_and_the_counter_for_it_are_one_outage() {
    run.poll(window -> window.grow(DOWNED, 0));
    run.poll(window -> window.down().grow(DOWNED, 0));
    run.poll(window -> window.grow(DOWNED, 1));
    run.poll(window -> window.grow(DOWNED, 0));

    assertThat(run.state().history()).isEqualTo(1);
  }

  @Test
  void a_counter_that_never_moves_does_not_hide_changes_of_state() {
    for (int flap = 0; flap < 2; flap++) {
      run.poll(window -> window.grow(DOWNED, 0));
      run.poll(window -> window.down().grow(DOWNED, 0));
    }
    run.poll(window -> window.grow(DOWNED, 0));

    assertThat(run.state().history()).isEqualTo(2);
    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void a_counter_at_its_end_leaves_the_changes_of_state() {
    for (int flap = 0; flap < 2; flap++) {
      run.poll(window -> window.saturate(DOWNED, 0));
      run.poll(window -> window.down().saturate(DOWNED, 0));
    }

    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void it_clears_hours_later_and_the_history_stays() {
    run.poll(window -> window.grow(DOWNED, 14));
    run.polls(360, window -> window.grow(DOWNED, 0));
    assertThat(run.nats()).as("an hour later").isGreaterThan(SUSPECT);

    run.polls(2 * 360, window -> window.grow(DOWNED, 0));

    assertThat(run.nats()).isLessThan(SUSPECT);
    assertThat(run.state().history()).isEqualTo(14);
  }

  @Test
  void a_link_that_stays_down_does_not_flap() {
    run.poll(window -> window.grow(DOWNED, 3));
    assertThat(run.nats()).isGreaterThan(OPENS);

    run.polls(14, window -> window.down().grow(DOWNED, 0));

    assertThat(run.nats()).isLessThan(SUSPECT);
  }

  @Test
  void a_port_that_is_set_down_and_up_again_does_not_flap() {
    for (int change = 0; change < 4; change++) {
      run.poll(window -> window.down().gauge("port.admin_up", 0).grow(DOWNED, 1));
      run.poll(window -> window.grow(DOWNED, 0));
    }

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_peer_that_is_set_down_is_no_flap() {
    for (int change = 0; change < 4; change++) {
      run.poll(window -> window.grow(DOWNED, 0));
      run.sees(HOST, window -> window.down().gauge("port.admin_up", 0));
      run.poll(window -> window.down().grow(DOWNED, 1));
      run.sees(HOST, FakeWindow::up);
    }

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_reboot_is_no_flap() {
    run.poll(window -> window.grow(DOWNED, 0));
    run.poll(300, window -> window.down().reset(DOWNED).reset("port.in_octets"));
    run.poll(window -> window.grow(DOWNED, 0));
    run.poll(window -> window.down().grow(DOWNED, 1));
    run.poll(window -> window.grow(DOWNED, 1));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void links_of_a_switch_that_restarts_do_not_flap() {
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
    for (int change = 0; change < 3; change++) {
      run.poll(window -> window.grow(DOWNED, 0));
      for (int number = 2; number <= 4; number++) {
        run.sees(new PortId("leaf1", "Ethernet1/" + number), FakeWindow::down);
      }
      run.poll(window -> window.down().grow(DOWNED, 1));
    }

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void links_flap_also_on_a_leaf_most_of_whose_cages_are_empty() {
    run.in(LeafWithEmptyCages.fabric(4));
    for (int number = 5; number <= 20; number++) {
      run.sees(new PortId("leaf1", "Ethernet1/" + number), FakeWindow::down);
    }
    run.poll(window -> window.grow(DOWNED, 0));
    run.poll(window -> window.grow(DOWNED, 4));

    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void a_reboot_is_known_also_where_most_cages_are_empty() {
    run.in(LeafWithEmptyCages.fabric(4));
    for (int number = 2; number <= 4; number++) {
      run.sees(
          new PortId("leaf1", "Ethernet1/" + number),
          window -> window.up().reset("port.in_octets"));
    }
    for (int number = 5; number <= 20; number++) {
      run.sees(
          new PortId("leaf1", "Ethernet1/" + number),
          window -> window.down().grow("port.in_octets", 0));
    }
    run.poll(window -> window.reset(DOWNED).reset("port.in_octets"));
    run.poll(window -> window.grow(DOWNED, 3));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_state_that_is_not_read_is_no_outage() {
    for (int poll = 0; poll < 5; poll++) {
      run.poll(window -> {});
      run.poll(window -> window.gauge("port.oper_up", Double.NaN));
    }

    assertThat(run.findings()).isEmpty();
    assertThat(run.state().history()).isZero();
  }

  @Test
  void a_half_link_flaps_too() {
    Fabric half =
        Fabric.builder()
            .device(Device.of("leaf1", Role.LEAF))
            .link(Link.half(DetectorRun.LEAF, null))
            .build();
    run.in(half).poll(window -> window.grow(DOWNED, 3));

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.finding().subject().id()).isEqualTo("leaf1:Ethernet1/1");
  }

  @Test
  void a_plan_that_wants_the_port_down_makes_its_changes_no_flaps() {
    run.in(DetectorRun.fabric(HOST, 8, FecMode.RS544, Media.OPTICAL, false));
    run.poll(window -> window.grow(DOWNED, 3));

    assertThat(run.findings()).isEmpty();
  }
}
