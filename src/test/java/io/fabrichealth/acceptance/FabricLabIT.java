package io.fabrichealth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabrichealth.testing.ServiceProcess;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The service on a fabric of namespaces with stock snmpd, lldpd and node_exporter. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FabricLabIT {
  private static final Duration SOON = Duration.ofSeconds(120);
  private static final String LOSSY = "leaf4:Ethernet50--spine2:Ethernet4";
  private static final String FLAPPING = "host3:rail0--leaf2:Ethernet1";
  private static final String CUT = "leaf1:Ethernet49--spine1:Ethernet1";

  private static final String NARROW = "leaf4:Ethernet49--spine1:Ethernet4";
  private static final String PULLED = "leaf2:Ethernet49--spine1:Ethernet2";
  private static final String LEFT = "leaf3";

  @TempDir private static Path directory;
  private static FabricLab lab;
  private static ServiceProcess service;

  @BeforeAll
  static void start() throws IOException {
    String missing = FabricLab.missing();
    assumeTrue(missing.isEmpty(), () -> "skipped: the fabric lab cannot run here: " + missing);
    assumeTrue(ServiceProcess.isPackaged(), "skipped: target/fabric-health.jar is not packaged");
    lab = FabricLab.up();
    lab.traffic(900);
    JsonNode targets = lab.targets();
    // One half of the switches by v2c, the other by v3.
    ArrayNode switches = (ArrayNode) targets.get("snmp");
    for (int index = 0; index < switches.size(); index += 2) {
      ((ObjectNode) switches.get(index)).remove("v3");
    }
    Path file = directory.resolve("targets.json");
    Files.writeString(file, targets.toString());
    // Only who is there: the cables are found, and planned later.
    Path plan = directory.resolve("plan.json");
    Files.writeString(plan, "{\"devices\":[{\"name\":\"leaf1\",\"role\":\"leaf\"}]}");
    service =
        ServiceProcess.start(
            FabricLab.IN_MANAGEMENT_NETWORK,
            FabricLab.MANAGEMENT_ADDRESS,
            directory,
            "--fabric-health.topology=" + plan,
            "--fabric-health.collect.targets-file=" + file,
            "--fabric-health.collect.snmp.interval=5s",
            "--fabric-health.collect.prometheus.interval=5s");
    service.await("/api/v1/targets", SOON, answer -> true);
  }

  @AfterAll
  static void stop() {
    if (service != null) {
      service.close();
    }
    if (lab != null) {
      lab.close();
    }
  }

  @Test
  @Order(1)
  void the_whole_wiring_is_found_from_what_the_devices_say_of_their_neighbours() {
    Set<String> wired = new TreeSet<>();
    for (int leaf = 1; leaf <= 4; leaf++) {
      for (int spine = 1; spine <= 2; spine++) {
        wired.add("leaf%d:Ethernet%d--spine%d:Ethernet%d".formatted(leaf, 48 + spine, spine, leaf));
      }
      for (int slot = 1; slot <= 2; slot++) {
        wired.add("host%d:rail0--leaf%d:Ethernet%d".formatted((leaf - 1) * 2 + slot, leaf, slot));
      }
    }

    JsonNode links =
        service.await("/api/v1/links?limit=1000", SOON, answer -> wired.equals(ids(answer, false)));

    assertThat(links.get("items")).hasSize(wired.size());
  }

  @Test
  @Order(2)
  void every_port_and_every_exporter_is_read_over_v2c_and_v3() {
    JsonNode targets =
        service.await(
            "/api/v1/targets?limit=1000",
            SOON,
            answer ->
                answer.get("items").size() == 14
                    && all(answer).stream().allMatch(target -> target.get("failure").isNull()));
    assertThat(all(targets)).allMatch(target -> target.get("readings").asInt() > 0);

    JsonNode links =
        service.await(
            "/api/v1/links?limit=1000",
            SOON,
            answer ->
                all(answer).stream()
                    .allMatch(link -> link.get("state").asString().equals("HEALTHY")));
    assertThat(all(links)).hasSize(16);
    String metrics = service.getText("/metrics/fabric");
    assertThat(metrics.lines().filter(line -> line.startsWith("fabric_port_up{"))).hasSize(32);
  }

  @Test
  @Order(3)
  void a_healthy_lab_leads_to_no_incident() {
    ServiceProcess.sleep(Duration.ofSeconds(45));

    assertNoneBut(Set.of());
  }

  @Test
  @Order(4)
  void visible_loss_leads_to_an_incident_on_that_link_alone() {
    lab.fault("visible-loss", "--device", "spine2", "--port", "Ethernet4", "--rate", "0.02");

    awaitIncident(LOSSY, "PACKET_LOSS");
    lab.mend();
    assertOnly(Set.of(LOSSY));
  }

  @Test
  @Order(5)
  void a_flapping_host_link_leads_to_an_incident_on_that_link_alone() {
    lab.fault(
        "flap",
        "--device",
        "host3",
        "--port",
        "rail0",
        "--down-ms",
        "1500",
        "--up-ms",
        "5000",
        "--times",
        "8");

    awaitIncident(FLAPPING, "LINK_FLAP");
    assertOnly(Set.of(LOSSY, FLAPPING));
    lab.mend();
  }

  @Test
  @Order(6)
  void a_cut_cable_leads_to_a_link_that_is_down_and_an_incident_on_it_alone() {
    lab.fault("link-down", "--device", "leaf1", "--port", "Ethernet49");

    awaitIncident(CUT, "LINK_DOWN");
    service.await(
        "/api/v1/links/" + encoded(CUT), SOON, link -> link.get("state").asString().equals("DOWN"));
    assertOnly(Set.of(LOSSY, FLAPPING, CUT));
    lab.mend();
  }

  @Test
  @Order(7)
  void a_plan_that_comes_while_the_service_runs_is_what_is_wired() throws IOException {
    Files.writeString(directory.resolve("plan.json"), plan(lab.truth()));

    awaitNoDifference();
    assertThat(all(service.get("/api/v1/links?limit=1000")))
        .hasSize(16)
        .allSatisfy(link -> assertThat(mismatches(link)).isEmpty());
  }

  @Test
  @Order(8)
  void a_switch_that_leaves_and_comes_back_is_one_failing_target_and_unknown_links() {
    // Both: a subagent whose master stands still gives up, and lldpd does not come back for
    // minutes.
    lab.signal(LEFT, "lldpd", "STOP");
    lab.signal(LEFT, "snmpd", "STOP");

    JsonNode targets =
        service.await(
            "/api/v1/targets?limit=1000",
            SOON,
            answer -> all(answer).stream().anyMatch(target -> !target.get("failure").isNull()));
    assertThat(all(targets))
        .filteredOn(target -> !target.get("failure").isNull())
        .singleElement()
        .satisfies(target -> assertThat(target.get("device").asString()).isEqualTo(LEFT));
    service.await(
        "/api/v1/links?limit=1000&device=" + LEFT,
        SOON,
        answer ->
            all(answer).stream().allMatch(link -> link.get("state").asString().equals("UNKNOWN")));
    assertThat(all(service.get("/api/v1/links?limit=1000")))
        .filteredOn(link -> !link.get("id").asString().contains(LEFT + ":"))
        .hasSize(12)
        .allSatisfy(link -> assertThat(link.get("state").asString()).isNotEqualTo("UNKNOWN"));

    lab.signal(LEFT, "snmpd", "CONT");
    lab.signal(LEFT, "lldpd", "CONT");
    service.await(
        "/api/v1/links?limit=1000&device=" + LEFT,
        SOON,
        answer ->
            all(answer).stream().allMatch(link -> link.get("state").asString().equals("HEALTHY")));
    service.await(
        "/api/v1/targets?limit=1000",
        SOON,
        answer -> all(answer).stream().allMatch(target -> target.get("failure").isNull()));
    awaitNoDifference();
    assertOnly(Set.of(LOSSY, FLAPPING, CUT));
  }

  @Test
  @Order(9)
  void a_cable_in_the_wrong_port_is_one_swap_and_nothing_else() {
    lab.fault(
        "wrong-cable",
        "--device",
        "leaf2",
        "--port",
        "Ethernet49",
        "--with-device",
        "leaf4",
        "--with-port",
        "Ethernet49");

    JsonNode diff = awaitOnly("swapped");

    JsonNode swap = diff.get("swapped").get(0);
    assertThat(cables(swap.get("planned")))
        .containsExactlyInAnyOrder(
            "leaf2:Ethernet49--spine1:Ethernet2", "leaf4:Ethernet49--spine1:Ethernet4");
    assertThat(cables(swap.get("seen")))
        .containsExactlyInAnyOrder(
            "leaf2:Ethernet49--spine1:Ethernet4", "leaf4:Ethernet49--spine1:Ethernet2");
    // Both cables are pulled and plugged twice, and the wrong ones carry nothing.
    lab.mend();
    awaitNoDifference();
    // Routes lag behind cables: what is lost meanwhile is no fault of the switches.
    assertNoneBut(Set.of(LOSSY, FLAPPING, CUT, PULLED, NARROW));
  }

  @Test
  @Order(10)
  void a_smaller_mtu_at_one_end_is_told_of_that_port_and_that_link_alone() {
    lab.fault("mtu-mismatch", "--device", "leaf4", "--port", "Ethernet49");

    JsonNode diff = awaitOnly("properties");
    JsonNode property = diff.get("properties").get(0);
    assertThat(property.get("device").asString()).isEqualTo("leaf4");
    assertThat(property.get("port").asString()).isEqualTo("Ethernet49");
    assertThat(property.get("what").asString()).isEqualTo("MTU_BYTES");
    assertThat(property.get("planned").asString()).isEqualTo("9216");
    assertThat(property.get("seen").asString()).isEqualTo("1500");
    JsonNode links =
        service.await(
            "/api/v1/links?limit=1000",
            SOON,
            answer -> all(answer).stream().anyMatch(link -> !mismatches(link).isEmpty()));
    assertThat(all(links))
        .filteredOn(link -> !mismatches(link).isEmpty())
        .singleElement()
        .satisfies(link -> assertThat(link.get("id").asString()).isEqualTo(NARROW));
    lab.mend();
    awaitNoDifference();
    // Frames that are too big for one end are lost packets of that link, until they are told apart.
    assertNoneBut(Set.of(LOSSY, FLAPPING, CUT, PULLED, NARROW));
  }

  /** The lab's wiring as a plan; a plan may be written in JSON, which is YAML too. */
  private static String plan(JsonNode truth) {
    ObjectNode plan = JsonMapper.builder().build().createObjectNode();
    ArrayNode devices = plan.putArray("devices");
    ArrayNode ports = plan.putArray("ports");
    for (JsonNode device : truth.get("devices")) {
      devices.addObject().set("name", device.get("name")).set("role", device.get("role"));
      for (JsonNode port : device.get("ports")) {
        ports
            .addObject()
            .set("device", device.get("name"))
            .set("name", port.get("name"))
            .set("mtu", port.get("mtu"));
      }
    }
    plan.set("links", truth.get("planned_wires"));
    return plan.toString();
  }

  private static void awaitNoDifference() {
    service.await(
        "/api/v1/topology/diff",
        SOON,
        answer -> answer.get("planned").asBoolean() && differences(answer).isEmpty());
  }

  /**
   * One difference of this kind and no other, once all neighbours are read: a switch that answers
   * late, as on a busy machine, leaves its links unknown until its next pass.
   */
  private static JsonNode awaitOnly(String kind) {
    return service.await(
        "/api/v1/topology/diff",
        SOON,
        answer -> differences(answer).equals(Set.of(kind)) && answer.get(kind).size() == 1);
  }

  /** The kinds of differences that there are. */
  private static Set<String> differences(JsonNode diff) {
    return diff.properties().stream()
        .filter(entry -> entry.getValue().isArray() && !entry.getValue().isEmpty())
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<String> cables(JsonNode cables) {
    List<String> ids = new ArrayList<>();
    cables.forEach(cable -> ids.add(id(cable.get("a")) + "--" + id(cable.get("b"))));
    return ids;
  }

  private static String id(JsonNode port) {
    return port.get("device").asString() + ":" + port.get("port").asString();
  }

  private static List<JsonNode> mismatches(JsonNode link) {
    List<JsonNode> all = new ArrayList<>();
    link.get("mismatches").forEach(all::add);
    return all;
  }

  private static void awaitIncident(String link, String cause) {
    service.await(
        "/api/v1/incidents?limit=1000",
        SOON,
        answer ->
            all(answer).stream()
                .anyMatch(
                    incident ->
                        incident.get("subject").get("id").asString().equals(link)
                            && incident.get("cause").asString().equals(cause)));
  }

  private static void assertOnly(Set<String> links) {
    assertNoneBut(links);
    assertThat(all(service.get("/api/v1/incidents?limit=1000")))
        .extracting(incident -> incident.get("subject").get("id").asString())
        .containsAll(links);
  }

  /** What is not expected is told with its cause and what it rests on. */
  private static void assertNoneBut(Set<String> links) {
    assertThat(all(service.get("/api/v1/incidents?limit=1000")))
        .filteredOn(incident -> !links.contains(incident.get("subject").get("id").asString()))
        .extracting(
            incident ->
                "%s %s %s: %s"
                    .formatted(
                        incident.get("id").asString(),
                        incident.get("cause").asString(),
                        incident.get("subject").get("id").asString(),
                        incident.get("summary").asString()))
        .isEmpty();
  }

  private static Set<String> ids(JsonNode answer, boolean half) {
    return all(answer).stream()
        .filter(link -> half || !link.get("b").isNull())
        .map(link -> link.get("id").asString())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<JsonNode> all(JsonNode page) {
    List<JsonNode> items = new ArrayList<>();
    page.get("items").forEach(items::add);
    return items;
  }

  private static String encoded(String id) {
    return URLEncoder.encode(id, StandardCharsets.UTF_8);
  }
}
