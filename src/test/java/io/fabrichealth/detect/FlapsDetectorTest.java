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
  void one_outage_that_outlasts_a_transport_is_an_incident_as_soon_as_it_is_over() {
    run.poll(window -> window.grow(DOWNED, 0).grow(DOWN_TIME, 0));
    run.poll(window -> window.down().grow(DOWNED, 1).grow(DOWN_TIME, 5_800));
    assertThat(run.findings()).as("while it is down").isEmpty();

    run.poll(window -> window.grow(DOWNED, 0).grow(DOWN_TIME, 4_000));

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.finding().evidence().observed())
        .contains("1 outage in")
        .contains("longest 9.8 s");
  }

  @Test
  void one_outage_that_two_polls_saw_is_one_where_only_the_state_is_read() {
    run.poll(window -> window.grow("port.in_octets", 1e9));
    run.polls(2, window -> window.down().grow("port.in_octets", 0));
    run.poll(window -> window.grow("port.in_octets", 1e9));

    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void one_outage_that_a_single_poll_of_5_seconds_saw_is_no_incident() {
    run.poll(5, window -> window.grow("port.in_octets", 1e9));
    run.poll(5, window -> window.down().grow("port.in_octets", 0));
    run.poll(5, window -> window.grow("port.in_octets", 1e9));

    assertThat(run.nats()).isBetween(1.0, OPENS);
  }

  @Test
  void one_outage_of_minutes_is_a_cable_that_was_moved() {
    run.poll(window -> window.grow(DOWNED, 0));
    run.poll(window -> window.down().grow(DOWNED, 1));
    run.polls(20, window -> window.down().grow(DOWNED, 0));
    run.poll(window -> window.grow(DOWNED, 0));

    assertThat(run.nats()).isLessThan(5);
  }

  @Test
  void it_waits_with_its_judgement_until_the_other_end_was_read() {
    run.sees(HOST, window -> window.up().grow(DOWNED, 0));
    outage(9_800);
    assertThat(run.findings()).isEmpty();

    run.sees(HOST, window -> window.up().grow(DOWNED, 1));
    run.poll(window -> window.grow(DOWNED, 0).grow(DOWN_TIME, 0));

    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void outages_that_the_other_end_counts_and_did_not_see_are_doubtful() {
    run.sees(HOST, window -> window.up().grow(DOWNED, 0));
    run.poll(window -> window.grow(DOWNED, 0).grow(DOWN_TIME, 0));
    for (int outage = 0; outage < 4; outage++) {
      outage(9_800);
      run.sees(HOST, window -> window.up().grow(DOWNED, 0));
      run.poll(window -> window.grow(DOWNED, 0).grow(DOWN_TIME, 0));
    }

    assertThat(run.nats()).isBetween(1.0, 5.0);
    assertThat(run.finding().evidence().observed()).contains("unseen by the other end");
  }

  @Test
  void an_outage_after_which_the_link_is_slower_is_a_negotiation() {
    run.poll(window -> window.grow(DOWNED, 0).grow(DOWN_TIME, 0));
    run.poll(window -> window.down().grow(DOWNED, 1).grow(DOWN_TIME, 9_000));
    run.polls(
        3,
        window ->
            window.gauge("port.speed_bits_per_second", 200e9).grow(DOWNED, 0).grow(DOWN_TIME, 0));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_host_that_restarts_and_does_not_answer_is_no_flap() {
    run.poll(window -> window.grow(DOWNED, 0));
    run.sees(HOST, window -> window.up().grow(DOWNED, 0).grow("port.in_octets", 1e9));
    run.poll(window -> window.down().grow(DOWNED, 1));
    run.polls(7, window -> window.down().grow(DOWNED, 0));
    run.polls(3, window -> window.grow(DOWNED, 0));
    assertThat(run.findings()).as("the host is still silent").isEmpty();

    run.sees(HOST, window -> window.up().reset(DOWNED).reset("port.in_octets"));
    run.poll(window -> window.grow(DOWNED, 0));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void brief_outages_every_few_days_are_a_repeat_offender() {
    run.poll(window -> window.grow(DOWNED, 0).grow(DOWN_TIME, 0));
    for (int day = 0; day < 6; day++) {
      run.poll(3 * 86_400.0, window -> window.grow(DOWNED, 0).grow(DOWN_TIME, 0));
      run.poll(window -> window.grow(DOWNED, 1).grow(DOWN_TIME, 700));
    }

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.finding().evidence().observed()).contains("in 30 days");
  }

  @Test
  void time_spent_down_tells_of_outages_where_nothing_counts_them() {
    run.poll(window -> window.grow(DOWN_TIME, 0));
    run.poll(window -> window.grow(DOWN_TIME, 9_000));

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.state().history()).isEqualTo(1);
  }

  @Test
  void a_quiet_port_keeps_its_state_as_it_is() {
    run.polls(2, window -> window.grow(DOWNED, 0));
    FlapsDetector.State state = run.state();

    run.polls(100, window -> window.grow(DOWNED, 0));

    assertThat(run.state()).isSameAs(state);
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

    assertThat(run.state().series().longestSeconds()).isEqualTo(.8);
    assertThat(run.state().series().totalSeconds()).isEqualTo(16);
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
    run.poll(window -> window.saturate(DOWNED, 0));

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
