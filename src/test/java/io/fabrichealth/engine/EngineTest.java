package io.fabrichealth.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fabrichealth.detect.DetectContext;
import io.fabrichealth.detect.Detector;
import io.fabrichealth.detect.Detectors;
import io.fabrichealth.detect.Step;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import io.fabrichealth.verdict.LinkState;
import io.fabrichealth.verdict.Track;
import io.fabrichealth.verdict.Verdict;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EngineTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final SignalDictionary DICTIONARY = SignalCatalogue.load();
  private static final int UP = DICTIONARY.ordinal("port.oper_up");
  private static final int ERRORS = DICTIONARY.ordinal("port.in_errors");
  private static final PortId LEAF = new PortId("leaf1", "Ethernet1");
  private static final PortId HOST = new PortId("gpu-001", "mlx5_0/1");
  private static final Link LINK = Link.between(LEAF, HOST, Tier.HOST_LEAF, 0);
  private static final Subject SUBJECT = Subject.of(LINK);

  private final Engine engine =
      new Engine(DICTIONARY, Detectors.ofPorts(List.of(new ErrorsDetector(null))));
  private final EngineState state = engine.initial();
  private final Map<Subject, Verdict> verdicts = new HashMap<>();

  @Test
  void a_link_is_unknown_until_it_is_read_and_healthy_after() {
    wire();
    assertThat(verdict().state()).isEqualTo(LinkState.UNKNOWN);

    leaf(0, 1, 5);

    assertThat(verdict().state()).isEqualTo(LinkState.HEALTHY);
    assertThat(verdict().coverage().ratio()).isBetween(0.05, 0.5);
    assertThat(verdict().coverage().missing()).contains("gpu-001:mlx5_0/1 port.oper_up NOT_READ");
  }

  @Test
  void errors_at_one_end_degrade_the_link_and_the_evidence_adds_up() {
    wire();
    leaf(0, 1, 5);
    host(1, 1, 0);
    leaf(10, 1, 500);

    Verdict verdict = verdict();
    assertThat(verdict.state()).isEqualTo(LinkState.DEGRADED);
    assertThat(verdict.cause()).isEqualTo(Cause.PHY_LINK);
    double sum = verdict.evidence().stream().mapToDouble(Evidence::nats).sum();
    double p = verdict.probability();
    assertThat(sum).isCloseTo(Math.log(p) - Math.log1p(-p), within(1e-6));
    assertThat(verdict.evidence().getFirst().family()).isEqualTo(Family.PRIOR);
  }

  @Test
  void three_missed_polls_make_a_link_unknown_but_close_no_incident() {
    wire();
    leaf(0, 1, 5);
    leaf(10, 1, 500);
    for (int second = 20; second <= 40; second += 10) {
      assertThat(verdict().state()).isEqualTo(LinkState.DEGRADED);
      step(new EngineInput.Poll(PollBatch.missed("leaf1", "snmp", START.plusSeconds(second))));
    }

    assertThat(verdict().state()).isEqualTo(LinkState.UNKNOWN);
    assertThat(verdict().isOpen()).isTrue();

    leaf(50, 1, 500);
    assertThat(verdict().state()).isEqualTo(LinkState.DEGRADED);
  }

  @Test
  void a_port_that_a_device_no_longer_shows_is_as_blind_as_a_dead_device() {
    wire();
    leaf(0, 1, 5);
    for (int second = 10; second <= 30; second += 10) {
      PollBatch.Builder other = PollBatch.builder("leaf1", "snmp", START.plusSeconds(second));
      step(new EngineInput.Poll(other.value(other.port("Ethernet9"), UP, 0, 1).build(true)));
    }

    assertThat(verdict().state()).isEqualTo(LinkState.UNKNOWN);
  }

  @Test
  void error_counters_that_stop_coming_make_a_link_unknown_though_its_state_is_read() {
    wire();
    leaf(0, 1, 5);
    for (int second = 10; second <= 30; second += 10) {
      PollBatch.Builder batch = PollBatch.builder("leaf1", "snmp", START.plusSeconds(second));
      step(new EngineInput.Poll(batch.value(batch.port("Ethernet1"), UP, 0, 1).build(false)));
    }

    assertThat(verdict().state()).isEqualTo(LinkState.UNKNOWN);
  }

  @Test
  void an_end_whose_passes_are_always_cut_off_before_its_state_is_unknown_and_not_healthy() {
    wire();
    for (int second = 0; second <= 30; second += 10) {
      PollBatch.Builder batch = PollBatch.builder("leaf1", "snmp", START.plusSeconds(second));
      step(new EngineInput.Poll(batch.counter(batch.port("Ethernet1"), ERRORS, 0, 1).build(false)));
    }

    assertThat(verdict().state()).isEqualTo(LinkState.UNKNOWN);
  }

  @Test
  void what_a_device_does_not_support_lowers_coverage_and_makes_nothing_unknown() {
    wire();
    for (int second = 0; second <= 50; second += 10) {
      PollBatch.Builder batch = PollBatch.builder("leaf1", "snmp", START.plusSeconds(second));
      int port = batch.port("Ethernet1");
      step(
          new EngineInput.Poll(
              batch
                  .value(port, UP, 0, 1)
                  .absent(port, ERRORS, 0, Quality.UNSUPPORTED, null)
                  .build(true)));
    }

    assertThat(verdict().state()).isEqualTo(LinkState.HEALTHY);
    assertThat(verdict().coverage().missing())
        .contains("leaf1:Ethernet1 port.in_errors UNSUPPORTED");
  }

  @Test
  void a_device_of_which_nothing_comes_any_more_is_noticed_by_the_time_of_others() {
    wire();
    leaf(0, 1, 5);
    leaf(10, 1, 5);
    PollBatch.Builder other = PollBatch.builder("leaf2", "snmp", START.plusSeconds(60));
    step(new EngineInput.Poll(other.value(other.port("Ethernet1"), UP, 0, 1).build(true)));

    assertThat(verdict().state()).isEqualTo(LinkState.UNKNOWN);
  }

  @Test
  void a_link_that_leaves_the_inventory_takes_its_incident_along() {
    wire();
    leaf(0, 1, 5);
    leaf(10, 1, 500);
    assertThat(verdict().isOpen()).isTrue();

    step(new EngineInput.Topology(START.plusSeconds(20), Fabric.EMPTY));
    assertThat(state.knows(SUBJECT)).as("it may come back").isTrue();
    step(new EngineInput.Poll(PollBatch.missed("leaf1", "snmp", START.plusSeconds(700))));

    assertThat(verdict().isOpen()).isFalse();
    assertThat(state.knows(SUBJECT)).isFalse();
  }

  @Test
  void an_open_incident_waits_for_a_wiring_that_comes_in_piece_by_piece() {
    EngineState restarted = engine.initial();
    new EngineMemory(engine, new CountCodec())
        .restore(
            restarted,
            List.of(),
            Map.of(SUBJECT, Track.reopen(SUBJECT, START, Cause.PHY_LINK, "as before")));

    List<Verdict> first =
        engine.step(restarted, new EngineInput.Topology(START.plusSeconds(60), Fabric.EMPTY));
    List<Verdict> second =
        engine.step(restarted, new EngineInput.Topology(START.plusSeconds(61), fabric()));
    List<Verdict> third =
        engine.step(restarted, new EngineInput.Poll(batch("leaf1", "Ethernet1", 700, 1, 0)));

    assertThat(first).isEmpty();
    assertThat(second).noneMatch(verdict -> verdict.openedAt() == null && isLink(verdict));
    assertThat(third).filteredOn(EngineTest::isLink).allMatch(Verdict::isOpen);
  }

  private static boolean isLink(Verdict verdict) {
    return verdict.subject().equals(SUBJECT);
  }

  @Test
  void an_accused_host_is_acquitted_after_ten_quiet_minutes_also_after_a_restart() {
    Subject host = Subject.host("gpu-001");
    EngineState restarted = engine.initial();
    new EngineMemory(engine, new CountCodec())
        .restore(
            restarted,
            List.of(),
            Map.of(host, Track.reopen(host, START, Cause.SLOW_RECEIVER, "pauses")));
    Map<Subject, Verdict> said = new HashMap<>();
    engine.step(restarted, new EngineInput.Topology(START, fabric()));
    for (int second = 0; second <= 590; second += 10) {
      engine
          .step(restarted, new EngineInput.Poll(batch("leaf1", "Ethernet1", second, 1, 0)))
          .forEach(verdict -> said.put(verdict.subject(), verdict));
    }
    assertThat(said.get(host).isOpen()).isTrue();

    engine
        .step(restarted, new EngineInput.Poll(batch("leaf1", "Ethernet1", 610, 1, 0)))
        .forEach(verdict -> said.put(verdict.subject(), verdict));
    assertThat(said.get(host).isOpen()).isFalse();
    assertThat(restarted.knows(host)).isFalse();
  }

  @Test
  void a_detector_that_fails_costs_no_other_verdict_and_is_counted() {
    Engine failing =
        new Engine(
            DICTIONARY,
            Detectors.ofPorts(
                List.of(
                    new ErrorsDetector(new IllegalStateException()), new ErrorsDetector(null))));
    EngineState own = failing.initial();
    failing.step(own, new EngineInput.Topology(START, fabric()));
    failing.step(own, new EngineInput.Poll(batch("leaf1", "Ethernet1", 0, 1, 0)));
    List<Verdict> said =
        failing.step(own, new EngineInput.Poll(batch("leaf1", "Ethernet1", 10, 1, 9)));

    assertThat(said).filteredOn(EngineTest::isLink).allMatch(Verdict::isOpen);
    assertThat(own.detectorFaults()).isEqualTo(2);
  }

  @Test
  void what_is_no_longer_a_target_makes_nothing_unknown() {
    wire();
    leaf(0, 1, 5);
    host(1, 1, 0);
    state.retainSources((device, collector) -> device.equals("leaf1"));
    for (int second = 10; second <= 120; second += 10) {
      leaf(second, 1, 5);
    }

    assertThat(verdict().state()).isEqualTo(LinkState.HEALTHY);
    assertThat(state.reads("gpu-001")).isFalse();
  }

  @Test
  void a_dead_device_has_no_coverage() {
    wire();
    leaf(0, 1, 5);
    assertThat(verdict().coverage().ratio()).isPositive();
    step(new EngineInput.Poll(PollBatch.missed("leaf1", "snmp", START.plusSeconds(10))));

    assertThat(verdict().coverage().ratio()).isZero();
    assertThat(verdict().coverage().missing())
        .contains("leaf1:Ethernet1 port.oper_up STALE", "leaf1:Ethernet1 port.in_errors STALE");
  }

  @Test
  void a_host_that_is_accused_has_a_verdict_of_its_own_and_its_link_stays_healthy() {
    Engine accusing = new Engine(DICTIONARY, Detectors.ofPorts(List.of(new HostAccuser())));
    EngineState own = accusing.initial();
    accusing.step(own, new EngineInput.Topology(START, fabric()));
    Map<Subject, Verdict> said = new HashMap<>();
    for (int second = 0; second <= 10; second += 10) {
      accusing
          .step(own, new EngineInput.Poll(batch("leaf1", "Ethernet1", second, 1, second)))
          .forEach(verdict -> said.put(verdict.subject(), verdict));
    }

    assertThat(said.get(Subject.host("gpu-001")).cause()).isEqualTo(Cause.SLOW_RECEIVER);
    assertThat(said.get(Subject.host("gpu-001")).isOpen()).isTrue();
    assertThat(said.get(SUBJECT).state()).isEqualTo(LinkState.HEALTHY);
  }

  @Test
  void a_restored_engine_keeps_detector_states_baselines_and_open_incidents() {
    wire();
    leaf(0, 1, 5);
    leaf(10, 1, 500);
    EngineMemory memory = new EngineMemory(engine, new CountCodec());
    EngineState restored = engine.initial();
    StoredSource stored = memory.source(state, "leaf1", "snmp");
    assertThat(memory.restore(restored, stored)).isEmpty();
    Verdict open = verdict();
    memory.restore(
        restored,
        memory.tracks(state),
        Map.of(SUBJECT, Track.reopen(SUBJECT, open.openedAt(), open.cause(), open.summary())));
    engine.step(restored, new EngineInput.Topology(START.plusSeconds(300), fabric()));

    List<Verdict> after =
        engine.step(restored, new EngineInput.Poll(batch("leaf1", "Ethernet1", 310, 1, 501)));

    Verdict verdict =
        after.stream().filter(each -> each.subject().equals(SUBJECT)).findFirst().orElseThrow();
    assertThat(verdict.openedAt()).isEqualTo(open.openedAt());
    assertThat(verdict.evidence().getLast().observed()).isEqualTo("2 polls with errors");
  }

  @Test
  void an_incident_that_the_database_does_not_know_is_not_open_after_a_restart() {
    wire();
    leaf(0, 1, 5);
    leaf(10, 1, 500);
    EngineState restored = engine.initial();
    EngineMemory memory = new EngineMemory(engine, new CountCodec());
    memory.restore(restored, memory.tracks(state), Map.of());

    List<Verdict> verdicts =
        engine.step(restored, new EngineInput.Topology(START.plusSeconds(300), fabric()));

    assertThat(verdicts).noneMatch(Verdict::isOpen);
  }

  // --- the little world

  private static Fabric fabric() {
    return Fabric.builder()
        .device(Device.of("leaf1", Role.LEAF))
        .device(Device.of("gpu-001", Role.HOST))
        .link(LINK)
        .build();
  }

  private void wire() {
    step(new EngineInput.Topology(START.minusSeconds(1), fabric()));
  }

  private void leaf(int second, double up, long errors) {
    step(new EngineInput.Poll(batch("leaf1", "Ethernet1", second, up, errors)));
  }

  private void host(int second, double up, long errors) {
    step(new EngineInput.Poll(batch("gpu-001", "mlx5_0/1", second, up, errors)));
  }

  private void step(EngineInput input) {
    engine.step(state, input).forEach(verdict -> verdicts.put(verdict.subject(), verdict));
  }

  private Verdict verdict() {
    return verdicts.get(SUBJECT);
  }

  private static PollBatch batch(String device, String port, int second, double up, long errors) {
    PollBatch.Builder batch = PollBatch.builder(device, "snmp", START.plusSeconds(second));
    int index = batch.port(port);
    return batch.value(index, UP, 0, up).counter(index, ERRORS, 0, errors).build(true);
  }

  private record Count(int polls) {}

  /** Says PHY_LINK once errors were seen, and how often. */
  private static final class ErrorsDetector implements Detector<Count> {
    private final RuntimeException fault;

    /** One that fails at every step, where a fault is given. */
    ErrorsDetector(RuntimeException fault) {
      this.fault = fault;
    }

    @Override
    public String id() {
      return "errors";
    }

    @Override
    public Class<Count> stateType() {
      return Count.class;
    }

    @Override
    public Count initial() {
      return new Count(0);
    }

    @Override
    public Step<Count> step(Count state, SignalWindow window, DetectContext context) {
      if (fault != null) {
        throw fault;
      }
      Count next = new Count(state.polls() + (window.deltaSum(ERRORS) > 0 ? 1 : 0));
      return next.polls() == 0
          ? Step.silent(next)
          : Step.of(
              next,
              finding(
                  Subject.of(context.link()),
                  Cause.PHY_LINK,
                  next.polls() + " polls with errors",
                  context.at()));
    }
  }

  private static final class HostAccuser implements Detector<Count> {
    @Override
    public String id() {
      return "accuser";
    }

    @Override
    public Class<Count> stateType() {
      return Count.class;
    }

    @Override
    public Count initial() {
      return new Count(0);
    }

    @Override
    public Step<Count> step(Count state, SignalWindow window, DetectContext context) {
      return Step.of(
          state, finding(Subject.host("gpu-001"), Cause.SLOW_RECEIVER, "pauses", context.at()));
    }
  }

  private static Finding finding(Subject subject, Cause cause, String observed, Instant at) {
    return new Finding(
        "test",
        subject,
        cause,
        new Evidence(
            Family.PHY,
            "port.in_errors",
            subject,
            observed,
            "none",
            Reference.LIMIT,
            12,
            at,
            at,
            "test"),
        at);
  }

  private static final class CountCodec implements StateCodec {
    @Override
    public byte[] encode(Object state) {
      return new byte[] {(byte) ((Count) state).polls()};
    }

    @Override
    public <S> S decode(byte[] bytes, Class<S> type) {
      return type.cast(new Count(bytes[0]));
    }
  }
}
