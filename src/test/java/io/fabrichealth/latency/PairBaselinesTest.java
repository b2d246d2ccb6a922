package io.fabrichealth.latency;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.latency.ProbeSample.Endpoint;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PairBaselinesTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  private final PairBaselines pairs = new PairBaselines(Duration.ofMinutes(10), 8, 100_000);

  @Test
  void queues_that_come_and_go_leave_the_baseline_alone() {
    for (int minute = 0; minute < 80; minute++) {
      add(minute, "h1", "h2", minute % 10 == 3 ? 8 : 8 + minute % 7 * 30);
    }
    int pair = pairs.pair(end("h1"), end("h2"));

    assertThat(pairs.baselineMicros(pair)).isEqualTo(8);
    assertThat(pairs.recentMicros(pair)).isEqualTo(8);
  }

  @Test
  void a_link_that_became_slow_shows_against_the_baseline() {
    for (int minute = 0; minute < 80; minute++) {
      add(minute, "h1", "h2", minute < 50 ? 8 : 33);
    }
    int pair = pairs.pair(end("h1"), end("h2"));

    assertThat(pairs.baselineMicros(pair)).isEqualTo(8);
    assertThat(pairs.recentMicros(pair)).isEqualTo(33);
  }

  @Test
  void too_few_windows_and_silence_are_not_a_number() {
    add(0, "h1", "h2", 8);
    add(10, "h1", "h2", 8);
    int pair = pairs.pair(end("h1"), end("h2"));
    assertThat(pairs.baselineMicros(pair)).isNaN();

    add(60, "h3", "h4", 8);
    assertThat(pairs.recentMicros(pair)).isNaN();
    assertThat(pairs.recentSent(pair)).isZero();
    assertThat(pairs.pair(end("h2"), end("h1"))).isNegative();
  }

  @Test
  void what_is_too_old_or_too_much_is_refused() {
    PairBaselines few = new PairBaselines(Duration.ofMinutes(10), 4, 2);
    few.add(START.plusSeconds(86_400), sample("h1", "h2", 8, 0));
    few.add(START, sample("h1", "h2", 8, 0));
    few.add(START.plusSeconds(86_400), sample("h1", "h3", 8, 0));
    few.add(START.plusSeconds(86_400), sample("h1", "h4", 8, 0));

    assertThat(few.pairs()).isEqualTo(2);
    assertThat(few.refused()).isEqualTo(2);
  }

  @Test
  void thousands_of_pairs_are_told_apart() {
    for (int src = 0; src < 150; src++) {
      for (int dst = 0; dst < 150; dst++) {
        if (src != dst) {
          pairs.add(START, sample("h" + src, "h" + dst, 1 + src + dst / 1_000.0, 0));
        }
      }
    }

    assertThat(pairs.pairs()).isEqualTo(150 * 149);
    int pair = pairs.pair(end("h149"), end("h3"));
    assertThat(pairs.recentMicros(pair)).isEqualTo((float) 150.003);
    assertThat(pairs.src(pair)).isEqualTo(end("h149"));
    assertThat(pairs.dst(pair)).isEqualTo(end("h3"));
  }

  @Test
  void matrices_join_pairs_by_host_rack_and_rail_and_leave_gaps() {
    for (int minute = 0; minute < 50; minute += 5) {
      add(minute, "h1", "h2", 5);
      add(minute, "h1", "h3", 9);
      add(minute, "h2", "h3", 11);
    }
    pairs.add(START.plusSeconds(2_950), sample("h1", "h3", 9, 4));
    Fabric fabric = fabric();

    LatencyMatrix hosts = LatencyMatrix.of(pairs, fabric, LatencyMatrix.Level.HOST);
    LatencyMatrix racks = LatencyMatrix.of(pairs, fabric, LatencyMatrix.Level.RACK);
    LatencyMatrix rails = LatencyMatrix.of(pairs, fabric, LatencyMatrix.Level.RAIL);

    assertThat(hosts.names()).containsExactly("h1", "h2", "h3");
    assertThat(hosts.recentMicros(0, 2)).isEqualTo(9);
    assertThat(hosts.baselineMicros(0, 2)).isEqualTo(9);
    assertThat(hosts.lossRatio(0, 2)).isEqualTo(4.0 / 50);
    assertThat(hosts.recentMicros(2, 0)).isNaN();
    assertThat(hosts.lossRatio(2, 0)).isNaN();
    assertThat(racks.names()).containsExactly("leaf1", "leaf2");
    assertThat(racks.recentMicros(0, 0)).isEqualTo(5);
    assertThat(racks.recentMicros(0, 1)).isEqualTo(9);
    assertThat(racks.recentMicros(1, 0)).isNaN();
    assertThat(rails.names()).containsExactly("rail0");
    assertThat(rails.recentMicros(0, 0)).isEqualTo(9);
  }

  private static Fabric fabric() {
    Fabric.Builder fabric = Fabric.builder();
    for (int host = 1; host <= 3; host++) {
      fabric.device(Device.of("h" + host, Role.HOST));
      PortId leaf = new PortId("leaf" + (host + 1) / 2, "e" + host);
      fabric.link(Link.between(new PortId("h" + host, "nic0"), leaf, Tier.HOST_LEAF, 0));
    }
    return fabric.build();
  }

  private void add(int minute, String src, String dst, double micros) {
    pairs.add(START.plusSeconds(60L * minute), sample(src, dst, micros, 0));
  }

  private static Endpoint end(String device) {
    return new Endpoint(device, "nic0");
  }

  private static ProbeSample sample(String src, String dst, double micros, long lost) {
    return new ProbeSample(
        end(src),
        end(dst),
        "prober",
        7,
        64,
        List.of(),
        10,
        lost,
        new ProbeSample.RoundTrip(micros, micros + 2, Double.NaN, Double.NaN));
  }
}
