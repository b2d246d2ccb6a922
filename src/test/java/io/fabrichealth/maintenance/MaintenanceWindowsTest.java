package io.fabrichealth.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Repeats;
import io.fabrichealth.incident.Severity;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Scope;
import io.fabrichealth.topology.Tier;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MaintenanceWindowsTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final Link ONE = link("a:Eth1/1", "gpu-001");
  private static final Link OTHER = link("a:Eth1/2", "gpu-002");

  private final MaintenanceWindows windows = new MaintenanceWindows();

  MaintenanceWindowsTest() {
    windows.fabric(
        Fabric.builder()
            .device(Device.of("leaf1", Role.LEAF))
            .device(Device.of("gpu-001", Role.HOST))
            .device(Device.of("gpu-002", Role.HOST))
            .link(ONE)
            .link(OTHER)
            .build());
  }

  @Test
  void a_device_has_its_links_ports_and_lanes() {
    put(new Scope(List.of("gpu-001"), List.of(), List.of()), 0, 600);

    assertThat(by(Subject.of(ONE))).isEqualTo("w");
    assertThat(by(Subject.host("gpu-001"))).isEqualTo("w");
    assertThat(by(Subject.lane(new PortId("gpu-001", "mlx5_0/1"), 3))).isEqualTo("w");
    assertThat(by(Subject.of(OTHER))).isNull();
    assertThat(by(Subject.ofSwitch("leaf1"))).isNull();
  }

  @Test
  void a_port_has_its_link() {
    put(new Scope(List.of(), List.of("leaf1:a:Eth1/2"), List.of()), 0, 600);

    assertThat(by(Subject.of(OTHER))).isEqualTo("w");
    assertThat(by(Subject.of(ONE))).isNull();
  }

  @Test
  void a_link_has_both_its_ends_but_not_their_devices() {
    put(new Scope(List.of(), List.of(), List.of(ONE.id())), 0, 600);

    assertThat(by(Subject.of(ONE.a()))).isEqualTo("w");
    assertThat(by(Subject.of(ONE))).isEqualTo("w");
    assertThat(by(Subject.host("gpu-001"))).isNull();
  }

  @Test
  void what_several_share_is_expected_where_all_of_them_are_worked_on() {
    put(new Scope(List.of("gpu-001"), List.of("leaf1:a:Eth1/1"), List.of()), 0, 600);

    assertThat(by(new Subject(SubjectType.PAUSE_DOMAIN, "gpu-001+leaf1"))).isNull();
    assertThat(by(new Subject(SubjectType.SHARED_COMPONENT, "gpu-001:mlx5_0/1+leaf1:a:Eth1/1")))
        .isEqualTo("w");
  }

  @ParameterizedTest
  @CsvSource({
    // opened, now: before, within, at the end, in the aftermath, and after it
    "-60, -30, false",
    "-60, 10, true",
    "10, 599, true",
    "10, 600, true",
    "10, 2399, true",
    "10, 2400, false",
    "-60, 700, false",
    "600, 700, false"
  })
  void an_incident_is_expected_while_the_work_goes_on_and_shortly_after(
      long opened, long now, boolean expected) {
    put(new Scope(List.of("leaf1"), List.of(), List.of()), 0, 600);

    assertThat(windows.suppressedBy(incident(Subject.of(ONE), opened), START.plusSeconds(now)))
        .isEqualTo(expected ? "w" : null);
  }

  @Test
  void the_same_id_again_replaces_the_window() {
    put(new Scope(List.of("leaf1"), List.of(), List.of()), 0, 600);
    put(new Scope(List.of("leaf1"), List.of(), List.of()), 1_000, 2_000);

    assertThat(by(Subject.of(ONE))).isNull();
  }

  @Test
  void a_link_that_is_cabled_later_belongs_to_its_device() {
    windows.fabric(Fabric.EMPTY);
    put(new Scope(List.of("gpu-001"), List.of(), List.of()), 0, 600);
    assertThat(by(Subject.of(ONE))).isNull();

    windows.fabric(Fabric.builder().link(ONE).build());

    assertThat(by(Subject.of(ONE))).isEqualTo("w");
  }

  private void put(Scope scope, int from, int to) {
    windows.put(new MaintenanceWindow("w", scope, START.plusSeconds(from), START.plusSeconds(to)));
  }

  private String by(Subject subject) {
    return windows.suppressedBy(incident(subject, 10), START.plusSeconds(20));
  }

  private static Link link(String port, String host) {
    return Link.between(new PortId("leaf1", port), new PortId(host, "mlx5_0/1"), Tier.HOST_LEAF, 0);
  }

  private static Incident incident(Subject subject, long opened) {
    return new Incident(
        new UUID(0, 1),
        "f",
        subject,
        Cause.LINK_FLAP,
        Severity.WARNING,
        Incident.State.OPEN,
        .99,
        START.plusSeconds(opened),
        START.plusSeconds(opened),
        null,
        "",
        List.of(),
        List.of(),
        null,
        null,
        Repeats.NONE,
        List.of(),
        1);
  }
}
