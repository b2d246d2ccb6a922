package io.fabrichealth.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.fabrichealth.topology.Neighbour.PortIdKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Whatever devices say, no port is in two links, and all that is said has its place. */
class WiringFuzzTest {
  private static final String[] NAMES = {"a", "b", "A", "a.x", "b8:3f:d2:00:00:01", "", "sonic"};

  @FuzzTest
  void a_port_has_one_link_and_names_lead_to_ports(FuzzedDataProvider data) {
    Fabric known = Fabric.EMPTY;
    Fabric plan = Fabric.EMPTY;
    for (int round = 0; round < 3; round++) {
      List<Sighting> sightings = new ArrayList<>();
      for (int device = data.consumeInt(0, 4); device > 0; device--) {
        sightings.add(sighting(data));
      }
      Fabric fabric = Wiring.join(plan, known, sightings);
      check(fabric, sightings);
      TopologyChange.between(known, fabric);
      PlanDiff.of(known, fabric);
      plan = data.consumeBoolean() ? known : plan;
      known = fabric;
    }
  }

  private static Sighting sighting(FuzzedDataProvider data) {
    List<SeenPort> ports = new ArrayList<>();
    for (int port = data.consumeInt(0, 4); port > 0; port--) {
      ports.add(new SeenPort(name(data), 0, 0, true, List.of(name(data), name(data))));
    }
    List<Neighbour> neighbours = new ArrayList<>();
    for (int seen = data.consumeInt(0, 4); seen > 0; seen--) {
      neighbours.add(
          new Neighbour(
              name(data),
              data.consumeBoolean() ? name(data) : null,
              name(data),
              name(data),
              data.pickValue(PortIdKind.values()),
              data.consumeBoolean() ? name(data) : null));
    }
    return new Sighting(
        name(data),
        data.pickValue(Role.values()),
        data.consumeBoolean() ? name(data) : null,
        null,
        List.of(name(data)),
        ports,
        neighbours,
        data.consumeBoolean());
  }

  private static String name(FuzzedDataProvider data) {
    return data.pickValue(NAMES);
  }

  private static void check(Fabric fabric, List<Sighting> sightings) {
    Set<PortId> ends = new HashSet<>();
    for (Link link : fabric.links()) {
      for (PortId end : link.ends()) {
        assertThat(ends.add(end)).as(end.id()).isTrue();
        assertThat(fabric.port(end)).isNotNull();
        assertThat(fabric.linkAt(end)).isEqualTo(link);
        assertThat(fabric.device(end.device())).as(end.id()).isNotNull();
      }
    }
    assertThat(ends).hasSize(fabric.ports().size());
    for (Sighting sighting : sightings) {
      assertThat(fabric.device(sighting.device())).isNotNull();
      for (SeenPort port : sighting.ports()) {
        assertThat(fabric.names().port(sighting.device(), port.name())).isNotNull();
      }
    }
    for (Port port : fabric.ports()) {
      assertThat(fabric.names().port(port.id().device(), port.id().port())).isEqualTo(port.id());
    }
  }
}
