package io.fabrichealth.collect.infiniband;

import static io.fabrichealth.collect.infiniband.Texts.device;
import static io.fabrichealth.collect.infiniband.Texts.neighbour;
import static io.fabrichealth.collect.infiniband.Texts.port;
import static io.fabrichealth.collect.infiniband.Texts.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.collect.infiniband.InfinibandTopology.Format;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Sighting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Texts of ibnetdiscover with all that happens to them. */
class DiscoverTextTest {
  private static final String LEAF =
      """
      vendid=0x2c9
      devid=0xd2f2
      sysimgguid=0xb8599f0300aa0000
      switchguid=0xb8599f0300aa0001(b8599f0300aa0001)
      Switch\t41 "S-b8599f0300aa0001"\t\t# "MF0;leaf1:MQM9700/U1" enhanced port 0 lid 12 lmc 0
      [1]\t"H-506b4b0300010001"[1](506b4b0300010002) \t\t# "n1 mlx5_0" lid 44 4xNDR
      [7]\t"S-b8599f0300bb0001"[3]\t\t# "MF0;spine1:MQM9700/U1" lid 13 4xNDR

      """;
  private static final String SPINE =
      """
      vendid=0x2c9
      sysimgguid=0xb8599f0300bb0001
      switchguid=0xb8599f0300bb0001(b8599f0300bb0001)
      Switch\t41 "S-b8599f0300bb0001"\t\t# "MF0;spine1:MQM9700/U1" enhanced port 0 lid 13 lmc 0
      [3]\t"S-b8599f0300aa0001"[7]\t\t# "MF0;leaf1:MQM9700/U1" lid 12 4xNDR

      """;
  private static final String HOST =
      """
      vendid=0x2c9
      sysimgguid=0x506b4b0300010004
      caguid=0x506b4b0300010001
      Ca\t1 "H-506b4b0300010001"\t\t# "n1 mlx5_0"
      [1](506b4b0300010002) \t"S-b8599f0300aa0001"[1]\t\t# lid 44 lmc 0 "MF0;leaf1:MQM9700/U1" lid 12 4xNDR
      """;

  private static CollectOutcome read(String... stanzas) {
    return Texts.read(Format.IBNETDISCOVER, String.join("", stanzas));
  }

  @Test
  void nodes_ports_and_links_are_read_from_both_ends() {
    CollectOutcome outcome = read(LEAF, SPINE, HOST);

    assertThat(outcome.problems()).isEmpty();
    assertThat(outcome.remarks()).isEmpty();
    assertThat(Texts.devices(outcome)).containsExactly("leaf1", "spine1", "n1");
    Sighting leaf = device(outcome, "leaf1");
    assertThat(leaf.role()).isEqualTo(Role.SWITCH);
    assertThat(leaf.chassisIds()).containsExactly("0xb8599f0300aa0001", "0xb8599f0300aa0000");
    assertThat(leaf.neighboursRead()).isTrue();
    assertThat(port(leaf, "7").speedBitsPerSecond()).isEqualTo(400_000_000_000L);
    Sighting host = device(outcome, "n1");
    assertThat(host.role()).isEqualTo(Role.HOST);
    // The GUID of the port is not that of the node.
    assertThat(port(host, "mlx5_0/1").aliases()).containsExactly("0x506b4b0300010002", "n1 mlx5_0");
    assertThat(neighbour(leaf, "1").orElseThrow().portId()).isEqualTo("0x506b4b0300010002");
    assertThat(neighbour(leaf, "1").orElseThrow().chassisId()).isEqualTo("0x506b4b0300010001");
  }

  @Test
  void a_saved_log_keeps_its_meaning_without_its_tabs_and_behind_a_banner() {
    String log =
        "=~=~=~=~=~=~=~=~=~=~=~= PuTTY log 2026.03.01 10:00:00 =~=~=~=~=~=~=~=~=~=~=~=\r\n"
            + "[root@ufm-1 ~]# ibnetdiscover\r\n#\r\n# Topology file: generated on Sun\r\n#\r\n"
            + String.join("", LEAF, SPINE, HOST)
                .replaceAll("[\\t ]*\\t[\\t ]*", "")
                .replace("\n", "\r\n");
    assertThat(log).contains("Switch41 \"S-b8599f0300aa0001\"# \"MF0;leaf1:MQM9700/U1\"");

    CollectOutcome outcome = Texts.read(Format.IBNETDISCOVER, log);

    assertThat(outcome.problems()).isEmpty();
    assertThat(outcome.sightings()).isEqualTo(read(LEAF, SPINE, HOST).sightings());
  }

  @Test
  void full_information_and_groups_are_read_too() {
    CollectOutcome outcome =
        read(
            "Chassis 1 (guid 0xb8599f0300aa0000)\n# Spine Nodes\n",
            LEAF.replace("4xNDR", "4xNDR s=4 w=2 v=4")
                .replace(
                    "[7]\t\"S-b8599f0300bb0001\"[3]",
                    "[7][ext 3]\t\"S-b8599f0300bb0001\"[3][ext 9]")
                .replace("(b8599f0300aa0001)\n", "(b8599f0300aa0001)\t# ISR2012 slot 1\n"),
            SPINE,
            HOST);

    assertThat(outcome.problems()).isEmpty();
    assertThat(port(device(outcome, "leaf1"), "7").aliases()).containsExactly("ext 3");
    assertThat(neighbour(device(outcome, "leaf1"), "7").orElseThrow().portId()).isEqualTo("3");
  }

  @ParameterizedTest
  @CsvSource({
    "4xSDR, 10, 4", "4xDDR, 20, 4", "4xQDR, 40, 4", "4xFDR10, 40, 4", "4xFDR, 56, 4",
    "4xEDR, 100, 4", "4xHDR, 200, 4", "2xHDR, 100, 2", "4xNDR, 400, 4", "4xXDR, 800, 4",
    "1xNDR, 100, 1", "12xQDR, 120, 12", "4x???, 0, 4", "??NDR, 0, 0"
  })
  void speed_is_that_of_the_port(String text, long gigabits, int lanes) {
    Sighting host = device(read(LEAF, SPINE, HOST.replace("4xNDR", text)), "n1");

    assertThat(port(host, "mlx5_0/1").speedBitsPerSecond()).isEqualTo(gigabits * 1_000_000_000);
    assertThat(port(host, "mlx5_0/1").lanes()).isEqualTo(lanes);
  }

  @ParameterizedTest
  @CsvSource({
    "'MF0;leaf 1 - a:MQM8700/U1', 'leaf 1 - a'",
    "'MF0;core1:MCS8500/L01/U1', core1/L01/U1",
    "'  leaf with spaces ', 'leaf with spaces'",
    "'leaf \"quoted\" # 1', 'leaf \"quoted\" # 1'",
    "Quantum Mellanox Technologies, 0xb8599f0300aa0001",
    "'', 0xb8599f0300aa0001"
  })
  void a_switch_is_named_by_its_description(String description, String device) {
    CollectOutcome outcome = read(LEAF.replace("MF0;leaf1:MQM9700/U1", description), SPINE, HOST);

    assertThat(Texts.devices(outcome)).contains(device);
    assertThat(port(device(outcome, device), "7").lanes()).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource({
    "n1 HCA-1, n1, HCA-1/1",
    "n1.site.example mlx5_2, n1.site.example, mlx5_2/1",
    "n1, n1, 0x506b4b0300010001/1",
    "MT4129 ConnectX7   Mellanox Technologies, 0x506b4b0300010004, 0x506b4b0300010001/1",
    "localhost mlx5_0, 0x506b4b0300010004, mlx5_0/1",
    "mt4129-node mlx5_0, mt4129-node, mlx5_0/1"
  })
  void a_host_is_named_by_the_first_word(String description, String device, String port) {
    CollectOutcome outcome =
        read(LEAF, SPINE, HOST.replace("\"n1 mlx5_0\"", '"' + description + '"'));

    assertThat(port(device(outcome, device), port).aliases()).contains("0x506b4b0300010002");
    assertThat(neighbour(device(outcome, "leaf1"), "1").orElseThrow().systemName())
        .isEqualTo(device);
  }

  @Test
  void nodes_that_share_a_description_are_told_apart_by_guid() {
    CollectOutcome outcome = read(LEAF.replace("leaf1", "spine1"), SPINE, HOST);

    assertThat(Texts.devices(outcome))
        .contains("spine1 0xb8599f0300aa0001", "spine1 0xb8599f0300bb0001");
    assertThat(
            neighbour(device(outcome, "spine1 0xb8599f0300bb0001"), "3").orElseThrow().systemName())
        .isEqualTo("spine1 0xb8599f0300aa0001");
  }

  @Test
  void two_hosts_of_one_name_are_two_devices_and_two_adapters_of_one_host_are_one() {
    String other =
        HOST.replace("506b4b03", "506b4b04")
            .replace("\"S-b8599f0300aa0001\"[1]", "\"S-b8599f0300aa0001\"[2]");

    assertThat(Texts.devices(read(LEAF, SPINE, HOST, other)))
        .contains("n1 0x506b4b0300010004", "n1 0x506b4b0400010004");
    CollectOutcome outcome = read(LEAF, SPINE, HOST, other.replace("mlx5_0", "mlx5_1"));
    assertThat(device(outcome, "n1").ports())
        .extracting(seen -> seen.name())
        .containsExactly("mlx5_0/1", "mlx5_1/1");
    assertThat(device(outcome, "n1").chassisIds())
        .contains("0x506b4b0300010001", "0x506b4b0400010001");
  }

  @Test
  void ends_that_contradict_each_other_are_both_refused() {
    CollectOutcome outcome =
        read(LEAF, SPINE.replace("\"S-b8599f0300aa0001\"[7]", "\"S-b8599f0300aa0001\"[8]"), HOST);

    assertThat(problems(outcome))
        .containsExactly(
            "line 7: port 7 of 'MF0;leaf1:MQM9700/U1' (0xb8599f0300aa0001) names port 3 of"
                + " 'MF0;spine1:MQM9700/U1' (0xb8599f0300bb0001) as its other end, which names"
                + " another in line 13");
    assertThat(neighbour(device(outcome, "leaf1"), "7")).isEmpty();
    assertThat(neighbour(device(outcome, "spine1"), "3")).isEmpty();
    assertThat(device(outcome, "leaf1").neighboursRead()).isFalse();
    assertThat(device(outcome, "spine1").neighboursRead()).isFalse();
    assertThat(neighbour(device(outcome, "n1"), "mlx5_0/1")).isPresent();
    assertThat(device(outcome, "n1").neighboursRead()).isTrue();
  }

  @Test
  void a_link_that_one_end_tells_is_one_and_is_said() {
    CollectOutcome outcome = read(LEAF, SPINE.replaceAll("(?m)^\\[3\\].*\n", ""), HOST);

    assertThat(outcome.problems()).isEmpty();
    assertThat(outcome.remarks()).containsExactly("1 links are told by one of their ends only");
    assertThat(neighbour(device(outcome, "leaf1"), "7").orElseThrow().systemName())
        .isEqualTo("spine1");
  }

  @Test
  void a_second_node_of_one_guid_is_left_out_with_its_ports() {
    CollectOutcome outcome =
        read(LEAF, SPINE, HOST, "\n", LEAF.replace("leaf1", "clone").replace("[7]", "[9]"));

    assertThat(problems(outcome))
        .containsExactly(
            "line 25: the node 'MF0;clone:MQM9700/U1' (0xb8599f0300aa0001) has the GUID of"
                + " 'MF0;leaf1:MQM9700/U1' (0xb8599f0300aa0001) in line 5 and is left out with its"
                + " ports");
    assertThat(Texts.devices(outcome)).containsExactly("leaf1", "spine1", "n1");
    assertThat(device(outcome, "leaf1").ports()).hasSize(2);
  }

  @Test
  void more_ports_than_declared_are_kept_and_said() {
    CollectOutcome outcome = read(LEAF.replace("Switch\t41", "Switch\t6"), SPINE, HOST);

    assertThat(problems(outcome))
        .containsExactly(
            "line 7: 'MF0;leaf1:MQM9700/U1' (0xb8599f0300aa0001) declares 6 ports and has a port 7");
    assertThat(device(outcome, "leaf1").ports()).hasSize(2);
  }

  @Test
  void a_text_that_is_cut_off_says_so_and_keeps_what_is_whole() {
    String whole = String.join("", LEAF, SPINE, HOST);
    CollectOutcome outcome =
        Texts.read(Format.IBNETDISCOVER, whole.substring(0, whole.indexOf("\n[3]") + 20));

    assertThat(outcome.problems())
        .extracting(CollectOutcome.Problem::code)
        .contains(FailureCode.PARTIAL);
    assertThat(problems(outcome))
        .contains("ends within line 13, which was not taken")
        .contains("1 nodes are named as neighbours and not listed, among them 0x506b4b0300010001");
    assertThat(Texts.devices(outcome)).containsExactly("leaf1", "spine1");
    assertThat(neighbour(device(outcome, "leaf1"), "1").orElseThrow().systemName()).isEqualTo("n1");
  }

  @Test
  void lines_that_are_not_understood_are_counted_and_hide_nothing() {
    String noise = "Segmentation fault\n[x] y\n[2]\t\"S-nothex\"[1]\t# \"x\" lid 1 4xNDR\n";
    CollectOutcome outcome = read(LEAF.replace("[7]", noise.repeat(3) + "[7]"), SPINE, HOST);

    assertThat(problems(outcome))
        .contains("line 7: not understood: Segmentation fault", "4 more of the kind");
    assertThat(neighbour(device(outcome, "leaf1"), "7")).isPresent();
  }

  @Test
  void routers_are_devices_and_what_is_unknown_is_left_out() {
    CollectOutcome outcome =
        read(
            LEAF.replace(
                "[7]",
                "[8]\t\"R-b8599f0300cc0001\"[1](b8599f0300cc0001) \t# \"router1\" lid 50 4xHDR\n[7]"),
            SPINE,
            HOST,
            """

            vendid=0x2c9
            rtguid=0xb8599f0300cc0001
            Rt\t2 "R-b8599f0300cc0001"\t\t# "router1"
            [1](b8599f0300cc0001) \t"S-b8599f0300aa0001"[8]\t\t# lid 50 lmc 0 "leaf1" lid 12 4xHDR

            vendid=0x2c9
            ???guid=0xb8599f0300dd0001
            ???\t1 "?-b8599f0300dd0001"\t\t# "what"
            """);

    assertThat(outcome.problems()).isEmpty();
    assertThat(neighbour(device(outcome, "router1"), "1").orElseThrow().systemName())
        .isEqualTo("leaf1");
    assertThat(outcome.leftOut())
        .extracting(row -> row.rule())
        .containsExactly("neither switch nor channel adapter nor router");
  }

  @Test
  void names_in_a_report_of_ports_may_hold_what_parts_them() {
    CollectOutcome outcome =
        read(
            """
            SW    12  1 0xb8599f0300aa0001 4x NDR - CA    44  1 0x506b4b0300010002 ( 'MF0;leaf1 - a:MQM9700/U1' - 'n1 mlx5_0' )
            CA    44  1 0x506b4b0300010002 4x NDR - SW    12  1 0xb8599f0300aa0001 ( 'n1 mlx5_0' - 'MF0;leaf1 - a:MQM9700/U1' )
            SW    12  2 0xb8599f0300aa0001 4x SDR                                    'MF0;leaf1 - a:MQM9700/U1'
            SW    12  3 0xb8599f0300aa0001 4x ???                                    MF0;leaf1 - a:MQM9700/U1
            SW    12  4 0xb8599f0300aa0001 2x HDR - SW
            """);

    assertThat(neighbour(device(outcome, "leaf1 - a"), "1").orElseThrow().systemName())
        .isEqualTo("n1");
    assertThat(device(outcome, "leaf1 - a").ports())
        .extracting(seen -> seen.speedBitsPerSecond())
        .containsExactly(400_000_000_000L, 0L, 0L);
    assertThat(problems(outcome)).hasSize(1).first().asString().startsWith("line 5: no other end");
  }

  @Test
  void a_text_of_something_else_is_refused() {
    assertThat(problems(read("<html>\n<body>\n")))
        .containsExactly("line 1: none of the 2 lines is of ibnetdiscover");
    assertThat(read("").problems()).isEmpty();
  }
}
