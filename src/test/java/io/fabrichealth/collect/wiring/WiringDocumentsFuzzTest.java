package io.fabrichealth.collect.wiring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Neighbour;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import java.util.HashSet;
import java.util.Set;

/** Whatever a document holds, it is read in part or refused, and no port has two cables. */
class WiringDocumentsFuzzTest {

  /** One of the readers. */
  private interface Reader {
    ImportedWiring read(String document) throws WiringFormatException;
  }

  @FuzzTest
  void ndt(byte[] document) {
    check(NdtReader::read, document);
  }

  @FuzzTest
  void slurm_conf(byte[] document) {
    check(SlurmReader::readConf, document);
  }

  @FuzzTest
  void slurm_yaml(byte[] document) {
    check(SlurmReader::readYaml, document);
  }

  @FuzzTest
  void netbox_csv(byte[] document) {
    check(NetboxReader::readCsv, document);
  }

  @FuzzTest
  void netbox_json(byte[] document) {
    check(NetboxReader::readJson, document);
  }

  @FuzzTest
  void nccl_xml(byte[] document) {
    check(text -> NcclTopologyReader.read("gpu-001", text), document);
  }

  @FuzzTest
  void lldpcli(byte[] document) {
    try {
      LldpcliReader.Read read = LldpcliReader.read("leaf1", Role.LEAF, new String(document, UTF_8));
      assertThat(read.sighting().neighboursRead()).isEqualTo(read.refused().isEmpty());
      for (Neighbour neighbour : read.sighting().neighbours()) {
        assertThat(neighbour.localPort()).isNotBlank();
        assertThat(neighbour.portId()).isNotBlank();
        assertThat(neighbour.systemName() != null || !neighbour.chassisId().isEmpty()).isTrue();
      }
    } catch (WiringFormatException e) {
      assertThat(e).hasMessageNotContaining("\n");
    }
  }

  private static void check(Reader reader, byte[] document) {
    try {
      ImportedWiring read = reader.read(new String(document, UTF_8));
      Fabric fabric = read.fabric();
      Set<PortId> ends = new HashSet<>();
      for (Link link : fabric.links()) {
        for (PortId end : link.ends()) {
          assertThat(ends.add(end)).isTrue();
          assertThat(fabric.device(end.device())).isNotNull();
          assertThat(fabric.port(end)).isNotNull();
        }
      }
      assertThat(read.refused().size()).isLessThanOrEqualTo(ImportedWiring.MOST_REFUSED);
      assertThat(fabric.devices().size()).isLessThanOrEqualTo(Hostlist.MOST + document.length);
    } catch (WiringFormatException e) {
      assertThat(e.line()).isNotNegative();
    }
  }
}
