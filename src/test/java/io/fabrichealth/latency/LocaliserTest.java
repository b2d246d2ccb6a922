package io.fabrichealth.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.latency.ProbeSample.Endpoint;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Four leaves with two hosts each, three spines; a probe of each pair over each spine. */
class LocaliserTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final int LEAVES = 4;
  private static final int SPINES = 3;

  private final Fabric fabric = fabric();
  private final ProbeWindow window = new ProbeWindow(Duration.ofHours(1), 10_000);

  @Test
  void a_component_that_several_ports_share_is_named_instead_of_each_link() {
    Set<PortId> gearbox = Set.of(new PortId("l0", "u0"), new PortId("l0", "u1"));
    probes((path, leaf, spine) -> leaf == 0 && spine < 2 ? 40 : 0, true, 0);

    List<PathFinding> found = new Localiser(fabric, List.of(gearbox)).localise(window);

    assertThat(found).hasSize(1);
    assertThat(found.getFirst().cause()).isEqualTo(Cause.SHARED_COMPONENT);
    assertThat(found.getFirst().subject().type()).isEqualTo(SubjectType.SHARED_COMPONENT);
    assertThat(found.getFirst().subject().id()).isEqualTo("l0:u0+l0:u1");
  }

  @Test
  void a_link_to_a_host_is_named_without_a_direction() {
    window.add(START, sample("h0-0", "h1-0", List.of(), 10_000, 30, 8));
    window.add(START, sample("h0-1", "h1-1", List.of(), 10_000, 0, 8));
    for (int leaf = 1; leaf < LEAVES; leaf++) {
      window.add(START, sample("h0-0", "h" + leaf + "-1", List.of(), 10_000, 28, 8));
      window.add(START, sample("h" + leaf + "-1", "h1-0", List.of(), 10_000, 0, 8));
      window.add(START, sample("h0-1", "h" + leaf + "-0", List.of(), 10_000, 0, 8));
    }

    List<PathFinding> found = new Localiser(fabric).localise(window);

    assertThat(found).hasSize(1);
    assertThat(found.getFirst().subject().id()).isEqualTo("h0-0:nic0--l0:d0");
    assertThat(found.getFirst().from()).isNull();
    assertThat(found.getFirst().family()).isEqualTo(Family.LOSS);
    assertThat(found.getFirst().pairs()).hasSize(4);
  }

  @Test
  void a_slow_link_is_named_with_its_microseconds() {
    PairBaselines baselines = new PairBaselines(Duration.ofMinutes(10), 8, 10_000);
    probes((path, leaf, spine) -> 0, false, 0);
    for (int minute = 0; minute < 60; minute += 10) {
      Instant at = START.plusSeconds(60L * minute);
      window.flows().keySet().forEach(flow -> baselines.add(at, again(flow)));
    }
    window.advance(START.plus(Duration.ofHours(3)));
    probes((path, leaf, spine) -> 0, false, 18);

    List<PathFinding> found = new Localiser(fabric).slow(window, baselines);

    assertThat(found).hasSize(1);
    assertThat(found.getFirst().cause()).isEqualTo(Cause.LINK_SLOW);
    assertThat(found.getFirst().subject().id()).isEqualTo("l2:u1--s1:d2");
    assertThat(found.getFirst().from()).hasToString("l2:u1");
    assertThat(found.getFirst().amount()).isCloseTo(18, within(.5));
    assertThat(found.getFirst().pairs().getFirst().excessMicros()).isCloseTo(18, within(.5));
  }

  @Test
  void probes_between_unknown_ends_are_passed_over() {
    window.add(START, sample("who", "h1-0", List.of(), 1_000, 500, 8));

    assertThat(new Localiser(fabric).localise(window)).isEmpty();
  }

  /** What of 10,000 probes a path loses. */
  private interface Losses {
    long lost(List<String> path, int leaf, int spine);
  }

  /** The delay is that of the way from leaf 2 to spine 1. */
  private void probes(Losses losses, boolean isLosing, double delay) {
    Instant at = delay == 0 ? START : START.plus(Duration.ofHours(3));
    for (int from = 0; from < LEAVES; from++) {
      for (int to = 0; to < LEAVES; to++) {
        for (int spine = 0; from != to && spine < SPINES; spine++) {
          List<String> path =
              List.of(
                  "h" + from + "-0:nic0--l" + from + ":d0",
                  "l" + from + ":u" + spine + "--s" + spine + ":d" + from,
                  "l" + to + ":u" + spine + "--s" + spine + ":d" + to,
                  "h" + to + "-0:nic0--l" + to + ":d0");
          long lost = isLosing ? losses.lost(path, from, spine) + losses.lost(path, to, spine) : 0;
          boolean isSlow = (from == 2 && spine == 1);
          List<String> back = new ArrayList<>(path.reversed());
          back.set(1, "l" + to + ":u2--s2:d" + to);
          back.set(2, "l" + from + ":u2--s2:d" + from);
          ProbeSample sample =
              sample(
                  "h" + from + "-0", "h" + to + "-0", path, 10_000, lost, 8 + (isSlow ? delay : 0));
          window.add(at, delay == 0 ? sample : withReturn(sample, back));
        }
      }
    }
  }

  private static ProbeSample withReturn(ProbeSample of, List<String> back) {
    return new ProbeSample(
        of.src(),
        of.dst(),
        of.tool(),
        of.sourcePort(),
        of.bytes(),
        of.path(),
        List.of(),
        back,
        of.sent(),
        of.lost(),
        of.rtt());
  }

  private static ProbeSample again(ProbeFlow flow) {
    return sample(flow.src().device(), flow.dst().device(), flow.path(), 100, 0, 8);
  }

  private static ProbeSample sample(
      String src, String dst, List<String> path, long sent, long lost, double micros) {
    return new ProbeSample(
        new Endpoint(src, "nic0"),
        new Endpoint(dst, "nic0"),
        "prober",
        7,
        64,
        path,
        sent,
        lost,
        new ProbeSample.RoundTrip(micros, micros + 1, Double.NaN, Double.NaN));
  }

  private static Fabric fabric() {
    Fabric.Builder fabric = Fabric.builder();
    for (int leaf = 0; leaf < LEAVES; leaf++) {
      fabric.device(Device.of("l" + leaf, Role.LEAF));
      for (int host = 0; host < 2; host++) {
        String name = "h" + leaf + "-" + host;
        fabric.device(Device.of(name, Role.HOST));
        link(fabric, name, "nic0", "l" + leaf, "d" + host, Tier.HOST_LEAF);
      }
      for (int spine = 0; spine < SPINES; spine++) {
        fabric.device(Device.of("s" + spine, Role.SPINE));
        link(fabric, "l" + leaf, "u" + spine, "s" + spine, "d" + leaf, Tier.LEAF_SPINE);
      }
    }
    return fabric.build();
  }

  private static void link(
      Fabric.Builder fabric, String a, String ap, String b, String bp, Tier tier) {
    fabric.link(Link.between(new PortId(a, ap), new PortId(b, bp), tier, null));
  }
}
