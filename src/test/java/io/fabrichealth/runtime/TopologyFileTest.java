package io.fabrichealth.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.ErrorBin;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopologyFileTest {
  private static final String PLAN =
      """
      devices:
        - {name: leaf1, role: leaf, vendor: Arista, model: "7060X", rail: 0, plane: 1,
           counterBits: {port.in_errors: 32}, fecBins: [[0, 0], [1, 3], [4, 15]]}
        - {name: gpu-001, role: host}
      ports:
        - {device: leaf1, name: Ethernet1/1, speedBitsPerSecond: 400000000000, lanes: 8, fec: RS544,
           media: optical, partNumber: QDD-400G, mtu: 9216, admin: down}
      links:
        - {a: {device: leaf1, port: Ethernet1/1}, b: {device: gpu-001, port: mlx5_0/1}, rail: 0}
        - a: {device: leaf1, port: Ethernet1/2}
      """;

  @TempDir private Path folder;

  @Test
  void reads_all_fields_of_the_plan() {
    Fabric fabric = read("plan.yaml", PLAN);

    assertThat(fabric.device("leaf1"))
        .isEqualTo(
            new Device(
                "leaf1",
                Role.LEAF,
                "Arista",
                "7060X",
                0,
                1,
                Map.of("port.in_errors", 32),
                List.of(new ErrorBin(0, 0), new ErrorBin(1, 3), new ErrorBin(4, 15))));
    PortId id = new PortId("leaf1", "Ethernet1/1");
    assertThat(fabric.port(id))
        .isEqualTo(
            new Port(
                id,
                400_000_000_000L,
                8,
                FecMode.RS544,
                Media.OPTICAL,
                "QDD-400G",
                9216,
                false,
                List.of()));
    assertThat(fabric.links())
        .extracting(Link::id)
        .containsExactlyInAnyOrder("gpu-001:mlx5_0/1--leaf1:Ethernet1/1", "leaf1:Ethernet1/2");
    Link link = fabric.linkAt(id);
    assertThat(link).isNotNull();
    assertThat(link.tier()).isEqualTo(Tier.HOST_LEAF);
    assertThat(link.rail()).isZero();
    assertThat(fabric.port(new PortId("gpu-001", "mlx5_0/1")))
        .isEqualTo(Port.of(new PortId("gpu-001", "mlx5_0/1")));
  }

  @Test
  void reads_the_topology_record_of_a_capture() {
    Fabric fabric =
        read(
            "plan.json",
            """
            {"type":"topology","at":"2026-03-01T00:00:00Z",
             "devices":[{"name":"s1","role":"spine"},{"name":"l1","role":"leaf"}],
             "links":[{"a":{"device":"s1","port":"e1"},"b":{"device":"l1","port":"e9"},"tier":"leaf-spine"}]}
            """);

    assertThat(fabric.links()).extracting(Link::tier).containsExactly(Tier.LEAF_SPINE);
  }

  @Test
  void an_alias_of_yaml_stands_for_the_object_that_it_names() {
    Fabric fabric =
        read(
            "plan.yaml",
            """
            devices:
              - {name: a, counterBits: &narrow {port.in_errors: 32}}
              - {name: b, counterBits: *narrow}
            """);

    assertThat(fabric.devices())
        .extracting(Device::counterBits)
        .containsOnly(Map.of("port.in_errors", 32));
  }

  @Test
  void an_alias_of_a_plain_value_is_refused_rather_than_misread() {
    assertThat(
            problems(
                "plan.yaml", "devices:\n  - {name: a, role: &r leaf}\n  - {name: b, role: *r}\n"))
        .singleElement()
        .satisfies(problem -> assertThat(problem.toString()).contains(":3:", "*r"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          an unknown FEC mode     | RS544            | RS455          | 6 | RS544_2X
          an unknown medium       | media: optical   | media: fiber   | 7 | backplane
          an unknown role         | role: host       | role: server   | 4 | HOST
          an unknown key          | lanes            | lane           | 6 | did you mean 'lanes'
          a number with a unit    | 400000000000     | 400G           | 6 | a whole number
          a negative number       | mtu: 9216        | mtu: -1        | 7 | 0 to
          a half rail             | rail: 0, plane   | rail: 0.5, plane | 2 | a whole number
          another admin state     | admin: down      | admin: off     | 7 | up, down
          an unknown device       | b: {device: gpu-001 | b: {device: gpu-01 | 9 | did you mean 'gpu-001'
          a port in two links     | port: Ethernet1/2 | port: Ethernet1/1 | 10 | also an end at
          a device twice          | name: gpu-001    | name: leaf1    | 4 | a second time
          no name                 | name: gpu-001    | x: gpu-001     | 4 | 'name' is missing
          counters of 65 bits     | 32}              | 65}            | 3 | 1 to 64
          a bin that ends early   | [1, 3]           | [3, 1]         | 3 | [1, 3]
          a bin of one bound      | [1, 3]           | [1]            | 3 | [1, 3]
          errors that are no list | [[0, 0], [1, 3], [4, 15]] | 16    | 3 | [1, 3]
          """)
  void is_refused_with_its_line_and_what_is_allowed(
      String what, String right, String wrong, int line, String said) {
    String plan = PLAN.replace(right, wrong);
    assertThat(plan).isNotEqualTo(PLAN);

    assertThat(problems("plan.yaml", plan))
        .anySatisfy(
            problem -> {
              assertThat(problem.line()).isEqualTo(line);
              assertThat(problem.toString()).containsIgnoringCase(said);
            });
  }

  @Test
  void a_value_where_a_list_is_expected_is_refused() {
    assertThat(problems("plan.yaml", "devices: []\nlinks: 5"))
        .singleElement()
        .satisfies(problem -> assertThat(problem.allowed()).isEqualTo("a list of objects"));
  }

  @Test
  void a_port_twice_is_refused() {
    assertThat(
            problems(
                "plan.yaml",
                """
                devices: [{name: a}]
                ports:
                  - {device: a, name: p}
                  - {device: a, name: p}
                """))
        .singleElement()
        .satisfies(problem -> assertThat(problem.line()).isEqualTo(4));
  }

  @Test
  void a_link_from_a_port_to_itself_is_refused() {
    assertThat(
            problems(
                "plan.yaml",
                """
                devices: [{name: a}]
                links: [{a: {device: a, port: p}, b: {device: a, port: p}}]
                """))
        .singleElement()
        .satisfies(problem -> assertThat(problem.problem()).contains("also an end at"));
  }

  @Test
  void malformed_json_is_refused_with_line_and_column() {
    assertThat(problems("plan.json", "{\"devices\": [\n  {\"name\": \"a\",}\n]}"))
        .singleElement()
        .satisfies(problem -> assertThat(problem.where()).contains("plan.json:2:"));
  }

  @Test
  void a_large_plan_with_one_wrong_line_names_that_line() {
    StringBuilder plan = new StringBuilder("devices:\n");
    for (int i = 0; i < 20_000; i++) {
      plan.append("  - {name: host-")
          .append(i)
          .append(", role: host, model: \"")
          .append("x".repeat(300))
          .append("\"}\n");
    }
    plan.append("  - {name: last, role: hots}\n");

    assertThat(problems("plan.yaml", plan.toString()))
        .singleElement()
        .satisfies(problem -> assertThat(problem.line()).isEqualTo(20_002));
  }

  @Test
  void a_file_full_of_mistakes_does_not_flood_the_log() {
    StringBuilder plan = new StringBuilder("devices:\n");
    for (int i = 0; i < 5_000; i++) {
      plan.append("  - {name: host-").append(i).append(", rool: host}\n");
    }

    assertThat(problems("plan.yaml", plan.toString())).hasSize(100);
  }

  private Fabric read(String name, String content) {
    return TopologyFile.read(write(name, content));
  }

  private List<SettingsProblem> problems(String name, String content) {
    Path file = write(name, content);
    return catchThrowableOfType(SettingsException.class, () -> TopologyFile.read(file)).problems();
  }

  private Path write(String name, String content) {
    try {
      return Files.writeString(folder.resolve(name), content);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
