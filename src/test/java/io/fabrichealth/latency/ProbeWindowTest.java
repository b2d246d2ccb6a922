package io.fabrichealth.latency;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.latency.ProbeSample.Endpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProbeWindowTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  private final ProbeWindow window = new ProbeWindow(Duration.ofMinutes(12), 2);

  @Test
  void sums_what_one_flow_sent_and_keeps_its_shortest_round_trip() {
    window.add(START, sample("h1", 1, 100, 2, 9.5));
    window.add(START.plusSeconds(60), sample("h1", 1, 50, 1, 7.5));
    window.add(START.plusSeconds(120), sample("h1", 1, 5, 5, Double.NaN));

    ProbeWindow.Totals totals = window.flows().values().iterator().next();

    assertThat(window.flows()).hasSize(1);
    assertThat(totals.sent()).isEqualTo(155);
    assertThat(totals.lost()).isEqualTo(8);
    assertThat(totals.leastMicros()).isEqualTo(7.5);
  }

  @Test
  void flows_of_one_known_path_are_one_and_others_are_told_apart_by_port() {
    window.add(START, sample("h1", 1, 10, 0, 8));
    window.add(START, sample("h1", 2, 10, 0, 8));

    assertThat(window.flows()).hasSize(2);

    window.advance(START.plusSeconds(3_600));
    window.add(START.plusSeconds(3_600), onPath(1));
    window.add(START.plusSeconds(3_600), onPath(2));

    assertThat(window.flows()).hasSize(1);
  }

  @Test
  void what_is_older_than_the_window_is_forgotten() {
    window.add(START, sample("h1", 1, 100, 2, 8));
    window.add(START.plus(Duration.ofMinutes(11)), sample("h1", 1, 10, 0, 8));
    assertThat(window.flows().values().iterator().next().sent()).isEqualTo(110);

    window.advance(START.plus(Duration.ofMinutes(12)));
    assertThat(window.flows().values().iterator().next().sent()).isEqualTo(10);

    window.advance(START.plus(Duration.ofMinutes(40)));
    assertThat(window.flows()).isEmpty();
  }

  @Test
  void stragglers_count_and_those_from_before_the_window_are_refused() {
    window.add(START.plus(Duration.ofMinutes(5)), sample("h1", 1, 100, 0, 8));
    window.add(START.plus(Duration.ofMinutes(7)), sample("h1", 1, 100, 0, 8));
    window.add(START.plus(Duration.ofMinutes(6)), sample("h1", 1, 10, 0, 8));
    window.add(START.minusSeconds(600), sample("h1", 1, 1, 0, 8));

    assertThat(window.flows().values().iterator().next().sent()).isEqualTo(210);
    assertThat(window.refused()).isEqualTo(1);
  }

  @Test
  void one_flow_too_many_is_refused() {
    for (int port = 1; port <= 5; port++) {
      window.add(START, sample("h1", port, 10, 0, 8));
    }

    assertThat(window.flows()).hasSize(2);
    assertThat(window.refused()).isEqualTo(3);
  }

  private static ProbeSample onPath(int port) {
    return new ProbeSample(
        new Endpoint("h1", "nic0"),
        new Endpoint("h2", "nic0"),
        "prober",
        port,
        64,
        List.of("a:1--b:2"),
        10,
        0,
        null);
  }

  static ProbeSample sample(String src, int port, long sent, long lost, double micros) {
    return new ProbeSample(
        new Endpoint(src, "nic0"),
        new Endpoint("h2", "nic0"),
        "prober",
        port,
        64,
        List.of(),
        sent,
        lost,
        Double.isNaN(micros)
            ? null
            : new ProbeSample.RoundTrip(micros, micros + 1, Double.NaN, Double.NaN));
  }
}
