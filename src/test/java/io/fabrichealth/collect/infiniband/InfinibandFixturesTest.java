package io.fabrichealth.collect.infiniband;

import static io.fabrichealth.collect.infiniband.Texts.device;
import static io.fabrichealth.collect.infiniband.Texts.neighbour;
import static io.fabrichealth.collect.infiniband.Texts.port;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.LeftOut;
import io.fabrichealth.collect.infiniband.InfinibandTopology.Format;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Neighbour.PortIdKind;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.SeenPort;
import io.fabrichealth.topology.Sighting;
import io.fabrichealth.topology.Wiring;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The recorded and synthetic texts of other projects, with values that stand in the files. */
class InfinibandFixturesTest {
  private static final Path FOLDER = Path.of("../shared/fixtures/infiniband");

  private static byte[] bytes(String name) throws IOException {
    Path file = FOLDER.resolve(name);
    assumeTrue(Files.exists(file), () -> "skipped: " + file + " is not there");
    return Files.readAllBytes(file);
  }

  private static CollectOutcome discovered(String name) throws IOException {
    return Texts.read(Format.IBNETDISCOVER, bytes(name));
  }

  @Test
  void full_discovery_names_every_node_and_link() throws IOException {
    CollectOutcome outcome = discovered("ibnetdiscover-full-synthetic.txt");

    assertThat(outcome.problems()).isEmpty();
    assertThat(outcome.sightings()).hasSize(18);
    assertThat(outcome.sightings()).filteredOn(s -> s.role() == Role.HOST).hasSize(10);
    Fabric fabric = Wiring.join(Fabric.EMPTY, Fabric.EMPTY, outcome.sightings());
    assertThat(fabric.links()).hasSize(17).noneMatch(link -> link.b() == null);
    assertThat(fabric.links())
        .extracting(Link::id)
        .contains("RMD701091901003:ibp11s0f0/1--rmd70-0101-0919-01ib0:1");
  }

  @Test
  void chips_of_a_director_are_devices_of_their_own() throws IOException {
    CollectOutcome outcome = discovered("ibnetdiscover-full-synthetic.txt");

    Sighting spine = device(outcome, "rmd70-0101-0908-01ib1-A/S01/U1");
    assertThat(spine.systemName()).isEqualTo("MF0;rmd70-0101-0908-01ib1-A:MCS8500/S01/U1");
    assertThat(spine.vendor()).isEqualTo("NVIDIA");
    assertThat(spine.chassisIds()).containsExactly("0x0ff08c43213b3f30");
    assertThat(spine.ports()).extracting(SeenPort::name).containsExactly("1", "2");
    assertThat(neighbour(spine, "2"))
        .hasValueSatisfying(
            neighbour -> {
              assertThat(neighbour.systemName()).isEqualTo("rmd70-0101-0908-01ib1-A/L02/U1");
              assertThat(neighbour.chassisId()).isEqualTo("0x0ff08c432172a97a");
              assertThat(neighbour.portId()).isEqualTo("21");
              assertThat(neighbour.portIdKind()).isEqualTo(PortIdKind.INTERFACE_NAME);
            });
    assertThat(outcome.leftOut())
        .containsExactly(
            new LeftOut("rmd70-0101-0908-01ib1-A/S01/U1:41", "aggregation node of a switch"));
  }

  @Test
  void an_adapter_is_known_by_host_name_and_guid() throws IOException {
    CollectOutcome outcome = discovered("ibnetdiscover-full-synthetic.txt");

    Sighting host = device(outcome, "RMD701091906037");
    assertThat(host.chassisIds()).containsExactly("0x043f720300e61112");
    SeenPort port = port(host, "ibp11s0f0/1");
    assertThat(port.speedBitsPerSecond()).isEqualTo(200_000_000_000L);
    assertThat(port.lanes()).isEqualTo(4);
    assertThat(port.aliases()).contains("0x043f720300e61112");
    assertThat(neighbour(device(outcome, "rmd70-0101-0919-12ib0"), "9"))
        .hasValueSatisfying(
            neighbour -> {
              assertThat(neighbour.systemName()).isEqualTo("RMD701091906037");
              assertThat(neighbour.portId()).isEqualTo("0x043f720300e61112");
              assertThat(neighbour.portIdKind()).isEqualTo(PortIdKind.GUID);
              assertThat(neighbour.portDescription()).isEqualTo("ibp11s0f0/1");
            });
  }

  @Test
  void report_of_ports_shows_unconnected_ones_too() throws IOException {
    CollectOutcome outcome = discovered("ibnetdiscover-p-test.txt");

    Sighting leaf = device(outcome, "ib-i1l1s01");
    assertThat(leaf.ports()).extracting(SeenPort::name).containsExactly("1", "10", "11");
    assertThat(port(leaf, "10").speedBitsPerSecond()).isEqualTo(100_000_000_000L);
    Sighting second = device(outcome, "ib-i4l1s01");
    assertThat(port(second, "37").speedBitsPerSecond()).isZero();
    assertThat(neighbour(second, "37")).isEmpty();
    // Split: 80 ports in a cage of 40.
    assertThat(port(device(outcome, "ib-i7l2s01"), "80").index()).isEqualTo(80);
    assertThat(port(device(outcome, "o0001"), "HCA-1/1").aliases()).contains("0x7cfe9003003b4bde");
    // The spine is named as a neighbour, but the excerpt does not list it.
    assertThat(Texts.problems(outcome))
        .containsExactly(
            "1 nodes are named as neighbours and not listed, among them 0x7cfe900300b07320");
    assertThat(neighbour(leaf, "1"))
        .hasValueSatisfying(
            neighbour -> {
              assertThat(neighbour.systemName()).isEqualTo("ib-i1l2s01");
              assertThat(neighbour.portId()).isEqualTo("1");
            });
  }

  @Test
  void names_may_begin_and_end_with_spaces() throws IOException {
    CollectOutcome outcome = discovered("ibnetdiscover-p-test2.txt");

    assertThat(Texts.devices(outcome))
        .contains("worker20", "5FB0406-spine-IB01", "5FB0406-spine-IB02", "5FB0406-spine-IB03")
        // What the maker wrote names nothing.
        .contains("0x0002c9020040f160");
    assertThat(neighbour(device(outcome, "worker20"), "mlx5_3/1"))
        .hasValueSatisfying(
            neighbour -> {
              assertThat(neighbour.systemName()).isEqualTo("5FB0405-leaf-IB01");
              assertThat(neighbour.portId()).isEqualTo("79");
            });
    assertThat(outcome.leftOut())
        .extracting(LeftOut::rule)
        .containsOnly("aggregation node of a switch");
  }

  @Test
  void a_name_without_quotes_is_read() throws IOException {
    CollectOutcome outcome = discovered("ibnetdiscover-p-test3.txt");

    assertThat(Texts.devices(outcome)).containsExactly("0x0002c9020040f161");
    assertThat(outcome.problems()).isEmpty();
  }
}
