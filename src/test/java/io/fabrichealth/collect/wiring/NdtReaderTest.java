package io.fabrichealth.collect.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabrichealth.collect.wiring.ImportedWiring.Refused;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import org.junit.jupiter.api.Test;

class NdtReaderTest {
  private static final String HEADER =
      ",rack #,U height,#Fields:StartDevice,StartPort,StartDeviceLocation,EndDevice,EndPort,"
          + "EndDeviceLocation,U height,LinkType,Speed,,Cable Length\n";

  @Test
  void columns_are_found_wherever_the_header_begins() throws Exception {
    ImportedWiring read =
        NdtReader.read(
            "a title\n"
                + HEADER
                + "\n"
                + ",r1,U4,leaf1,Port 1,x,\"core1, upper\",Blade 1_Port 1/1,y,U5,Data,400000,c,3\n");

    assertThat(read.refused()).isEmpty();
    assertThat(read.fabric().links())
        .extracting(Link::id)
        .containsExactly("core1, upper:Blade 1_Port 1/1--leaf1:1");
    assertThat(read.fabric().port(new PortId("leaf1", "1")).speedBitsPerSecond())
        .isEqualTo(400_000_000_000L);
  }

  @Test
  void bad_rows_are_named_and_the_others_kept() throws Exception {
    ImportedWiring read =
        NdtReader.read(
            HEADER
                + ",,,leaf1,Port 1,,spine1,Port 1,,,Data,fast,,\n"
                + ",,,leaf1,,,spine1,Port 2,,,Data,200000,,\n"
                + ",,,leaf1,Port 3,,leaf1,PORT 3,,,Data,200000,,\n"
                + ",,,leaf1,Port 1,,spine1,Port 4\n"
                + ",,,leaf1,Port 5,,spine1,Port 5\n");

    assertThat(read.fabric().links()).hasSize(2);
    assertThat(read.refused())
        .containsExactly(
            new Refused(2, "Speed", "'fast' is no speed in Mb/s; left out"),
            new Refused(3, "StartPort", "is empty"),
            new Refused(4, null, "both ends are 'leaf1:3'"),
            new Refused(5, null, "port 'leaf1:1' is also an end at 2"));
  }

  @Test
  void a_document_without_the_header_is_refused_as_a_whole() {
    assertThat(
            catchThrowableOfType(
                WiringFormatException.class, () -> NdtReader.read("StartDevice,StartPort\na,b\n")))
        .hasMessageContaining("#Fields:");
    WiringFormatException noEnd =
        catchThrowableOfType(
            WiringFormatException.class,
            () -> NdtReader.read("x,y\n#Fields:StartDevice,StartPort,EndDevice\n"));
    assertThat(noEnd).hasMessageContaining("endport");
    assertThat(noEnd.line()).isEqualTo(2);
  }

  @Test
  void many_bad_rows_are_counted() throws Exception {
    ImportedWiring read = NdtReader.read(HEADER + ",,,leaf1,,,b,c\n".repeat(1_500));

    assertThat(read.refused()).hasSize(ImportedWiring.MOST_REFUSED);
    assertThat(read.remarks()).containsExactly("500 more rows were refused");
  }
}
