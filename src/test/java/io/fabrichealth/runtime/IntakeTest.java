package io.fabrichealth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.latency.ProbeSample;
import io.fabrichealth.latency.ProbeSample.Endpoint;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Neighbour;
import io.fabrichealth.topology.Neighbour.PortIdKind;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.SeenPort;
import io.fabrichealth.topology.Sighting;
import io.fabrichealth.topology.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IntakeTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final String MAC = "b8:3f:d2:00:00:01";

  @TempDir private Path folder;
  private Intake intake;

  @BeforeEach
  void start() throws IOException {
    Path file = folder.resolve("fabric-health.yaml");
    Files.writeString(
        file,
        """
        fabric-health:
          collect:
            prometheus:
              targets:
                - {device: gpu-001, role: host, url: "http://198.51.100.4:9100/metrics"}
        """);
    intake = new Intake(SettingsLoader.read(file, false), Fabric.EMPTY, Fabric.EMPTY);
    intake.start(NOW);
  }

  @Test
  void readings_are_renamed_to_the_device_and_port_that_they_are_of() {
    take(host("mlx5_0/1", 0));
    PollBatch.Builder written = PollBatch.builder("gpu-001.example.net", "prometheus-query", NOW);
    written.value(written.port(MAC), 3, 0, 1);
    written.value(written.port("eth9"), 3, 0, 0);
    written.value(written.port(PollBatch.DEVICE), 4, 0, 41);
    written.discontinuity(MAC, "since noon");

    PollBatch named = polls(take(null, written.build(true))).getFirst();

    assertThat(named.device()).isEqualTo("gpu-001");
    assertThat(named.ports()).containsExactly("mlx5_0/1", "eth9", PollBatch.DEVICE);
    assertThat(named.discontinuity("mlx5_0/1")).isEqualTo("since noon");
    assertThat(named.discontinuity(MAC)).isNull();
    assertThat(named.value(0)).isEqualTo(1);
    assertThat(named.value(2)).isEqualTo(41);
    assertThat(intake.isRead("gpu-001", "prometheus-query")).isTrue();
  }

  @Test
  void a_batch_that_has_the_right_names_is_passed_on_as_it_is() {
    take(host("mlx5_0/1", 0));
    PollBatch.Builder written = PollBatch.builder("gpu-001", "prometheus", NOW);
    written.value(written.port("mlx5_0/1"), 3, 0, 1);
    PollBatch batch = written.build(true);

    assertThat(polls(take(null, batch))).first().isSameAs(batch);
  }

  @Test
  void readings_of_two_ports_are_never_mixed() {
    take(host("mlx5_0/1", 0));
    PollBatch.Builder written = PollBatch.builder("gpu-001", "prometheus", NOW);
    written.value(written.port("eth2"), 3, 0, 0);
    written.value(written.port("mlx5_0/1"), 3, 0, 1);
    written.value(written.port(MAC), 3, 0, 0);
    PollBatch batch = written.build(true);

    assertThat(polls(take(null, batch)).getFirst().ports())
        .containsExactly("eth2", "mlx5_0/1", MAC);
  }

  @Test
  void ends_of_probes_are_renamed_too() {
    take(host("mlx5_0/1", 0));
    ProbeSample sample =
        new ProbeSample(
            new Endpoint("GPU-001", "eth2"),
            new Endpoint("198.51.100.9", null),
            "smokeping",
            null,
            null,
            List.of(),
            10,
            1,
            null);
    CollectOutcome outcome =
        new CollectOutcome(List.of(), List.of(), List.of(sample), List.of(), List.of(), List.of());

    EngineInput.Probe probe =
        intake.take(null, outcome, NOW).stream()
            .filter(EngineInput.Probe.class::isInstance)
            .map(EngineInput.Probe.class::cast)
            .findFirst()
            .orElseThrow();

    assertThat(probe.sample().src()).isEqualTo(new Endpoint("gpu-001", "mlx5_0/1"));
    assertThat(probe.sample().dst()).isEqualTo(new Endpoint("198.51.100.9", null));
    assertThat(probe.sample().lost()).isEqualTo(1);
  }

  @Test
  void another_boot_is_an_event_and_jitter_is_none() {
    assertThat(events(boot("2026-03-01T04:00:00Z"))).isEmpty();
    assertThat(events(boot("2026-03-01T04:00:04Z"))).isEmpty();
    assertThat(events(boot(null))).isEmpty();
    assertThat(events(boot("2026-03-01T11:59:00Z")))
        .containsExactly(
            new EngineInput.Event(NOW, "gpu-001", null, "reboot", "seen by prometheus"));
  }

  private static PollBatch boot(String identity) {
    PollBatch.Builder batch = PollBatch.builder("gpu-001", "prometheus", NOW).boot(identity);
    batch.value(batch.port("mlx5_0/1"), 3, 0, 1);
    return batch.build(true);
  }

  @Test
  void what_changes_in_the_wiring_is_an_event_after_the_new_topology() {
    take(host("mlx5_0/1", 3));
    take(
        new Sighting(
            "gpu-001",
            Role.HOST,
            "gpu-001.example.net",
            null,
            List.of(),
            List.of(port("mlx5_0/1", 4)),
            List.of(
                new Neighbour(
                    "mlx5_0/1", "leaf2", "leaf2", "Ethernet1", PortIdKind.INTERFACE_NAME, null)),
            true));

    List<EngineInput> inputs = intake.start(NOW);

    assertThat(inputs.getFirst()).isInstanceOf(EngineInput.Topology.class);
    assertThat(inputs.subList(1, inputs.size()))
        .containsExactlyInAnyOrder(
            new EngineInput.Event(NOW, "gpu-001", "mlx5_0/1", "port_index_changed", "3 to 4"),
            new EngineInput.Event(
                NOW,
                "gpu-001",
                "mlx5_0/1",
                "link_moved",
                "from leaf1:Ethernet1 to leaf2:Ethernet1"));
  }

  @Test
  void changes_at_once_are_told_one_by_one_up_to_a_number() {
    take(manyPorts(0));
    intake.start(NOW);
    take(manyPorts(1));

    List<EngineInput> inputs = intake.start(NOW);

    assertThat(inputs).hasSize(1 + 200 + 1);
    assertThat(((EngineInput.Event) inputs.getLast()).detail())
        .isEqualTo("100 more changes of the topology at once");
  }

  private static Sighting manyPorts(int shift) {
    List<SeenPort> ports =
        java.util.stream.IntStream.range(0, 300)
            .mapToObj(number -> port("p" + number, number + 1 + shift))
            .toList();
    return new Sighting("gpu-001", Role.HOST, "gpu-001", null, List.of(), ports, List.of(), false);
  }

  @Test
  void a_link_that_was_only_planned_goes_with_the_plan() {
    PortId leaf = new PortId("leaf1", "Ethernet1");
    PortId hca = new PortId("gpu-001", "mlx5_0/1");
    Fabric plan =
        Fabric.builder()
            .device(Device.of("leaf1", Role.LEAF))
            .device(Device.of("gpu-001", Role.HOST))
            .link(Link.between(leaf, hca, Tier.OTHER, null))
            .build();
    intake.plan(plan);
    intake.start(NOW);
    assertThat(intake.fabric().linkAt(hca).isHalf()).isFalse();

    intake.plan(Fabric.EMPTY);
    intake.start(NOW);
    assertThat(intake.fabric().linkAt(hca))
        .satisfiesAnyOf(
            link -> assertThat(link).isNull(), link -> assertThat(link.isHalf()).isTrue());
  }

  @Test
  void what_the_device_says_of_itself_outweighs_what_others_say_of_it() {
    SeenPort told =
        new SeenPort(
            "HCA-1/1", 1, 100, 4, FecMode.UNKNOWN, Media.UNKNOWN, null, 4096, true, List.of(MAC));
    // Came first, and is still no more than what others say.
    Sighting subnet =
        new Sighting("gpu-001", Role.HOST, null, null, List.of(), List.of(told), List.of(), true);
    intake.take(new NoCollector("infiniband", "subnet-1"), seen(subnet), NOW);
    intake.start(NOW);
    intake.take(new NoCollector("prometheus", "gpu-001"), seen(host("mlx5_0/1", 0)), NOW);
    intake.start(NOW);

    SeenPort merged = intake.fabric().seen().port(new PortId("gpu-001", "mlx5_0/1"));
    assertThat(merged.speedBitsPerSecond()).isEqualTo(400_000_000_000L);
    assertThat(merged.lanes()).isEqualTo(4);
    assertThat(merged.aliases()).containsExactly("eth2", MAC, "HCA-1/1");
    assertThat(intake.fabric().port(new PortId("gpu-001", "HCA-1/1"))).isNull();
  }

  /** Stands for a target. */
  private record NoCollector(String name, String device) implements Collector {
    @Override
    public String address() {
      return "nowhere";
    }

    @Override
    public Duration interval() {
      return Duration.ofSeconds(10);
    }

    @Override
    public CollectOutcome collect(Instant deadline) {
      throw new IllegalStateException("is not run");
    }

    @Override
    public void close() {}
  }

  private static Sighting host(String name, long index) {
    return new Sighting(
        "gpu-001",
        Role.HOST,
        "gpu-001.example.net",
        null,
        List.of(),
        List.of(port(name, index)),
        List.of(
            new Neighbour(name, "leaf1", "leaf1", "Ethernet1", PortIdKind.INTERFACE_NAME, null)),
        true);
  }

  private static SeenPort port(String name, long index) {
    boolean isHca = name.startsWith("mlx5");
    return new SeenPort(
        name,
        index,
        400_000_000_000L,
        0,
        FecMode.UNKNOWN,
        Media.UNKNOWN,
        null,
        9000,
        true,
        isHca ? List.of("eth2", MAC) : List.of());
  }

  private void take(Sighting sighting) {
    intake.take(null, seen(sighting), NOW);
  }

  private static CollectOutcome seen(Sighting sighting) {
    return new CollectOutcome(
        List.of(), List.of(sighting), List.of(), List.of(), List.of(), List.of());
  }

  private List<EngineInput> take(Sighting sighting, PollBatch batch) {
    return intake.take(
        null, CollectOutcome.of(batch, sighting, List.of(), List.of(), List.of()), NOW);
  }

  private List<EngineInput.Event> events(PollBatch batch) {
    return take(null, batch).stream()
        .filter(EngineInput.Event.class::isInstance)
        .map(EngineInput.Event.class::cast)
        .toList();
  }

  private static List<PollBatch> polls(List<EngineInput> inputs) {
    return inputs.stream()
        .filter(EngineInput.Poll.class::isInstance)
        .map(input -> ((EngineInput.Poll) input).batch())
        .toList();
  }
}
