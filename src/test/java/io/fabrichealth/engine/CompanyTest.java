package io.fabrichealth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.detect.DetectContext;
import io.fabrichealth.detect.Detector;
import io.fabrichealth.detect.Detectors;
import io.fabrichealth.detect.SharedComponentDetector;
import io.fabrichealth.detect.Step;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.runtime.ThresholdCatalogue;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import io.fabrichealth.verdict.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Links of one switch to several others, each of which is polled at a time of its own. */
class CompanyTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final SignalDictionary DICTIONARY = SignalCatalogue.load();
  private static final int UP = DICTIONARY.ordinal("port.oper_up");
  private static final int ERRORS = DICTIONARY.ordinal("port.in_errors");
  private static final int LINKS = 12;

  private final TreeMap<String, Integer> openedAfter = new TreeMap<>();
  private Cause cause = Cause.PHY_LINK;

  private static Link link(int number) {
    return Link.between(
        new PortId("leaf1", "Ethernet" + number),
        new PortId("spine" + number, "Ethernet1"),
        Tier.LEAF_SPINE,
        null);
  }

  /**
   * Polls spines and then the leaf every 10 s, and notes the second at which each link opened. The
   * spines of the bad links count errors from the second on that is given, the leaf none.
   */
  private void run(int badFrom, Integer... bad) {
    Engine engine =
        new Engine(
            DICTIONARY,
            new Detectors(
                List.of(new AnyErrors()),
                List.of(new SharedComponentDetector(ThresholdCatalogue.load())),
                List.of()));
    EngineState state = engine.initial();
    Fabric.Builder fabric = Fabric.builder().device(Device.of("leaf1", Role.LEAF));
    for (int number = 1; number <= LINKS; number++) {
      fabric.device(Device.of("spine" + number, Role.SPINE)).link(link(number));
    }
    engine.step(state, new EngineInput.Topology(START.minusSeconds(1), fabric.build()));
    for (int second = 0; second <= 60; second++) {
      List<EngineInput> inputs = new ArrayList<>();
      for (int number = 1; number <= LINKS; number++) {
        if (second % 10 == number % 5) {
          boolean errs = List.of(bad).contains(number) && second >= badFrom;
          inputs.add(poll("spine" + number, second, errs, "Ethernet1"));
        }
      }
      if (second % 10 == 9) {
        String[] ports = new String[LINKS];
        for (int number = 1; number <= LINKS; number++) {
          ports[number - 1] = "Ethernet" + number;
        }
        inputs.add(poll("leaf1", second, false, ports));
      }
      if (!inputs.isEmpty()) {
        for (Verdict verdict : engine.step(state, inputs)) {
          if (verdict.isOpen()) {
            openedAfter.putIfAbsent(verdict.subject().id(), second - badFrom);
          }
        }
      }
    }
  }

  private static EngineInput poll(String device, int second, boolean errs, String... ports) {
    PollBatch.Builder batch = PollBatch.builder(device, "snmp", START.plusSeconds(second));
    for (String port : ports) {
      int index = batch.port(port);
      batch.value(index, UP, 0, 1).counter(index, ERRORS, 0, errs ? 100L * second : 0);
    }
    return new EngineInput.Poll(batch.build(true));
  }

  @Test
  void a_link_that_goes_bad_alone_opens_at_once() {
    run(21, 1);

    assertThat(openedAfter).containsExactly(Map.entry(link(1).id(), 0));
  }

  @Test
  void links_that_lie_apart_open_at_once() {
    run(21, 1, 11);

    assertThat(openedAfter.values()).containsExactly(0, 0);
  }

  @Test
  void neighbours_that_go_bad_together_wait_for_one_poll_of_either_end_and_no_longer() {
    run(21, 1, 2);

    // The first is read a second before its neighbour, when nothing tells of company.
    assertThat(openedAfter)
        .containsExactly(Map.entry(link(1).id(), 0), Map.entry(link(2).id(), 11));
  }

  @Test
  void what_stops_a_link_never_waits() {
    cause = Cause.LINK_FLAP;
    run(21, 1, 2);

    assertThat(openedAfter.values()).containsExactly(0, 1);
  }

  private record Nothing() {}

  /** Says the cause once errors grew. */
  private final class AnyErrors implements Detector<Nothing> {
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
      if (window.deltaSum(ERRORS) <= 0) {
        return Step.silent(state);
      }
      Subject link = Subject.of(context.link());
      Evidence evidence =
          new Evidence(
              Family.PHY,
              "port.in_errors",
              link,
              "errors",
              "none",
              Reference.HISTORY,
              15,
              context.at(),
              context.at(),
              "snmp");
      return Step.of(state, new Finding("errors", link, cause, evidence, context.at()));
    }
  }
}
