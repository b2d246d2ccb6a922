package io.fabrichealth.collect.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.topology.EndsComparison;
import io.fabrichealth.topology.EndsComparison.End;
import io.fabrichealth.topology.EndsComparison.Mismatch;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PlanDiff;
import io.fabrichealth.topology.PlanDiff.Cable;
import io.fabrichealth.topology.PlanDiff.Difference;
import io.fabrichealth.topology.PlanDiff.Swap;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.PortProperty;
import io.fabrichealth.topology.SeenPort;
import io.fabrichealth.topology.TopologyChange;
import io.fabrichealth.topology.TopologyChange.Kind;
import io.fabrichealth.topology.Wiring;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What stock lldpd, snmpd and node_exporter said in the fabric lab, joined and held to the plan.
 */
class RecordedLabTest {
  private static final PlanDiff NOTHING =
      new PlanDiff(List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of());

  @ParameterizedTest
  @ValueSource(
      strings = {
        "healthy",
        "silent-loss-spine",
        "silent-loss-one-link",
        "visible-discards",
        "flap",
        "wrong-cable",
        "mtu-mismatch"
      })
  void before_the_fault_all_is_as_planned(String name) throws Exception {
    RecordedLab lab = RecordedLab.of(name);
    Fabric fabric = Wiring.join(lab.plan(), Fabric.EMPTY, lab.sightings(1));

    assertThat(PlanDiff.of(lab.plan(), fabric)).isEqualTo(NOTHING);
    assertThat(fabric.links()).hasSize(16).noneMatch(Link::isHalf);
    assertThat(fabric.ports()).hasSize(32);
    assertThat(mismatches(fabric)).isEmpty();
    assertThat(fabric.names().ambiguities()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "healthy",
        "silent-loss-spine",
        "silent-loss-one-link",
        "visible-discards",
        "flap"
      })
  void what_does_not_touch_cables_does_not_show(String name) throws Exception {
    RecordedLab lab = RecordedLab.of(name);
    Fabric before = Wiring.join(lab.plan(), Fabric.EMPTY, lab.sightings(1));
    Fabric after = Wiring.join(lab.plan(), before, lab.sightings(3));

    assertThat(PlanDiff.of(lab.plan(), after)).isEqualTo(NOTHING);
    assertThat(TopologyChange.between(before, after)).isEmpty();
    assertThat(mismatches(after)).isEmpty();
  }

  @Test
  void two_exchanged_cables_are_one_swap() throws Exception {
    RecordedLab lab = RecordedLab.of("wrong-cable");
    Fabric before = Wiring.join(lab.plan(), Fabric.EMPTY, lab.sightings(1));
    Fabric after = Wiring.join(lab.plan(), before, lab.sightings(3));

    assertThat(PlanDiff.of(lab.plan(), after))
        .isEqualTo(
            new PlanDiff(
                List.of(),
                List.of(),
                List.of(
                    new Swap(
                        List.of(
                            cable("leaf2:Ethernet49", "spine1:Ethernet2"),
                            cable("leaf4:Ethernet49", "spine1:Ethernet4")),
                        List.of(
                            cable("leaf2:Ethernet49", "spine1:Ethernet4"),
                            cable("leaf4:Ethernet49", "spine1:Ethernet2")))),
                List.of(),
                List.of(),
                List.of(),
                List.of()));
    assertThat(TopologyChange.between(before, after))
        .allMatch(change -> change.kind() == Kind.LINK_MOVED)
        .extracting(change -> change.device() + ":" + change.port())
        .containsExactlyInAnyOrder(
            "leaf2:Ethernet49", "leaf4:Ethernet49", "spine1:Ethernet2", "spine1:Ethernet4");
    assertThat(mismatches(after)).isEmpty();
  }

  @Test
  void without_a_plan_the_wiring_follows_the_cables() throws Exception {
    RecordedLab lab = RecordedLab.of("wrong-cable");
    Fabric before = Wiring.join(Fabric.EMPTY, Fabric.EMPTY, lab.sightings(1));
    Fabric after = Wiring.join(Fabric.EMPTY, before, lab.sightings(3));

    assertThat(before.link("leaf2:Ethernet49--spine1:Ethernet2")).isNotNull();
    assertThat(after.link("leaf2:Ethernet49--spine1:Ethernet2")).isNull();
    assertThat(after.link("leaf2:Ethernet49--spine1:Ethernet4")).isNotNull();
    assertThat(after.links()).hasSize(16).noneMatch(Link::isHalf);
    assertThat(PlanDiff.of(Fabric.EMPTY, after)).isEqualTo(NOTHING);
  }

  @Test
  void a_smaller_mtu_at_one_end_is_a_mismatch_of_that_link_alone() throws Exception {
    RecordedLab lab = RecordedLab.of("mtu-mismatch");
    Fabric before = Wiring.join(lab.plan(), Fabric.EMPTY, lab.sightings(1));
    Fabric after = Wiring.join(lab.plan(), before, lab.sightings(3));

    assertThat(mismatches(after))
        .containsExactly(
            Map.entry(
                "leaf4:Ethernet49--spine1:Ethernet4",
                List.of(new Mismatch(PortProperty.MTU_BYTES, "1500", "9216"))));
    assertThat(PlanDiff.of(lab.plan(), after))
        .isEqualTo(
            new PlanDiff(
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(
                    new Difference(
                        new PortId("leaf4", "Ethernet49"), PortProperty.MTU_BYTES, "9216", "1500")),
                List.of(),
                List.of()));
  }

  private static Map<String, List<Mismatch>> mismatches(Fabric fabric) {
    Map<String, List<Mismatch>> found = new TreeMap<>();
    for (Link link : fabric.links()) {
      List<End> ends = new ArrayList<>();
      for (PortId end : link.ends()) {
        SeenPort seen = fabric.seen().port(end);
        ends.add(
            new End(
                end,
                fabric.device(end.device()).role(),
                seen.speedBitsPerSecond(),
                seen.lanes(),
                seen.fec(),
                seen.mtu(),
                null));
      }
      List<Mismatch> of = EndsComparison.mismatches(ends.getFirst(), ends.getLast());
      if (!of.isEmpty()) {
        found.put(link.id(), of);
      }
    }
    return found;
  }

  private static Cable cable(String a, String b) {
    return new Cable(port(a), port(b));
  }

  private static PortId port(String id) {
    return new PortId(id.substring(0, id.indexOf(':')), id.substring(id.indexOf(':') + 1));
  }
}
