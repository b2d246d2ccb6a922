package io.fabrichealth.detect;

import static io.fabrichealth.testing.DetectorRun.HOST;
import static io.fabrichealth.testing.DetectorRun.LEAF;
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
import io.fabrichealth.topology.Tier;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class SpeedDowngradeDetectorTest {
  private static final double OPENS = 8.76;

  private final DetectorRun<SpeedDowngradeDetector.State> run =
      DetectorRun.of(SpeedDowngradeDetector::new);

  @Test
  void half_the_speed_on_half_the_lanes_is_a_lost_width_at_the_second_poll() {
    run.poll(negotiated(400e9, 8));
    run.poll(negotiated(200e9, 4));
    assertThat(run.nats()).isLessThan(5);

    run.poll(negotiated(200e9, 4));

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.cause()).isEqualTo(Cause.WIDTH_DOWNGRADE);
    assertThat(run.finding().evidence().observed()).isEqualTo("200 Gb/s on 4 lanes");
    assertThat(run.finding().evidence().expected()).isEqualTo("400 Gb/s on 8 lanes, as planned");
  }

  @Test
  void half_the_speed_on_all_lanes_is_a_lost_speed_also_from_the_first_poll_on() {
    run.polls(2, negotiated(200e9, 8));

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.cause()).isEqualTo(Cause.SPEED_DOWNGRADE);
  }

  @Test
  void both_ends_that_say_so_are_sure_at_one_poll() {
    run.sees(HOST, window -> window.up().gauge("port.speed_bits_per_second", 200e9));
    run.poll(negotiated(200e9, 4));

    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void without_a_plan_the_other_end_tells_what_is_right() {
    run.in(planned(0, 0));
    run.sees(HOST, window -> window.up().gauge("port.speed_bits_per_second", 400e9));
    run.polls(2, negotiated(200e9, 4));

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.finding().evidence().expected()).contains("as at the other end");
  }

  @Test
  void lanes_that_were_lost_count_where_no_speed_is_told() {
    run.poll(negotiated(Double.NaN, 8));
    run.polls(2, negotiated(Double.NaN, 4));

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.cause()).isEqualTo(Cause.WIDTH_DOWNGRADE);
  }

  @Test
  void a_poll_that_tells_no_speed_changes_nothing() {
    run.polls(2, negotiated(200e9, 4));
    run.poll(negotiated(Double.NaN, Double.NaN));

    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void it_clears_at_the_first_poll_with_the_planned_speed() {
    run.polls(3, negotiated(200e9, 4));
    run.poll(negotiated(400e9, 8));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_breakout_that_is_planned_is_as_it_should_be() {
    run.poll(negotiated(400e9, 8));
    run.in(planned(200_000_000_000L, 4));
    run.polls(3, negotiated(400e9, 8));
    run.polls(3, negotiated(200e9, 4));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_plan_that_comes_late_makes_it_silent() {
    run.polls(2, negotiated(200e9, 4));
    run.in(planned(200_000_000_000L, 4));
    run.poll(negotiated(200e9, 4));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_port_that_is_down_tells_what_it_could_do() {
    run.polls(3, window -> negotiated(10e9, 1).andThen(FakeWindow::down).accept(window));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void lanes_that_are_counted_in_another_way_are_no_loss() {
    run.polls(3, negotiated(400e9, 4));
    assertThat(run.findings()).isEmpty();

    run.polls(3, negotiated(Double.NaN, 4));
    assertThat(run.findings()).isEmpty();
  }

  @Test
  void a_speed_that_is_rounded_is_no_loss() {
    run.polls(3, negotiated(389e9, 8));

    assertThat(run.findings()).isEmpty();
  }

  private static Consumer<FakeWindow> negotiated(double speed, double lanes) {
    return window ->
        window.gauge("port.speed_bits_per_second", speed).gauge("port.width_lanes", lanes);
  }

  private static Fabric planned(long speed, int lanes) {
    return Fabric.builder()
        .device(Device.of("leaf1", Role.LEAF))
        .port(port(LEAF, speed, lanes))
        .port(port(HOST, speed, lanes))
        .link(Link.between(LEAF, HOST, Tier.HOST_LEAF, null))
        .build();
  }

  private static Port port(PortId id, long speed, int lanes) {
    return new Port(id, speed, lanes, FecMode.UNKNOWN, Media.UNKNOWN, null, 0, true, List.of());
  }
}
