package io.fabrichealth.collect.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabrichealth.collect.wiring.ImportedWiring.Refused;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import org.junit.jupiter.api.Test;

class NcclTopologyReaderTest {

  @Test
  void a_dump_names_the_ports_of_the_hcas() throws Exception {
    ImportedWiring read =
        NcclTopologyReader.read(
            "gpu-001",
            """
            <system version="1">
              <cpu numaid="0">
                <pci busid="0000:0a:00.0" class="0x060400">
                  <pci busid="0000:0b:00.0" class="0x030200"><gpu dev="0" sm="90"/></pci>
                  <pci busid="0000:0c:00.0" class="0x020700">
                    <nic>
                      <net name="mlx5_0" dev="0" speed="400000" port="1" guid="0xb83fd20300000001"/>
                      <net name="mlx5_0" dev="1" speed="400000" port="2" guid="0x0"/>
                      <net dev="2"/>
                    </nic>
                  </pci>
                </pci>
              </cpu>
            </system>
            """);

    assertThat(read.fabric().ports())
        .extracting(Port::id)
        .containsExactly(new PortId("gpu-001", "mlx5_0/1"), new PortId("gpu-001", "mlx5_0/2"));
    Port first = read.fabric().port(new PortId("gpu-001", "mlx5_0/1"));
    assertThat(first.speedBitsPerSecond()).isEqualTo(400_000_000_000L);
    assertThat(first.aliases()).containsExactly("0xb83fd20300000001");
    assertThat(read.refused()).containsExactly(new Refused(9, "net", "has no name"));
    assertThat(read.remarks()).containsExactly("GPU 0000:0b:00.0 is with NIC 0000:0c:00.0");
  }

  @Test
  void entities_are_not_followed() {
    String bomb =
        """
        <!DOCTYPE system [<!ENTITY a SYSTEM "file:///etc/hostname"><!ENTITY b "&a;&a;">]>
        <system><net name="&b;"/></system>
        """;

    assertThatExceptionOfType(WiringFormatException.class)
        .isThrownBy(() -> NcclTopologyReader.read("gpu-001", bomb));
  }

  @Test
  void what_is_no_topology_is_refused_as_a_whole() {
    for (String document : new String[] {"", "<a/>", "<system>", "text"}) {
      assertThatExceptionOfType(WiringFormatException.class)
          .as(document)
          .isThrownBy(() -> NcclTopologyReader.read("gpu-001", document));
    }
  }
}
