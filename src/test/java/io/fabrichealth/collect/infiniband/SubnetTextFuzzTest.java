package io.fabrichealth.collect.infiniband;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.infiniband.InfinibandTopology.Format;
import io.fabrichealth.collect.infiniband.NodePort.Peer;
import io.fabrichealth.topology.Neighbour;
import io.fabrichealth.topology.SeenPort;
import io.fabrichealth.topology.Sighting;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/** Whatever stands in a text: what is told of a subnet does not contradict itself. */
class SubnetTextFuzzTest {
  private static final String LATER_NODE =
      """

      vendid=0x2c9
      switchguid=0xfedcba9876543210(fedcba9876543210)
      Switch\t2 "S-fedcba9876543210"\t\t# "later" enhanced port 0 lid 9 lmc 0
      """;

  @FuzzTest
  void discovered(byte[] text) throws IOException {
    check(Format.IBNETDISCOVER, text);
    // Nothing that stands before it hides a node.
    ByteArrayOutputStream longer = new ByteArrayOutputStream();
    longer.write(text);
    longer.write(LATER_NODE.getBytes(StandardCharsets.UTF_8));
    Subnet subnet =
        InfinibandTopology.subnet(
            Format.IBNETDISCOVER, new ByteArrayInputStream(longer.toByteArray()));
    assertThat(subnet.byGuid(0xfedcba9876543210L)).isNotNull();
  }

  @FuzzTest
  void link_states(byte[] text) throws IOException {
    check(Format.IBLINKINFO, text);
  }

  @FuzzTest
  void diagnosed(byte[] text) throws IOException {
    check(Format.IBDIAGNET_DB_CSV, text);
  }

  private static void check(Format format, byte[] text) throws IOException {
    checkLinks(InfinibandTopology.subnet(format, new ByteArrayInputStream(text)));
    CollectOutcome outcome = InfinibandTopology.read(format, new ByteArrayInputStream(text));
    assertThat(outcome.problems()).hasSizeLessThanOrEqualTo(6);
    assertThat(outcome.problems())
        .allSatisfy(problem -> assertThat(problem.message()).hasSizeLessThan(1_000));
    Set<String> devices = new HashSet<>();
    for (Sighting sighting : outcome.sightings()) {
      assertThat(devices.add(sighting.device())).as(sighting.device()).isTrue();
      assertThat(sighting.device()).isNotBlank();
      Set<String> ports = new HashSet<>();
      for (SeenPort port : sighting.ports()) {
        assertThat(ports.add(port.name())).as(port.name()).isTrue();
        assertThat(port.speedBitsPerSecond()).isNotNegative();
      }
      for (Neighbour neighbour : sighting.neighbours()) {
        assertThat(ports).contains(neighbour.localPort());
        assertThat(neighbour.systemName()).isNotBlank();
      }
    }
  }

  /** A link that both ends tell goes from one to the other and back. */
  private static void checkLinks(Subnet subnet) {
    for (Node node : subnet.nodes()) {
      for (NodePort port : node.ports().values()) {
        Peer peer = port.peer();
        Node other = peer == null ? null : subnet.find(peer);
        NodePort far = other == null ? null : other.ports().get(peer.port());
        Peer back = far == null ? null : far.peer();
        if (back != null && !Node.isAggregation(peer.description())) {
          assertThat(subnet.find(back)).isSameAs(node);
          assertThat(back.port()).isEqualTo(port.number());
        }
      }
    }
  }
}
