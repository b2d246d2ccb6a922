package io.fabrichealth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.latency.LatencyMatrix;
import io.fabrichealth.latency.ProbeSample;
import io.fabrichealth.latency.ProbeSample.Endpoint;
import io.fabrichealth.latency.ProbeSample.RoundTrip;
import io.fabrichealth.testing.EngineRun;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import io.fabrichealth.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Four leaves of two hosts each, two spines, and nothing read of them: only probes. */
class ProbesTest {
  private static final int LEAVES = 4;
  private static final int SENT = 1_000;
  private static final Duration EVERY = Duration.ofSeconds(10);
  private static final String LINK = "leaf1:up2--spine2:down1";

  private final Engine engine = new Engine(EngineRun.DICTIONARY, EngineRun.DETECTORS);
  private final EngineState state = engine.initial();
  private final Map<Subject, Verdict> open = new LinkedHashMap<>();
  private long lost = 1;
  private Instant now = Instant.parse("2026-03-01T00:00:00Z");

  ProbesTest() {
    take(new EngineInput.Topology(now, fabric()));
  }

  private static Fabric fabric() {
    Fabric.Builder fabric = Fabric.builder();
    for (int spine = 1; spine <= 2; spine++) {
      fabric.device(Device.of("spine" + spine, Role.SPINE));
    }
    for (int leaf = 1; leaf <= LEAVES; leaf++) {
      fabric.device(Device.of("leaf" + leaf, Role.LEAF));
      for (int spine = 1; spine <= 2; spine++) {
        fabric.link(
            Link.between(
                new PortId("leaf" + leaf, "up" + spine),
                new PortId("spine" + spine, "down" + leaf),
                Tier.LEAF_SPINE,
                null));
      }
      for (int host = 2 * leaf - 1; host <= 2 * leaf; host++) {
        fabric.device(Device.of("host" + host, Role.HOST));
        fabric.link(
            Link.between(
                new PortId("host" + host, "p"),
                new PortId("leaf" + leaf, "down" + host),
                Tier.HOST_LEAF,
                null));
      }
    }
    return fabric.build();
  }

  private void take(EngineInput... inputs) {
    for (Verdict verdict : engine.step(state, List.of(inputs))) {
      if (verdict.isOpen()) {
        open.put(verdict.subject(), verdict);
      } else {
        open.remove(verdict.subject());
      }
    }
  }

  /** All pairs of hosts of different leaves over both spines, once; some lose one probe. */
  private void round(Predicate<List<String>> isLossy, boolean isTold) {
    now = now.plus(EVERY);
    List<EngineInput> probes = new ArrayList<>();
    for (int from = 1; from <= 2 * LEAVES; from++) {
      for (int to = 1; to <= 2 * LEAVES; to++) {
        int leaf = (from + 1) / 2;
        int other = (to + 1) / 2;
        for (int spine = 1; spine <= 2 && leaf != other; spine++) {
          List<String> path =
              List.of(
                  id("host" + from + ":p", "leaf" + leaf + ":down" + from),
                  id("leaf" + leaf + ":up" + spine, "spine" + spine + ":down" + leaf),
                  id("spine" + spine + ":down" + other, "leaf" + other + ":up" + spine),
                  id("leaf" + other + ":down" + to, "host" + to + ":p"));
          probes.add(
              new EngineInput.Probe(
                  now,
                  new ProbeSample(
                      new Endpoint("host" + from, "p"),
                      new Endpoint("host" + to, "p"),
                      "test",
                      49_152,
                      null,
                      isTold ? path : List.of(),
                      SENT,
                      isLossy.test(path) ? lost : 0,
                      new RoundTrip(7, 8, 12, 15))));
        }
      }
    }
    take(probes.toArray(EngineInput[]::new));
  }

  private static String id(String one, String other) {
    return one.compareTo(other) < 0 ? one + "--" + other : other + "--" + one;
  }

  @Test
  void a_link_that_loses_one_in_a_thousand_is_named_though_no_counter_moves() {
    round(path -> path.contains(LINK), true);
    round(path -> path.contains(LINK), true);
    round(path -> path.contains(LINK), true);

    assertThat(open).containsOnlyKeys(new Subject(SubjectType.LINK, LINK));
    Verdict verdict = open.values().iterator().next();
    assertThat(verdict.cause()).isEqualTo(Cause.PACKET_LOSS);
    assertThat(verdict.members()).contains("host1", "host2");
    assertThat(verdict.evidence())
        .filteredOn(line -> line.signal().equals("probe.loss"))
        .extracting(Evidence::observed)
        .singleElement()
        .asString()
        .contains("probes that crossed it were lost there");
  }

  @Test
  void a_spine_that_loses_them_is_one_incident_of_the_spine() {
    for (int i = 0; i < 3; i++) {
      round(path -> path.get(1).contains("spine1:"), true);
    }

    assertThat(open).containsOnlyKeys(Subject.ofSwitch("spine1"));
    assertThat(open.values().iterator().next().cause()).isEqualTo(Cause.SWITCH_PACKET_LOSS);
  }

  @Test
  void nothing_is_named_where_nothing_is_lost_or_all_lose_alike() {
    for (int i = 0; i < 6; i++) {
      round(path -> false, true);
    }
    assertThat(open).isEmpty();
  }

  @Test
  void where_the_ways_are_not_told_they_follow_from_the_topology() {
    for (int i = 0; i < 12; i++) {
      round(path -> path.contains("host3:p--leaf2:down3"), false);
    }

    assertThat(open.keySet()).extracting(Subject::id).containsExactly("host3:p--leaf2:down3");
  }

  @Test
  void what_is_no_longer_lost_ends_once_the_window_has_passed() {
    for (int i = 0; i < 3; i++) {
      round(path -> path.contains(LINK), true);
    }
    assertThat(open).hasSize(1);

    for (int i = 0; i < 200; i++) {
      round(path -> false, true);
    }

    assertThat(open).isEmpty();
  }

  @Test
  void another_wiring_is_looked_at_anew() {
    for (int i = 0; i < 3; i++) {
      round(path -> path.contains(LINK), true);
    }
    take(new EngineInput.Topology(now, fabric()));
    round(path -> path.contains(LINK), true);

    assertThat(open).hasSize(1);
    assertThat(state.detectorFaults()).isZero();
  }

  @Test
  void an_outage_is_told_only_where_it_lasts_and_of_no_host() {
    lost = SENT;
    for (int i = 0; i < 6; i++) {
      round(path -> path.contains(LINK) || path.getFirst().startsWith("host5:"), true);
    }
    assertThat(open).isEmpty();

    for (int i = 0; i < 3; i++) {
      round(path -> path.contains(LINK) || path.getFirst().startsWith("host5:"), true);
    }
    assertThat(open.keySet()).extracting(Subject::id).containsExactly(LINK);
  }

  @Test
  void a_flow_that_loses_all_once_accuses_nobody() {
    for (int i = 0; i < 20; i++) {
      round(path -> false, true);
    }
    lost = SENT;
    round(path -> path.contains("host3:p--leaf2:down3") && path.get(3).startsWith("host1:"), true);
    for (int i = 0; i < 20; i++) {
      round(path -> false, true);
    }

    assertThat(open).isEmpty();
  }

  @Test
  void probes_of_a_while_ago_set_no_clock_back() {
    round(path -> false, true);
    Instant before = state.now;
    now = now.minus(Duration.ofMinutes(9));
    round(path -> false, true);

    assertThat(state.now).isEqualTo(before);
  }

  @Test
  void where_nothing_comes_any_more_the_matrix_has_gaps() {
    round(path -> false, true);
    assertThat(state.latency(LatencyMatrix.Level.HOST).lossRatio(0, 2)).isZero();

    take(new EngineInput.Topology(now.plus(Duration.ofHours(2)), fabric()));

    assertThat(state.latency(LatencyMatrix.Level.HOST).lossRatio(0, 2)).isNaN();
  }

  @Test
  void after_a_clock_was_set_back_probes_are_looked_at_again() {
    now = now.plus(Duration.ofHours(1));
    round(path -> false, true);
    now = now.minus(Duration.ofHours(1));
    take(new EngineInput.Topology(now, fabric()));
    for (int i = 0; i < 3; i++) {
      round(path -> path.contains(LINK), true);
    }

    assertThat(open).hasSize(1);
  }
}
