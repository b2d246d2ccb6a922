package io.fabrichealth.detect;

import static io.fabrichealth.testing.DetectorRun.HOST;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.testing.DetectorRun;
import org.junit.jupiter.api.Test;

class EcnShareDetectorTest {
  private final DetectorRun<EcnShareDetector.State> run = DetectorRun.of(EcnShareDetector::new);

  @Test
  void a_port_that_marks_packets_is_congested_and_its_link_not_degraded() {
    run.poll(
        window -> window.grows("ecn.marked_packets", 0, 0, 0, 4e6).grow("port.out_packets", 8e7));

    assertThat(run.cause()).isEqualTo(Cause.CONGESTION);
    assertThat(run.cause().degradesLink()).isFalse();
    assertThat(run.finding().evidence().observed()).isEqualTo("5.0 % of the packets marked");
  }

  @Test
  void a_host_that_receives_marked_packets_tells_it_too() {
    run.at(HOST)
        .poll(window -> window.grow("roce.ecn_marked_packets", 4e6).grow("port.in_packets", 8e7));

    assertThat(run.cause()).isEqualTo(Cause.CONGESTION);
    assertThat(run.finding().evidence().signal()).isEqualTo("roce.ecn_marked_packets");
  }

  @Test
  void how_many_notices_a_host_sends_for_what_it_receives_is_told_beside_it() {
    run.at(HOST)
        .poll(
            window ->
                window
                    .grow("roce.ecn_marked_packets", 4e6)
                    .grow("roce.cnp_sent", 1e6)
                    .grow("port.in_packets", 8e7));

    assertThat(run.finding().evidence().observed())
        .isEqualTo("5.0 % of the packets marked, congestion notices sent for 25 % of them");

    run.poll(
        window ->
            window
                .grow("roce.ecn_marked_packets", 4e6)
                .grow("roce.cnp_sent", 0)
                .grow("port.in_packets", 8e7));

    assertThat(run.finding().evidence().observed()).endsWith(", no congestion notice sent");
  }

  @Test
  void the_few_marks_of_every_fabric_are_not_worth_a_word() {
    run.poll(window -> window.grow("ecn.marked_packets", 160).grow("port.out_packets", 8e7));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void it_clears_at_the_first_poll_with_fewer_marks() {
    run.poll(window -> window.grow("ecn.marked_packets", 4e6).grow("port.out_packets", 8e7));
    run.poll(window -> window.grow("ecn.marked_packets", 4e2).grow("port.out_packets", 8e7));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void marks_without_packets_to_hold_them_against_say_nothing() {
    run.poll(window -> window.grow("ecn.marked_packets", 4e6));
    run.poll(window -> window.grow("ecn.marked_packets", 4e6).grow("port.out_packets", 0));
    run.poll(window -> window.reset("ecn.marked_packets").grow("port.out_packets", 1e6));

    assertThat(run.findings()).isEmpty();
  }
}
