package io.fabrichealth.collect.infiniband;

import static io.fabrichealth.collect.infiniband.Texts.device;
import static io.fabrichealth.collect.infiniband.Texts.neighbour;
import static io.fabrichealth.collect.infiniband.Texts.port;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.infiniband.InfinibandTopology.Format;
import io.fabrichealth.topology.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkInfoTextTest {
  private static final String BY_NODE =
      """
      CA: n1 HCA-1:
            0x506b4b0300010002     44    1[  ] ==( 4X      106.25 Gbps Active/  LinkUp)==>      12    1[ 3] "leaf1" ( )
      Switch: 0xb8599f0300aa0001 leaf1:
                12    1[ 3] ==( 4X      106.25 Gbps Active/  LinkUp)==>      44    1[  ] "n1 HCA-1" (Could be 12X Could be 212.5 Gbps)
                12    2[  ] ==(                Down/ Polling)==>             [  ] "" ( )
                12    3[  ] ==( 4X      106.25 Gbps  Init/  LinkUp)==>    "Port not available"
      """;
  private static final String BY_LINE =
      """
      0x506b4b0300010002 "                     n1 HCA-1"     44    1[  ] ==( 4X      106.25 Gbps Active/  LinkUp)==>  0xb8599f0300aa0001     12    1[ 3] "leaf1" ( )
      0xb8599f0300aa0001 "                        leaf1"     12    1[ 3] ==( 4X      106.25 Gbps Active/  LinkUp)==>  0x506b4b0300010002     44    1[  ] "n1 HCA-1" ( )
      0xb8599f0300aa0001 "                        leaf1"     12    2[  ] ==(                Down/ Polling)==>             [  ] "" ( )
      0xb8599f0300aa0001 "                        leaf1"     12    3[  ] ==( 4X      106.25 Gbps  Init/  LinkUp)==>    "Port not available"
      """;

  @Test
  void both_layouts_say_the_same() {
    CollectOutcome byNode = Texts.read(Format.IBLINKINFO, BY_NODE);
    CollectOutcome byLine = Texts.read(Format.IBLINKINFO, BY_LINE);

    assertThat(byNode.problems()).isEmpty();
    assertThat(byLine.problems()).isEmpty();
    assertThat(byLine.sightings()).isEqualTo(byNode.sightings());
    assertThat(device(byNode, "leaf1").role()).isEqualTo(Role.SWITCH);
    assertThat(device(byNode, "n1").role()).isEqualTo(Role.HOST);
    assertThat(port(device(byNode, "leaf1"), "1").aliases()).containsExactly("ext 3");
    assertThat(port(device(byNode, "leaf1"), "1").speedBitsPerSecond()).isEqualTo(400_000_000_000L);
    assertThat(neighbour(device(byNode, "leaf1"), "1").orElseThrow().portId())
        .isEqualTo("0x506b4b0300010002");
    assertThat(neighbour(device(byNode, "n1"), "HCA-1/1").orElseThrow().systemName())
        .isEqualTo("leaf1");
    assertThat(neighbour(device(byNode, "leaf1"), "2")).isEmpty();
    assertThat(port(device(byNode, "leaf1"), "2").speedBitsPerSecond()).isZero();
    // Up on the wire, and not yet active.
    assertThat(port(device(byNode, "leaf1"), "3").speedBitsPerSecond()).isZero();
  }

  @Test
  void settings_of_switches_do_not_disturb() {
    String more = BY_NODE.replace("LinkUp)==>      44", "LinkUp) (HOQ:12 VL_Stall:7)==>      44");

    assertThat(Texts.read(Format.IBLINKINFO, more).sightings())
        .isEqualTo(Texts.read(Format.IBLINKINFO, BY_NODE).sightings());
  }

  @ParameterizedTest
  @CsvSource({
    "2.5, 10",
    "5.0, 20",
    "10.0, 40",
    "14.0625, 56",
    "25.78125, 100",
    "53.125, 200",
    "106.25, 400",
    "212.5, 800",
    "9.9, 0"
  })
  void rates_are_those_of_the_speeds(String rate, long gigabits) {
    CollectOutcome outcome = Texts.read(Format.IBLINKINFO, BY_NODE.replace("106.25", rate));

    assertThat(port(device(outcome, "n1"), "HCA-1/1").speedBitsPerSecond())
        .isEqualTo(gigabits * 1_000_000_000);
  }

  @Test
  void what_is_not_understood_is_said_by_line() {
    assertThat(
            Texts.problems(
                Texts.read(
                    Format.IBLINKINFO,
                    BY_NODE + "iblinkinfo: iberror: failed\n  1 1[ ] nothing\n")))
        .containsExactly(
            "line 7: not understood: iblinkinfo: iberror: failed",
            "line 8: not understood: 1 1[ ] nothing");
    assertThat(Texts.problems(Texts.read(Format.IBLINKINFO, "something\nelse\n")))
        .containsExactly("line 1: none of the 2 lines is of iblinkinfo");
  }
}
