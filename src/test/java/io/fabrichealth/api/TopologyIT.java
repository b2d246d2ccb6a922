package io.fabrichealth.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.runtime.FabricSnapshot;
import io.fabrichealth.runtime.RecentEvent;
import io.fabrichealth.runtime.Snapshots;
import io.fabrichealth.runtime.TopologyPlan;
import io.fabrichealth.signal.DeviceSignals;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.PortReadings;
import io.fabrichealth.testing.Http;
import io.fabrichealth.testing.SampleFabric;
import io.fabrichealth.testing.WebSlice;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Neighbour;
import io.fabrichealth.topology.Neighbour.PortIdKind;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.SeenPort;
import io.fabrichealth.topology.Sighting;
import io.fabrichealth.topology.Tier;
import io.fabrichealth.topology.Wiring;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import tools.jackson.databind.JsonNode;

/** Plan, diff, both ends and the graph, of two leaves and two spines with two cables exchanged. */
@SpringBootTest(
    classes = {WebSlice.class, TopologyIT.Wired.class},
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = "management.server.port=0")
class TopologyIT {
  private static final String TOPOLOGY = "/api/v1/topology";
  private static final String JSON = "application/json";

  @LocalServerPort private int port;
  @Autowired private TopologyPlan plans;
  private Http http;

  @BeforeEach
  void connect() {
    http = new Http(port);
    http.sendBody("PUT", TOPOLOGY, JSON, "{}");
  }

  // --- diff

  @Test
  void the_diff_names_one_swap_and_one_port_that_is_not_as_planned() {
    JsonNode diff = http.get(TOPOLOGY + "/diff").json();

    assertThat(diff.get("planned").asBoolean()).isTrue();
    assertThat(diff.get("swapped")).hasSize(1);
    assertThat(diff.at("/swapped/0/planned/0/a/device").asString()).isEqualTo("leaf1");
    assertThat(diff.at("/swapped/0/planned/0/b/port").asString()).isEqualTo("Ethernet1");
    assertThat(diff.at("/swapped/0/seen/0/b/port").asString()).isEqualTo("Ethernet2");
    assertThat(diff.get("properties")).hasSize(1);
    assertThat(diff.at("/properties/0/device").asString()).isEqualTo("leaf2");
    assertThat(diff.at("/properties/0/what").asString()).isEqualTo("MTU_BYTES");
    assertThat(diff.at("/properties/0/planned").asString()).isEqualTo("9216");
    assertThat(diff.at("/properties/0/seen").asString()).isEqualTo("1500");
    for (String none :
        List.of("missing", "extra", "moved", "portsNotSeen", "unknown", "ambiguous")) {
      assertThat(diff.get(none)).as(none).isEmpty();
    }
  }

  // --- both ends

  @Test
  void a_link_shows_both_ends_and_what_they_do_not_have_alike() {
    JsonNode link =
        http.get("/api/v1/links/" + Http.segment("leaf2:Ethernet50--spine2:Ethernet2")).json();

    assertThat(link.get("mismatches")).hasSize(1);
    assertThat(link.at("/mismatches/0/what").asString()).isEqualTo("MTU_BYTES");
    assertThat(link.at("/mismatches/0/a").asString()).isEqualTo("1500");
    assertThat(link.at("/mismatches/0/b").asString()).isEqualTo("9216");
    assertThat(link.at("/mismatches/0/planned").asString()).isEqualTo("9216");
    assertThat(link.get("ends")).hasSize(2);
    JsonNode end = link.at("/ends/0");
    assertThat(end.get("device").asString()).isEqualTo("leaf2");
    assertThat(end.get("up").asBoolean()).isTrue();
    assertThat(end.get("mtu").asInt()).isEqualTo(1500);
    assertThat(end.get("fec").isNull()).isTrue();
    assertThat(end.at("/counters/port.in_errors/value").bigIntegerValue())
        .isEqualTo("18446744073709551615");
    assertThat(end.at("/counters/port.in_errors/growth").asInt()).isEqualTo(15);
    assertThat(end.at("/counters/port.in_discards").isMissingNode()).isTrue();
    assertThat(link.at("/ends/1/counters")).isEmpty();
    assertThat(link.at("/ends/1/up").isNull()).isTrue();
  }

  @Test
  void ends_that_agree_have_no_mismatch() {
    JsonNode links = http.get("/api/v1/links?limit=1000").json().get("items");

    assertThat(links).hasSize(4);
    for (JsonNode link : links) {
      boolean isSmall = link.get("id").asString().startsWith("leaf2:Ethernet50");
      assertThat(link.get("mismatches")).hasSize(isSmall ? 1 : 0);
    }
  }

  // --- plan

  @Test
  void a_plan_is_put_and_outlives_a_restart() {
    Http.Answer answer = http.sendBody("PUT", TOPOLOGY, "application/yaml", YAML_PLAN);

    JsonNode change = answer.json();
    assertThat(answer.status()).isEqualTo(200);
    assertThat(change.get("stored").asBoolean()).isTrue();
    assertThat(change.get("devices").asInt()).isEqualTo(2);
    assertThat(change.get("linksAdded").asInt()).isEqualTo(1);
    assertThat(change.get("plan").isNull()).isTrue();
    assertThat(reopened().stored().link("gpu-001:mlx5_0/1--leaf1:Ethernet1")).isNotNull();
    assertThat(reopened().stored().port(new PortId("leaf1", "Ethernet1")).aliases())
        .containsExactly("Port 1");
  }

  private TopologyPlan reopened() {
    return TopologyPlan.open(plans.directory(), null);
  }

  @Test
  void a_dry_run_shows_the_plan_and_changes_nothing() {
    JsonNode change =
        http.sendBody("PUT", TOPOLOGY + "?dryRun=true", "application/yaml", YAML_PLAN).json();

    assertThat(change.get("stored").asBoolean()).isFalse();
    assertThat(change.at("/plan/links/0/id").asString())
        .isEqualTo("gpu-001:mlx5_0/1--leaf1:Ethernet1");
    assertThat(reopened().stored().links()).isEmpty();
  }

  @Test
  void a_wrong_plan_is_refused_with_line_and_key_and_keeps_the_old_one() {
    http.sendBody("PUT", TOPOLOGY, "application/yaml", YAML_PLAN);
    Http.Answer answer =
        http.sendBody(
            "PUT",
            TOPOLOGY,
            "application/yaml",
            "devices:\n  - {name: leaf1, role: tree}\nports:\n  - {device: leaf9, name: E1}\n");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().get("code").asString()).isEqualTo("invalid-body");
    assertThat(answer.json().get("errors")).hasSize(2);
    assertThat(answer.json().at("/errors/0/parameter").asString()).startsWith("body:2:");
    assertThat(answer.json().at("/errors/0/value").asString()).isEqualTo("devices[0].role");
    assertThat(answer.json().at("/errors/1/parameter").asString()).startsWith("body:4:");
    assertThat(reopened().stored().links()).hasSize(1);
  }

  @Test
  void imports_add_to_the_plan_or_replace_it() {
    http.sendBody("PUT", TOPOLOGY, "application/yaml", YAML_PLAN);
    String csv =
        """
        side_a_device,side_a_name,side_b_device,side_b_name,type
        leaf1,Ethernet49,spine1,Ethernet1,smf-os2
        leaf1,,spine1,Ethernet2,smf-os2
        leaf1,Ethernet1,gpu-002,mlx5_0/1,dac-passive
        """;

    JsonNode added =
        http.sendBody("POST", TOPOLOGY + "/import?format=NETBOX_CSV", "text/csv", csv).json();
    assertThat(added.get("links").asInt()).isEqualTo(2);
    assertThat(added.get("linksAdded").asInt()).isEqualTo(2);
    assertThat(added.get("linksRemoved").asInt()).isEqualTo(1);
    assertThat(added.get("refused")).hasSize(1);
    assertThat(added.at("/refused/0/line").asInt()).isEqualTo(3);
    assertThat(added.at("/refused/0/field").asString()).isEqualTo("side_a_name");

    JsonNode replaced =
        http.sendBody(
                "POST", TOPOLOGY + "/import?format=LLDPCLI&device=leaf1&replace=true", JSON, LLDP)
            .json();
    assertThat(replaced.get("links").asInt()).isEqualTo(1);
    assertThat(reopened().stored().link("leaf1:Ethernet49--spine1:Ethernet7")).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          POST | /import                            | text/csv         | a,b  | 400 | invalid-parameter
          POST | /import?format=ndt                 | text/csv         | a,b  | 400 | invalid-parameter
          POST | /import?format=NDT                 | text/csv         | a,b  | 400 | invalid-body
          POST | /import?format=LLDPCLI             | application/json | {}   | 400 | invalid-parameter
          POST | /import?format=LLDPCLI&device=leaf1 | application/json | {}  | 400 | invalid-body
          POST | /import?format=NETBOX_JSON         | application/json | [    | 400 | invalid-body
          POST | /import?format=NCCL_XML&device=h1  | application/xml  | <a/> | 400 | invalid-body
          POST | /import?format=IBNETDISCOVER       | text/plain       | x    | 400 | invalid-body
          POST | /import?format=SLURM_CONF          | text/plain       | x    | 400 | invalid-body
          POST | /import?format=NDT                 | application/x-www-form-urlencoded | a=b | 415 | unsupported-media-type
          PUT  | ''                                 | application/json | [    | 400 | invalid-body
          PUT  | ?dryRun=maybe                      | application/json | {}   | 400 | invalid-parameter
          PUT  | ?force=true                        | application/json | {}   | 400 | invalid-parameter
          """)
  void bad_documents_and_parameters_are_problems(
      String method, String path, String type, String body, int status, String code) {
    Http.Answer answer = http.sendBody(method, TOPOLOGY + path, type, body);

    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    assertThat(answer.json().get("code").asString()).isEqualTo(code);
    assertThat(answer.text()).doesNotContain("java.", "/tmp");
  }

  @Test
  void a_plan_of_the_configuration_is_not_changed_over_rest(@TempDir Path folder) {
    TopologyPlan configured = TopologyPlan.open(folder, folder.resolve("plan.yaml"));
    PlanController controller = new PlanController(() -> new Wired().wired().current(), configured);

    assertThat(
            org.assertj.core.api.Assertions.catchThrowableOfType(
                    ApiProblem.class,
                    () ->
                        controller.put(
                            new PlanRequest(false),
                            JSON,
                            new java.io.ByteArrayInputStream(new byte[] {'{', '}'})))
                .kind())
        .isEqualTo(ApiProblem.Kind.PLAN_IS_CONFIGURED);
  }

  // --- graph and changes

  @Test
  void the_graph_has_the_fields_of_grafanas_node_graph() {
    JsonNode nodes = http.get(TOPOLOGY + "/graph/nodes").json().get("items");
    JsonNode edges = http.get(TOPOLOGY + "/graph/edges").json().get("items");

    assertThat(nodes).hasSize(4);
    JsonNode leaf = nodes.get(0);
    assertThat(leaf.get("id").asString()).isEqualTo("leaf1");
    assertThat(leaf.get("mainStat").asString()).isEqualTo("2 links");
    assertThat(
            leaf.get("arc__healthy").asDouble()
                + leaf.get("arc__suspect").asDouble()
                + leaf.get("arc__degraded").asDouble()
                + leaf.get("arc__down").asDouble()
                + leaf.get("arc__unknown").asDouble())
        .isEqualTo(1);
    assertThat(edges).hasSize(4);
    assertThat(edges.get(0).get("source").asString()).isEqualTo("leaf1");
    assertThat(edges.get(0).get("target").asString()).isEqualTo("spine1");
    assertThat(edges.get(0).get("mainStat").asString()).isEqualTo("1 link");
    assertThat(http.get(TOPOLOGY + "/graph/nodes?device=leaf1").json().get("items")).hasSize(3);
    JsonNode few = http.get(TOPOLOGY + "/graph/nodes?limit=2").json();
    assertThat(few.get("items")).hasSize(2);
    assertThat(few.get("omitted").asInt()).isEqualTo(2);
    assertThat(http.get(TOPOLOGY + "/graph/edges?limit=2").json().get("items")).isEmpty();
  }

  @Test
  void changes_come_newest_first_and_are_filtered() {
    JsonNode all = http.get(TOPOLOGY + "/changes").json().get("items");

    assertThat(all).hasSize(2);
    assertThat(all.get(0).get("event").asString()).isEqualTo("link_moved");
    assertThat(all.get(1).get("port").isNull()).isTrue();
    assertThat(http.get(TOPOLOGY + "/changes?event=reboot").json().get("items")).hasSize(1);
    assertThat(http.get(TOPOLOGY + "/changes?device=nobody").json().get("items")).isEmpty();
  }

  private static final String YAML_PLAN =
      """
      devices:
        - {name: leaf1, role: leaf}
        - {name: gpu-001, role: host}
      ports:
        - {device: leaf1, name: Ethernet1, mtu: 9216, aliases: [Port 1]}
      links:
        - {a: {device: leaf1, port: Ethernet1}, b: {device: gpu-001, port: mlx5_0/1}}
      """;

  private static final String LLDP =
      """
      {"lldp": {"interface": {"Ethernet49": {"via": "LLDP",
        "chassis": {"spine1": {"id": {"type": "local", "value": "spine1"}}},
        "port": {"id": {"type": "ifname", "value": "Ethernet7"}, "ttl": "120"}}}}}
      """;

  /** A small fabric as it would be joined. */
  @TestConfiguration
  static class Wired {

    @Bean
    @Primary
    Snapshots wired() {
      Fabric plan = plan();
      Fabric fabric =
          Wiring.join(
              plan,
              Fabric.EMPTY,
              List.of(
                  device(
                      "leaf1",
                      Role.LEAF,
                      "Ethernet49 spine1 Ethernet2",
                      "Ethernet50 spine2 Ethernet1"),
                  device(
                      "leaf2",
                      Role.LEAF,
                      "Ethernet49 spine1 Ethernet1",
                      "Ethernet50 spine2 Ethernet2"),
                  device(
                      "spine1",
                      Role.SPINE,
                      "Ethernet1 leaf2 Ethernet49",
                      "Ethernet2 leaf1 Ethernet49"),
                  device(
                      "spine2",
                      Role.SPINE,
                      "Ethernet1 leaf1 Ethernet50",
                      "Ethernet2 leaf2 Ethernet50")));
      FabricSnapshot snapshot =
          new FabricSnapshot(
              WebSlice.AT,
              SampleFabric.DICTIONARY,
              fabric,
              plan,
              Map.of(),
              readings(),
              List.of(),
              List.of(
                  new RecentEvent(
                      2, WebSlice.AT, "leaf1", "Ethernet49", "link_moved", "from a to b"),
                  new RecentEvent(1, WebSlice.AT, "leaf2", null, "reboot", "seen by snmp")));
      return () -> snapshot;
    }

    private static Fabric plan() {
      Fabric.Builder plan = Fabric.builder();
      for (int leaf = 1; leaf <= 2; leaf++) {
        for (int spine = 1; spine <= 2; spine++) {
          PortId down = new PortId("leaf" + leaf, "Ethernet" + (48 + spine));
          PortId up = new PortId("spine" + spine, "Ethernet" + leaf);
          plan.device(Device.of(down.device(), Role.LEAF));
          plan.device(Device.of(up.device(), Role.SPINE));
          plan.port(planned(down)).port(planned(up));
          plan.link(Link.between(down, up, Tier.LEAF_SPINE, null));
        }
      }
      return plan.build();
    }

    private static Port planned(PortId id) {
      return new Port(
          id, 400_000_000_000L, 8, FecMode.RS544, Media.OPTICAL, null, 9216, true, List.of());
    }

    private static Sighting device(String name, Role role, String... neighbours) {
      List<String[]> rows = java.util.Arrays.stream(neighbours).map(row -> row.split(" ")).toList();
      return new Sighting(
          name,
          role,
          name,
          null,
          List.of(),
          rows.stream()
              .map(
                  row -> {
                    boolean isSmall = name.equals("leaf2") && row[0].equals("Ethernet50");
                    return new SeenPort(
                        row[0], 400_000_000_000L, isSmall ? 1500 : 9216, true, List.of());
                  })
              .toList(),
          rows.stream()
              .map(
                  row ->
                      new Neighbour(
                          row[0], row[1], row[1], row[2], PortIdKind.INTERFACE_NAME, null))
              .toList(),
          true);
    }

    private static Map<PortId, PortReadings> readings() {
      DeviceSignals signals = new DeviceSignals("leaf2", "snmp", SampleFabric.DICTIONARY);
      for (int pass = 0; pass < 2; pass++) {
        PollBatch.Builder batch =
            PollBatch.builder(
                "leaf2", "snmp", WebSlice.AT.minusSeconds(10).plusSeconds(10L * pass));
        int index = batch.port("Ethernet50");
        batch.value(index, SampleFabric.DICTIONARY.ordinal("port.oper_up"), 0, 1);
        batch.counter(
            index, SampleFabric.DICTIONARY.ordinal("port.in_errors"), 0, pass == 0 ? -16 : -1);
        signals.apply(batch.build(true), null);
      }
      Map<PortId, PortReadings> readings = new HashMap<>();
      readings.put(new PortId("leaf2", "Ethernet50"), signals.snapshot("Ethernet50"));
      return readings;
    }
  }
}
