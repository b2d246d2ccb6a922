package io.fabrichealth.collect.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Neighbour;
import io.fabrichealth.topology.Neighbour.PortIdKind;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real plans and outputs of others, where they lie beside the repository. */
class SharedWiringTest {
  private static final Path FIXTURES = Path.of("../shared/fixtures");

  @Test
  void a_cabling_plan_of_ufm_gives_its_cables_and_refuses_those_that_share_a_port()
      throws Exception {
    ImportedWiring read = NdtReader.read(text("topology/ndt.csv"));

    Fabric plan = read.fabric();
    assertThat(plan.links()).hasSize(360);
    assertThat(plan.devices()).hasSize(29).allMatch(device -> device.role() == Role.SWITCH);
    assertThat(plan.linkAt(new PortId("DSM07-0101-0806-01IB0", "21")))
        .isSameAs(plan.linkAt(new PortId("DSM07-0101-0806-01IB1", "Blade 1_Port 1/1")))
        .isNotNull();
    assertThat(plan.port(new PortId("DSM07-0101-0806-01IB0", "21")).speedBitsPerSecond())
        .isEqualTo(200_000_000_000L);
    assertThat(plan.port(new PortId("DSM07-0101-0806-01IB0", "21")).aliases())
        .containsExactly("Port 21");
    // The plan wires each port of that director twice.
    assertThat(read.refused()).hasSize(40);
    assertThat(read.refused())
        .allMatch(refused -> refused.problem().contains("DSM07-0101-0801-02IB1:Blade"));
    assertThat(read.refused().getFirst())
        .isEqualTo(
            new ImportedWiring.Refused(
                12, null, "port 'DSM07-0101-0801-02IB1:Blade 1_Port 1/1' is also an end at 4"));
    assertThat(read.remarks()).isEmpty();
  }

  @Test
  void slurms_tree_gives_devices_and_what_they_are() throws Exception {
    ImportedWiring read = SlurmReader.readConf(text("topology/slurm-topology-testcase1.conf"));

    Fabric plan = read.fabric();
    assertThat(read.refused()).isEmpty();
    assertThat(plan.links()).isEmpty();
    assertThat(count(plan, Role.HOST)).isEqualTo(10_000);
    assertThat(count(plan, Role.LEAF)).isEqualTo(500);
    assertThat(count(plan, Role.SPINE)).isEqualTo(26);
    assertThat(count(plan, Role.CORE)).isEqualTo(3);
    assertThat(plan.device("peta10000").role()).isEqualTo(Role.HOST);
    assertThat(plan.device("peta19999").role()).isEqualTo(Role.HOST);
    assertThat(plan.device("peta20000")).isNull();
    assertThat(plan.device("grp22").role()).isEqualTo(Role.SPINE);
    assertThat(plan.device("root").role()).isEqualTo(Role.CORE);
    assertThat(read.remarks())
        .containsExactly(
            "529 switches, 0 blocks and 10000 nodes: Slurm's topology groups nodes and names no"
                + " cable");
  }

  private static long count(Fabric fabric, Role role) {
    return fabric.devices().stream().map(Device::role).filter(role::equals).count();
  }

  @Test
  void nccls_file_for_a_kind_of_machine_pairs_gpus_and_nics() throws Exception {
    ImportedWiring read = NcclTopologyReader.read("gpu-001", text("topology/nccl-topo-ndv5.xml"));

    assertThat(read.fabric().ports()).isEmpty();
    assertThat(read.fabric().device("gpu-001").role()).isEqualTo(Role.HOST);
    assertThat(read.remarks())
        .hasSize(9)
        .contains(
            "GPU 0001:00:00.0 is with NIC 0101:00:00.0",
            "GPU 000c:00:00.0 is with NIC 0108:00:00.0");
    assertThat(read.remarks().getFirst()).startsWith("it names no HCA");
  }

  @Test
  void lldpcli_of_a_server_with_one_neighbour() throws Exception {
    LldpcliReader.Read read =
        LldpcliReader.read("bjg45", Role.HOST, text("lldp/lldpcli-bjg45.json"));

    assertThat(read.refused()).isEmpty();
    assertThat(read.sighting().neighbours())
        .containsExactly(
            new Neighbour(
                "ens11f0",
                "bj08-m1-a10-40-swl017",
                "0c:4f:9b:c4:18:61",
                "25GE1/0/39",
                PortIdKind.INTERFACE_NAME,
                null));
  }

  @Test
  void lldpcli_of_a_server_with_two_neighbours() throws Exception {
    LldpcliReader.Read read =
        LldpcliReader.read("clnet36", Role.HOST, text("lldp/lldpcli-clnet36.json"));

    assertThat(read.sighting().neighbours())
        .containsExactly(
            new Neighbour(
                "ens14f0np0",
                "CL-A052A",
                "28:c9:7a:b2:ab:b8",
                "Twenty-FiveGigE1/0/16",
                PortIdKind.INTERFACE_NAME,
                "SDN_LAGG"),
            new Neighbour(
                "eth0",
                "CL-RLF233",
                "90:74:2e:ed:72:c0",
                "FourHundredGigE1/0/98",
                PortIdKind.INTERFACE_NAME,
                "To-changliu-g86-114-eth0"));
  }

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
  void every_output_of_lldpcli_in_the_lab_is_read_whole(String lab) throws Exception {
    Path folder = FIXTURES.resolve("lab/" + lab + "/lldp");
    assumeTrue(Files.isDirectory(folder), "skipped: no recordings of the fabric lab here");
    int files = 0;
    try (Stream<Path> all = Files.list(folder)) {
      for (Path file : all.toList()) {
        String device = file.getFileName().toString().replaceAll("\\..*", "");
        boolean isHost = device.startsWith("host");
        LldpcliReader.Read read =
            LldpcliReader.read(device, isHost ? Role.HOST : Role.SWITCH, Files.readString(file));

        assertThat(read.refused()).as(file.toString()).isEmpty();
        assertThat(read.sighting().neighboursRead()).isTrue();
        assertThat(read.sighting().neighbours()).as(file.toString()).hasSize(isHost ? 1 : 4);
        files++;
      }
    }
    assertThat(files).isEqualTo(28);
  }

  private static String text(String name) throws IOException {
    Path file = FIXTURES.resolve(name);
    assumeTrue(Files.exists(file), "skipped: " + name + " is not here");
    return Files.readString(file);
  }
}
