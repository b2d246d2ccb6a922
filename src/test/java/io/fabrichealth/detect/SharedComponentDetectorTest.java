package io.fabrichealth.detect;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.testing.DetectorRun;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SharedComponentDetectorTest {
  private static final double OPENS = 8.76;
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final int PORTS = 20;

  private final SharedComponentDetector detector =
      new SharedComponentDetector(DetectorRun.THRESHOLDS);
  private final Fabric fabric = fabric();
  private final Map<PortId, List<Finding>> findings = new HashMap<>();
  private SharedComponentDetector.State state = detector.initial();
  private List<Finding> said = List.of();
  private Instant now = START;

  @Test
  void a_gearbox_of_eight_ports_is_one_finding_before_any_single_port_is_sure() {
    for (int number = 9; number <= 16; number++) {
      says(leaf(number), number, Cause.PHY_LINK, 4);
    }
    poll();
    assertThat(said).as("its extent may grow").isEmpty();
    poll();

    assertThat(said).hasSize(1);
    assertThat(said.getFirst().cause()).isEqualTo(Cause.SHARED_COMPONENT);
    assertThat(said.getFirst().nats()).isGreaterThan(OPENS);
    assertThat(said.getFirst().subject().type()).isEqualTo(SubjectType.SHARED_COMPONENT);
    assertThat(said.getFirst().subject().id())
        .startsWith("leaf1:Ethernet1/10+leaf1:Ethernet1/11+")
        .endsWith("+leaf1:Ethernet1/9");
    assertThat(said.getFirst().members()).hasSize(8).contains(Subject.of(link(9)));
  }

  @Test
  void what_the_far_ends_see_counts_for_the_switch() {
    for (int number = 1; number <= 4; number++) {
      says(host(number), number, Cause.PACKET_LOSS, 7);
    }
    poll();

    assertThat(said.getFirst().members()).hasSize(4);
    assertThat(said.getFirst().nats()).isGreaterThan(OPENS);
  }

  @Test
  void a_gearbox_most_of_which_is_bad_is_named_whole_and_keeps_its_name() {
    for (int number : new int[] {1, 2, 4, 5, 7}) {
      says(leaf(number), number, Cause.PHY_LANE, 6);
    }
    poll();
    Subject first = said.getFirst().subject();
    says(leaf(3), 3, Cause.PHY_LANE, 6);
    says(leaf(9), 9, Cause.PHY_LANE, 6);
    poll();

    assertThat(first.id().split("\\+")).hasSize(8);
    assertThat(said.getFirst().subject()).isEqualTo(first);
    assertThat(said.getFirst().members()).hasSize(9).contains(Subject.of(link(9)));
  }

  @Test
  void nearly_all_ports_are_the_switch() {
    for (int number = 1; number <= PORTS - 1; number++) {
      says(leaf(number), number, Cause.PHY_LINK, 5);
    }
    poll();
    poll();

    assertThat(said.getFirst().subject()).isEqualTo(Subject.ofSwitch("leaf1"));
    assertThat(said.getFirst().members()).hasSize(PORTS);
  }

  @Test
  void it_clears_when_fewer_than_three_of_its_links_are_bad() {
    for (int number = 1; number <= 8; number++) {
      says(leaf(number), number, Cause.LINK_FLAP, 9);
    }
    poll();
    for (int number = 1; number <= 6; number++) {
      findings.remove(leaf(number));
    }
    poll();

    assertThat(said).isEmpty();
    assertThat(state).isEqualTo(detector.initial());
  }

  @Test
  void two_bad_links_of_one_switch_are_two_bad_links() {
    says(leaf(3), 3, Cause.PHY_LINK, 20);
    says(leaf(4), 4, Cause.PHY_LINK, 20);
    poll();

    assertThat(said).isEmpty();
  }

  @Test
  void bad_links_that_lie_apart_are_no_component() {
    for (int number : new int[] {1, 6, 12, 19}) {
      says(leaf(number), number, Cause.PHY_LINK, 12);
    }
    poll();

    assertThat(said).isEmpty();
  }

  @Test
  void links_that_went_bad_at_different_times_are_no_component() {
    for (int number = 1; number <= 4; number++) {
      says(leaf(number), number, Cause.PHY_LINK, 12);
      now = now.plus(Duration.ofHours(1));
    }
    poll();

    assertThat(said).isEmpty();
  }

  @Test
  void cables_pulled_one_after_the_other_are_no_component_and_all_at_once_are_one() {
    for (int number = 1; number <= 4; number++) {
      says(leaf(number), number, Cause.LINK_FLAP, 12);
      now = now.plus(Duration.ofMinutes(1));
    }
    poll();

    assertThat(said).isEmpty();

    for (int number = 9; number <= 12; number++) {
      says(leaf(number), number, Cause.LINK_FLAP, 12);
      now = now.plus(Duration.ofSeconds(10));
    }
    poll();

    assertThat(said).hasSize(1);
  }

  @Test
  void a_little_on_each_port_is_nothing() {
    for (int number = 1; number <= PORTS; number++) {
      says(leaf(number), number, Cause.PHY_LINK, 2.5);
    }
    poll();

    assertThat(said).isEmpty();
  }

  @Test
  void links_that_are_down_or_mismatched_are_no_component() {
    for (int number = 1; number <= 8; number++) {
      says(leaf(number), number, number % 2 == 0 ? Cause.LINK_DOWN : Cause.MTU_MISMATCH, 12);
    }
    poll();

    assertThat(said).isEmpty();
  }

  @Test
  void the_ports_of_one_host_are_no_component_of_the_host() {
    for (int number = 1; number <= 4; number++) {
      says(leaf(number), number, Cause.PHY_LINK, 12);
    }
    said = detector.step(state, new View("gpu-001")).findings();

    assertThat(said).isEmpty();
  }

  private void says(PortId port, int number, Cause cause, double nats) {
    Evidence evidence =
        new Evidence(
            Family.PHY,
            "fec.uncorrectable_codewords",
            Subject.of(port),
            "many",
            "none",
            Reference.LIMIT,
            nats,
            now,
            now,
            "test");
    findings
        .computeIfAbsent(port, none -> new ArrayList<>())
        .add(new Finding("test", Subject.of(link(number)), cause, evidence, now));
  }

  private void poll() {
    now = now.plusSeconds(10);
    Step<SharedComponentDetector.State> step = detector.step(state, new View("leaf1"));
    state = step.state();
    said = step.findings();
  }

  private static PortId leaf(int number) {
    return new PortId("leaf1", "Ethernet1/" + number);
  }

  private static PortId host(int number) {
    return new PortId("gpu-%03d".formatted(number), "mlx5_0/1");
  }

  private Link link(int number) {
    return Objects.requireNonNull(fabric.linkAt(leaf(number)));
  }

  private static Fabric fabric() {
    Fabric.Builder fabric = Fabric.builder().device(Device.of("leaf1", Role.LEAF));
    for (int number = 1; number <= PORTS; number++) {
      fabric.device(Device.of(host(number).device(), Role.HOST));
      fabric.link(Link.between(leaf(number), host(number), Tier.HOST_LEAF, 0));
    }
    return fabric.build();
  }

  private final class View implements DeviceView {
    private final String name;

    View(String name) {
      this.name = name;
    }

    @Override
    public Instant at() {
      return now;
    }

    @Override
    public Fabric fabric() {
      return fabric;
    }

    @Override
    public Device device() {
      return Objects.requireNonNull(fabric.device(name));
    }

    @Override
    public String collector() {
      return "snmp";
    }

    @Override
    public boolean isComplete() {
      return true;
    }

    @Override
    public List<SignalWindow> read() {
      return List.of();
    }

    @Override
    public @Nullable SignalWindow window(PortId port) {
      return null;
    }

    @Override
    public List<Finding> findings(PortId port) {
      return findings.getOrDefault(port, List.of());
    }
  }
}
