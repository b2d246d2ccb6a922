package io.fabrichealth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.detect.DetectContext;
import io.fabrichealth.detect.Detector;
import io.fabrichealth.detect.Detectors;
import io.fabrichealth.detect.DeviceDetector;
import io.fabrichealth.detect.DeviceView;
import io.fabrichealth.detect.FabricDetector;
import io.fabrichealth.detect.FabricView;
import io.fabrichealth.detect.Step;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import io.fabrichealth.verdict.LinkState;
import io.fabrichealth.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Detectors of devices and of the fabric, as the engine runs them. */
class WideDetectionTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final SignalDictionary DICTIONARY = SignalCatalogue.load();
  private static final int UP = DICTIONARY.ordinal("port.oper_up");
  private static final int ERRORS = DICTIONARY.ordinal("port.in_errors");
  private static final PortId[] LEAF = {port("leaf1", "1"), port("leaf1", "2")};
  private static final PortId[] HOST = {port("gpu-001", "a/1"), port("gpu-002", "a/1")};
  private static final List<Link> LINKS =
      List.of(
          Link.between(LEAF[0], HOST[0], Tier.HOST_LEAF, 0),
          Link.between(LEAF[1], HOST[1], Tier.HOST_LEAF, 0));
  private static final Subject COMPONENT =
      new Subject(SubjectType.SHARED_COMPONENT, "leaf1:1+leaf1:2");

  private final Map<Subject, Verdict> verdicts = new HashMap<>();

  @Test
  void
      a_device_detector_sees_all_ports_of_a_poll_and_what_it_touches_opens_no_incident_of_its_own() {
    Engine engine =
        new Engine(
            DICTIONARY, new Detectors(List.of(new Errors()), List.of(new Group()), List.of()));
    EngineState state = engine.initial();
    step(engine, state, new EngineInput.Topology(START, fabric()));
    for (int second = 10; second <= 60; second += 10) {
      step(engine, state, leaf(second, second, second));
    }

    assertThat(verdicts.get(COMPONENT).isOpen()).isTrue();
    assertThat(verdicts.get(COMPONENT).members()).contains(LINKS.get(0).id(), LINKS.get(1).id());
    for (Link link : LINKS) {
      Verdict verdict = verdicts.get(Subject.of(link));
      assertThat(verdict.isOpen()).isFalse();
      assertThat(verdict.state()).isEqualTo(LinkState.DEGRADED);
      assertThat(verdict.evidence()).anyMatch(line -> line.signal().equals("port.in_errors"));
    }
  }

  @Test
  void its_incident_closes_when_it_says_nothing_any_more_and_the_links_are_healthy_again() {
    Engine engine =
        new Engine(
            DICTIONARY, new Detectors(List.of(new Errors()), List.of(new Group()), List.of()));
    EngineState state = engine.initial();
    step(engine, state, new EngineInput.Topology(START, fabric()));
    step(engine, state, leaf(10, 1, 1));
    step(engine, state, leaf(20, 2, 2));
    for (int second = 30; second <= 700; second += 10) {
      step(engine, state, leaf(second, 2, 2));
    }

    assertThat(verdicts.get(COMPONENT).isOpen()).isFalse();
    assertThat(verdicts.get(Subject.of(LINKS.get(0))).state()).isEqualTo(LinkState.HEALTHY);
  }

  @Test
  void a_fabric_detector_looks_at_whole_multiples_of_its_time_with_everything_in() {
    Watcher watcher = new Watcher();
    Engine engine = new Engine(DICTIONARY, new Detectors(List.of(), List.of(), List.of(watcher)));
    EngineState state = engine.initial();
    step(engine, state, new EngineInput.Topology(START, fabric()));
    for (int second : new int[] {4, 10, 16, 22, 28, 95}) {
      step(engine, state, leaf(second, second, 0));
    }

    assertThat(watcher.looks)
        .containsExactly(
            START.plusSeconds(10) + " 10",
            START.plusSeconds(20) + " 16",
            START.plusSeconds(90) + " 28");
  }

  @Test
  void records_of_one_moment_may_come_in_any_order() {
    List<EngineInput> moment = new ArrayList<>();
    for (int device = 0; device < 2; device++) {
      moment.add(leaf(10, 5, 5));
      moment.add(host("gpu-001", 10));
      moment.add(host("gpu-002", 10));
    }
    Map<Subject, Verdict> forwards = run(moment);
    Collections.reverse(moment);

    assertThat(run(moment)).isEqualTo(forwards).isNotEmpty();
  }

  private static Map<Subject, Verdict> run(List<EngineInput> moment) {
    Engine engine =
        new Engine(
            DICTIONARY, new Detectors(List.of(new Errors()), List.of(new Group()), List.of()));
    EngineState state = engine.initial();
    engine.step(state, new EngineInput.Topology(START, fabric()));
    engine.step(state, leaf(1, 0, 0));
    Map<Subject, Verdict> said = new HashMap<>();
    engine.step(state, moment).forEach(verdict -> said.put(verdict.subject(), verdict));
    return said;
  }

  private void step(Engine engine, EngineState state, EngineInput input) {
    engine.step(state, input).forEach(verdict -> verdicts.put(verdict.subject(), verdict));
  }

  private static Fabric fabric() {
    Fabric.Builder fabric = Fabric.builder().device(Device.of("leaf1", Role.LEAF));
    LINKS.forEach(fabric::link);
    return fabric.build();
  }

  private static PortId port(String device, String name) {
    return new PortId(device, name);
  }

  private static EngineInput leaf(int second, long one, long other) {
    PollBatch.Builder batch = PollBatch.builder("leaf1", "snmp", START.plusSeconds(second));
    long[] errors = {one, other};
    for (int index = 0; index < LEAF.length; index++) {
      int port = batch.port(LEAF[index].port());
      batch.value(port, UP, 0, 1).counter(port, ERRORS, 0, errors[index]);
    }
    return new EngineInput.Poll(batch.build(true));
  }

  private static EngineInput host(String name, int second) {
    PollBatch.Builder batch = PollBatch.builder(name, "prometheus", START.plusSeconds(second));
    int port = batch.port("a/1");
    return new EngineInput.Poll(
        batch.value(port, UP, 0, 1).counter(port, ERRORS, 0, 0).build(true));
  }

  private static Evidence evidence(Subject subject, double nats, Instant at) {
    return new Evidence(
        Family.PHY, "port.in_errors", subject, "some", "none", Reference.LIMIT, nats, at, at, "s");
  }

  /** What is remembered: nothing. */
  record Nothing() {}

  /** Accuses a link whose errors grow. */
  private static final class Errors implements Detector<Nothing> {
    @Override
    public String id() {
      return "errors";
    }

    @Override
    public Class<Nothing> stateType() {
      return Nothing.class;
    }

    @Override
    public Nothing initial() {
      return new Nothing();
    }

    @Override
    public Step<Nothing> step(Nothing state, SignalWindow window, DetectContext context) {
      if (!window.hasDelta(ERRORS, 0) || window.delta(ERRORS, 0) == 0) {
        return Step.silent(state);
      }
      Subject link = Subject.of(context.link());
      return Step.of(
          state,
          new Finding(id(), link, Cause.PHY_LINK, evidence(link, 10, context.at()), context.at()));
    }
  }

  /** Accuses what ports share that are accused at the same time. */
  private static final class Group implements DeviceDetector<Nothing> {
    @Override
    public String id() {
      return "group";
    }

    @Override
    public Class<Nothing> stateType() {
      return Nothing.class;
    }

    @Override
    public Nothing initial() {
      return new Nothing();
    }

    @Override
    public Step<Nothing> step(Nothing state, DeviceView view) {
      List<Subject> bad =
          view.read().stream()
              .filter(window -> !view.findings(window.port()).isEmpty())
              .map(window -> Subject.of(view.fabric().linkAt(window.port())))
              .toList();
      return bad.size() < 2
          ? Step.silent(state)
          : Step.of(
              state,
              new Finding(
                  id(),
                  COMPONENT,
                  Cause.SHARED_COMPONENT,
                  evidence(COMPONENT, 12, view.at()),
                  view.at(),
                  bad));
    }
  }

  /** Notes when it looked, and the errors that it saw. */
  private static final class Watcher implements FabricDetector<Nothing> {
    private final List<String> looks = new ArrayList<>();

    @Override
    public String id() {
      return "watcher";
    }

    @Override
    public Class<Nothing> stateType() {
      return Nothing.class;
    }

    @Override
    public Nothing initial() {
      return new Nothing();
    }

    @Override
    public Duration every() {
      return Duration.ofSeconds(10);
    }

    @Override
    public Step<Nothing> step(Nothing state, FabricView view) {
      SignalWindow window = view.window(LEAF[0]);
      looks.add(view.at() + " " + (window == null ? "nothing" : window.raw(ERRORS, 0)));
      return Step.silent(state);
    }
  }
}
