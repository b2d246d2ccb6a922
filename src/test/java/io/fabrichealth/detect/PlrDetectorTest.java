package io.fabrichealth.detect;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.runtime.ThresholdCatalogue;
import io.fabrichealth.testing.DetectorRun;
import io.fabrichealth.testing.FakeWindow;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class PlrDetectorTest {
  private static final double OPENS = 8.76;
  private static final double CODES = 1.5e9;

  private final DetectorRun<PlrDetector.State> run =
      DetectorRun.of(dictionary -> new PlrDetector(dictionary, ThresholdCatalogue.load()));

  private static Consumer<FakeWindow> again(double events) {
    return window ->
        window.grow("plr.received_codes", CODES).grow("plr.retransmission_events", events);
  }

  @Test
  void what_is_sent_again_and_again_is_a_bad_link_within_two_polls() {
    run.polls(60, again(0));
    run.polls(2, again(200));

    assertThat(run.nats()).isGreaterThan(OPENS);
    assertThat(run.cause()).isEqualTo(Cause.PHY_LINK);
    assertThat(run.finding().evidence().observed())
        .startsWith("400 times codes were sent again, of 3,000,000,000");
  }

  @Test
  void broken_codes_count_where_the_port_does_not_count_codes() {
    run.polls(3, window -> window.grow("plr.received_code_errors", 150));

    assertThat(run.nats()).isGreaterThan(OPENS);
  }

  @Test
  void no_false_positive_when_now_and_then_a_code_is_sent_again() {
    for (int poll = 0; poll < 6 * 60 * 24; poll++) {
      run.poll(again(poll % 200 == 0 ? 1 : 0));
      assertThat(run.nats()).isLessThan(5.8);
    }
  }

  @Test
  void no_false_positive_when_the_link_was_down() {
    run.poll(again(0));
    run.poll(again(1e6).andThen(FakeWindow::down));
    run.poll(again(1e6));

    assertThat(run.findings()).isEmpty();
  }

  @Test
  void it_is_silent_a_while_after_the_last_one() {
    run.polls(10, again(2_000));
    run.polls(6 * 15, again(0));

    assertThat(run.nats()).isLessThan(5.8);
  }

  @Test
  void a_port_without_such_counters_costs_no_state() {
    run.poll(window -> {});
    PlrDetector.State before = run.state();
    run.poll(window -> {});

    assertThat(run.state()).isSameAs(before);
  }
}
