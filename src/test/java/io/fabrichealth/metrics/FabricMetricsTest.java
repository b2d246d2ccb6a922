package io.fabrichealth.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.collect.TargetStatus;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Repeats;
import io.fabrichealth.incident.Severity;
import io.fabrichealth.runtime.FabricSnapshot;
import io.fabrichealth.signal.PortReadings;
import io.fabrichealth.testing.FakeIncidents;
import io.fabrichealth.testing.SampleFabric;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.PortId;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FabricMetricsTest {
  private static final Instant AT = Instant.parse("2026-03-01T12:00:00Z");

  private final SampleFabric fabric = new SampleFabric(AT);
  private final String text = text(fabric.incidents());

  @Test
  void counters_are_the_growth_since_first_read_also_beyond_a_signed_long() {
    assertThat(text)
        .contains("fabric_port_rx_bytes_total{device=\"leaf1\",port=\"Ethernet1/2\"} 2000000.0\n");
  }

  @Test
  void a_lane_without_light_has_no_series() {
    assertThat(text)
        .contains(
            "fabric_port_rx_power_dbm{device=\"leaf1\",lane=\"0\",port=\"Ethernet1/2\"} -1.5\n");
    assertThat(lines("fabric_port_rx_power_dbm"))
        .isNotEmpty()
        .noneMatch(line -> line.contains("lane=\"2\""));
  }

  @Test
  void corrected_bits_are_told_by_lane() {
    assertThat(lines("fabric_port_fec_lane_errors_total"))
        .contains(
            "fabric_port_fec_lane_errors_total"
                + "{device=\"leaf1\",lane=\"3\",port=\"Ethernet1/2\"} 400.0");
  }

  @Test
  void lanes_queues_and_priorities_are_added_up() {
    assertThat(text)
        .contains(
            "fabric_port_fec_symbol_errors_total{device=\"leaf1\",port=\"Ethernet1/2\"} 320.0\n")
        .contains(
            "fabric_port_pfc_pause_frames_total"
                + "{device=\"leaf1\",direction=\"tx\",port=\"Ethernet1/2\"} 1000.0\n")
        .contains(
            "fabric_port_pfc_pause_seconds_total"
                + "{device=\"leaf1\",direction=\"rx\",port=\"Ethernet1/2\"} 0.5\n");
  }

  @Test
  void what_a_device_does_not_have_has_no_series() {
    assertThat(lines("fabric_port_roce_cnp_sent_total"))
        .isNotEmpty()
        .allMatch(l -> l.contains("gpu-"));
    assertThat(lines("fabric_port_fec_symbol_errors_total"))
        .isNotEmpty()
        .noneMatch(l -> l.contains("gpu-"));
  }

  @Test
  void readings_of_a_device_that_does_not_answer_are_left_out() {
    assertThat(lines("fabric_port_up")).isNotEmpty().noneMatch(l -> l.contains("gpu-002"));
    assertThat(lines("fabric_port_rx_bytes_total")).noneMatch(l -> l.contains("gpu-002"));
    assertThat(lines("fabric_port_info")).anyMatch(l -> l.contains("device=\"gpu-002\""));
  }

  @Test
  void a_pass_with_problems_that_read_most_loses_no_series() {
    String malformed = text(target(FailureCode.MALFORMED, true));

    assertThat(malformed).contains("fabric_port_up{device=\"leaf1\",port=\"Ethernet1/2\"} 1.0\n");
    assertThat(malformed).contains("fabric_port_rx_bytes_total{device=\"leaf1\"");
  }

  @ParameterizedTest
  @EnumSource(names = {"PARTIAL", "MALFORMED", "BACK_OFF"})
  void readings_of_an_earlier_pass_are_not_told_as_new(FailureCode code) {
    assertThat(text(target(code, false))).doesNotContain("fabric_port_up{", "rx_bytes_total{");
  }

  @Test
  void what_is_seen_of_a_device_is_told_by_family_and_state() {
    assertThat(lines("fabric_coverage_ports"))
        .contains("fabric_coverage_ports{device=\"gpu-001\",family=\"roce\",state=\"read\"} 2.0")
        .contains(
            "fabric_coverage_ports{device=\"gpu-001\",family=\"fec\",state=\"unsupported\"} 2.0")
        .noneMatch(l -> l.contains("gpu-002") && l.contains("\"read\"") && !l.endsWith(" 0.0"))
        .anyMatch(l -> l.contains("gpu-002") && l.contains("\"stale\""));
  }

  @Test
  void what_a_target_of_many_devices_or_a_sender_tells_has_series_until_it_stops() {
    Map<PortId, PortReadings> readings = fabric.current().readings();
    String up = "fabric_port_up{device=\"gpu-001\",port=\"mlx5_0/1\"} 1.0\n";

    assertThat(text(AT.plusSeconds(60), readings, List.of())).contains(up);
    assertThat(text(AT.plusSeconds(3_600), readings, List.of())).doesNotContain("fabric_port_up{");
  }

  @Test
  void remarks_are_counted_apart_from_failures() {
    assertThat(lines("fabric_collect_remarks"))
        .contains("fabric_collect_remarks{collector=\"snmp\",device=\"leaf1\"} 1.0")
        .contains("fabric_collect_remarks{collector=\"snmp\",device=\"leaf2\"} 0.0");
  }

  @Test
  void every_state_is_counted_and_each_link_has_one() {
    assertThat(text)
        .contains("fabric_links{state=\"DEGRADED\"} 2.0\n")
        .contains("fabric_links{state=\"DOWN\"} 1.0\n")
        .contains("fabric_links{state=\"UNKNOWN\"} 1.0\n")
        .contains("fabric_links{state=\"SUSPECT\"} 0.0\n");
    assertThat(lines("fabric_link_state")).hasSize(6).allMatch(line -> line.endsWith(" 1.0"));
  }

  @Test
  void an_incident_is_one_series_with_both_ends_of_its_link() {
    assertThat(lines("fabric_incident_active"))
        .hasSize(4)
        .contains(
            "fabric_incident_active{cause=\"PHY_LANE\",device=\"gpu-002\",peer_device=\"leaf1\","
                + "peer_port=\"Ethernet1/2\",port=\"mlx5_0/1\",rail=\"0\",severity=\"warning\","
                + "subject=\"gpu-002:mlx5_0/1--leaf1:Ethernet1/2\",subject_type=\"link\"} 1.0")
        .contains(
            "fabric_incident_active{cause=\"SLOW_RECEIVER\",device=\"gpu-002\",peer_device=\"\","
                + "peer_port=\"\",port=\"\",rail=\"\",severity=\"warning\",subject=\"gpu-002\","
                + "subject_type=\"host\"} 1.0");
    assertThat(text)
        .contains("fabric_incidents_open{severity=\"critical\"} 2.0\n")
        .contains("fabric_incidents_open{severity=\"info\"} 0.0\n")
        .contains("fabric_incidents_opened_total 4.0\n")
        .contains("fabric_incidents_resolved_total 0.0\n");
  }

  @Test
  void device_and_port_are_those_of_the_first_id_whatever_the_subject() {
    String active =
        text(
            List.of(
                incident(1, SubjectType.LANE, "leaf1:Ethernet1/2#3"),
                incident(2, SubjectType.PORT, "spine1:Ethernet1"),
                incident(3, SubjectType.PAUSE_DOMAIN, "leaf1:Ethernet1/1+leaf1:Ethernet1/2"),
                incident(4, SubjectType.SHARED_COMPONENT, "spine1+leaf1"),
                incident(5, SubjectType.LINK, "was:here--is:gone"),
                incident(6, SubjectType.RANK, "train/7")));

    assertThat(active)
        .containsPattern(
            "device=\"leaf1\",.*port=\"Ethernet1/2\",.*subject=\"leaf1:Ethernet1/2#3\"")
        .containsPattern("device=\"spine1\",.*port=\"Ethernet1\",.*subject=\"spine1:Ethernet1\"")
        .containsPattern(
            "device=\"leaf1\",.*,port=\"Ethernet1/1\",.*subject=\"leaf1:Ethernet1/1\\+")
        .containsPattern("device=\"spine1\",.*,port=\"\",.*subject=\"spine1\\+leaf1\"")
        .containsPattern("device=\"\",.*subject=\"was:here--is:gone\"")
        .containsPattern("device=\"\",.*subject=\"train/7\"");
  }

  @Test
  void two_incidents_that_look_alike_do_not_break_the_scrape() {
    Incident one = incident(1, SubjectType.RANK, "train/7");
    Incident other = incident(2, SubjectType.RANK, "train/7");

    assertThat(text(List.of(one, other))).contains("subject=\"train/7\"");
  }

  @Test
  void a_target_that_was_not_tried_yet_has_no_series() {
    assertThat(lines("fabric_collect_success"))
        .hasSize(5)
        .contains("fabric_collect_success{collector=\"prometheus\",device=\"gpu-002\"} 0.0")
        .contains("fabric_collect_success{collector=\"snmp\",device=\"leaf1\"} 1.0");
    assertThat(text)
        .contains(
            "fabric_collect_failures_total"
                + "{code=\"TIMEOUT\",collector=\"prometheus\",device=\"gpu-002\"} 3.0\n")
        .contains(
            "fabric_collect_last_success_timestamp_seconds"
                + "{collector=\"prometheus\",device=\"gpu-002\"} 1.77236628E9\n");
  }

  @Test
  void hostile_names_are_escaped() {
    String hostile = "a\"} 1\nfabric_evil{x=\"";

    assertThat(text(List.of(incident(1, SubjectType.HOST, hostile))))
        .contains("device=\"a\\\"} 1\\nfabric_evil{x=\\\"\"")
        .doesNotContain("\nfabric_evil");
  }

  @Test
  void an_empty_fabric_gives_the_counts_and_no_port() {
    FabricSnapshot empty =
        new FabricSnapshot(
            AT,
            SampleFabric.DICTIONARY,
            Fabric.EMPTY,
            Fabric.EMPTY,
            Map.of(),
            Map.of(),
            List.of(),
            List.of());

    assertThat(write(new FabricMetrics(() -> empty, new FakeIncidents(List.of()), "1").collect()))
        .contains("fabric_links{state=\"HEALTHY\"} 0.0\n")
        .contains("fabric_incidents_open{severity=\"warning\"} 0.0\n")
        .doesNotContain("fabric_port")
        .doesNotContain("fabric_incident_active");
  }

  @Test
  void no_more_than_thirty_families_grow_with_the_ports() {
    long families =
        new FabricMetrics(fabric, new FakeIncidents(List.of()), "1")
            .collect().stream()
                .filter(family -> family.getMetadata().getName().matches("fabric_(port|link).*"))
                .count();

    assertThat(families).isBetween(20L, 30L);
  }

  private List<String> lines(String series) {
    return text.lines().filter(line -> line.startsWith(series + "{")).toList();
  }

  private String text(List<Incident> incidents) {
    return write(new FabricMetrics(fabric, new FakeIncidents(incidents), "1.2.3").collect());
  }

  private String text(TargetStatus target) {
    Map<PortId, PortReadings> ofTarget = new HashMap<>(fabric.current().readings());
    ofTarget.keySet().removeIf(port -> !port.device().equals(target.device()));
    return text(AT, ofTarget, List.of(target));
  }

  private String text(Instant at, Map<PortId, PortReadings> readings, List<TargetStatus> targets) {
    FabricSnapshot all = fabric.current();
    FabricSnapshot changed =
        new FabricSnapshot(
            at,
            all.dictionary(),
            all.fabric(),
            all.plan(),
            all.verdicts(),
            readings,
            targets,
            List.of());
    return write(new FabricMetrics(() -> changed, new FakeIncidents(List.of()), "1").collect());
  }

  private static TargetStatus target(FailureCode failure, boolean lastPassRead) {
    return new TargetStatus(
        "leaf1",
        "snmp",
        "198.51.100.1:161",
        AT,
        null,
        .25,
        failure,
        "made up",
        12,
        Map.of(failure, 12L),
        1,
        3,
        60,
        0,
        0,
        0,
        0,
        lastPassRead,
        Map.of(),
        List.of());
  }

  private static String write(MetricSnapshots families) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      ExpositionFormats.init().getPrometheusTextFormatWriter().write(out, families);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static Incident incident(int number, SubjectType type, String id) {
    return new Incident(
        new UUID(1, number),
        type + id + number,
        new Subject(type, id),
        Cause.SHARED_COMPONENT,
        Severity.INFO,
        Incident.State.OPEN,
        .99,
        AT,
        AT,
        null,
        "Made up.",
        List.of(),
        List.of(),
        null,
        null,
        Repeats.NONE,
        List.of(),
        1);
  }
}
