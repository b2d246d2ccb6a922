package io.fabrichealth.engine;

import io.fabrichealth.detect.Detector;
import io.fabrichealth.detect.Step;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.signal.DeviceSignals;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.verdict.Track;
import io.fabrichealth.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The whole of detection: takes one record in and says which verdicts there are now. Pure: all that
 * it knows is in the state, all time comes from the records.
 */
public final class Engine {
  private static final Duration SWEEP = Duration.ofSeconds(5);

  /** Records are late by a minute at most; an older one yet means that the clock was set back. */
  private static final Duration CLOCK_SET_BACK = Duration.ofMinutes(2);

  /**
   * How long an open incident waits for a link that is not in the fabric: after a start the wiring
   * comes in piece by piece, and a neighbour may be away for a while.
   */
  private static final Duration WAITS_FOR_LINK = Duration.ofMinutes(10);

  private final SignalDictionary dictionary;
  private final List<Detector<?>> detectors;
  private final CoverageCheck coverage;
  private final Judge judge;

  public Engine(SignalDictionary dictionary, List<Detector<?>> detectors) {
    this.dictionary = dictionary;
    this.detectors = List.copyOf(detectors);
    coverage = new CoverageCheck(dictionary);
    judge = new Judge(coverage);
  }

  /** The state before anything was seen. */
  public EngineState initial() {
    return new EngineState();
  }

  public SignalDictionary dictionary() {
    return dictionary;
  }

  List<Detector<?>> detectors() {
    return detectors;
  }

  /**
   * Takes one record in.
   *
   * @return the verdicts that the record touches, in no particular order; also those that did not
   *     change
   */
  public List<Verdict> step(EngineState state, EngineInput input) {
    if (input.at().isAfter(state.now) || isSetBack(state.now, input.at())) {
      state.now = input.at();
      state.nextSweep = isSetBack(state.nextSweep, state.now) ? state.now : state.nextSweep;
    }
    Set<Subject> touched = new LinkedHashSet<>();
    List<Verdict> verdicts = new ArrayList<>();
    switch (input) {
      case EngineInput.Topology topology -> replace(state, topology.fabric(), touched, verdicts);
      case EngineInput.Poll poll -> poll(state, poll.batch(), touched);
      // Probes are collected and recorded; what they say of paths is not looked at yet. Events are
      // for people.
      case EngineInput.Probe probe -> {}
      case EngineInput.Event event -> {}
    }
    Set<Subject> polled = Set.copyOf(touched);
    sweep(state, touched, verdicts);
    for (Subject subject : touched) {
      Verdict verdict = judge.judge(state, subject, polled.contains(subject));
      if (verdict != null) {
        verdicts.add(verdict);
      }
    }
    return verdicts;
  }

  private static boolean isSetBack(Instant before, Instant now) {
    return !before.equals(Instant.MIN) && now.isBefore(before.minus(CLOCK_SET_BACK));
  }

  // --- topology

  private void replace(
      EngineState state, Fabric fabric, Set<Subject> touched, List<Verdict> verdicts) {
    state.fabric = fabric;
    Set<Subject> links = new HashSet<>();
    for (Link link : fabric.links()) {
      Subject subject = Subject.of(link);
      links.add(subject);
      if (!state.tracks.containsKey(subject)) {
        state.tracks.put(subject, Track.fresh(subject, state.now));
        touched.add(subject);
      }
    }
    for (Track track : List.copyOf(state.tracks.values())) {
      Subject subject = track.subject();
      if (!isGone(fabric, links, subject)) {
        state.missing.remove(subject);
      } else if (track.isOpen()) {
        state.missing.putIfAbsent(subject, state.now);
      } else {
        verdicts.add(forget(state, subject));
      }
    }
  }

  private Verdict forget(EngineState state, Subject subject) {
    state.tracks.remove(subject);
    state.blind.remove(subject);
    state.accusers.remove(subject);
    state.missing.remove(subject);
    return judge.gone(subject, state.now);
  }

  private static boolean isGone(Fabric fabric, Set<Subject> links, Subject subject) {
    return switch (subject.type()) {
      case LINK -> !links.contains(subject);
      case HOST, SWITCH -> fabric.device(subject.id()) == null;
      case PORT, LANE, FABRIC, RANK, JOB, PAUSE_DOMAIN, SHARED_COMPONENT, ROUTE -> false;
    };
  }

  // --- polls

  private void poll(EngineState state, PollBatch batch, Set<Subject> touched) {
    Source source =
        state
            .sources
            .computeIfAbsent(batch.device(), device -> new LinkedHashMap<>())
            .computeIfAbsent(
                batch.collector(),
                collector -> new Source(new DeviceSignals(batch.device(), collector, dictionary)));
    Device device = state.fabric.device(batch.device());
    long quarantined = source.signals.quarantined();
    DeviceSignals.Outcome outcome = source.signals.apply(batch, device);
    state.countQuarantined(source.signals.quarantined() - quarantined);
    state.count(outcome);
    if (outcome != DeviceSignals.Outcome.ACCEPTED) {
      return;
    }
    source.lastAt = batch.at();
    Set<String> read = new HashSet<>();
    for (SignalWindow window : source.signals.touched()) {
      String name = window.port().port();
      if (!name.equals(PollBatch.DEVICE)) {
        read.add(name);
        PortState port = source.ports.computeIfAbsent(name, unknown -> new PortState(detectors));
        note(port, window, batch.complete());
        detect(state, port, window, device, touched);
      }
    }
    touched.addAll(judge.accusedBy(state, batch.device()));
    for (Map.Entry<String, PortState> port : source.ports.entrySet()) {
      if (!read.contains(port.getKey())) {
        port.getValue().missed();
        touchLink(state, new PortId(batch.device(), port.getKey()), touched);
      }
    }
  }

  private void note(PortState port, SignalWindow window, boolean complete) {
    if (coverage.isStateRead(window)) {
      port.isStateKnown = true;
      port.isUp = coverage.isUp(window);
      port.pollsWithoutState = 0;
    } else if (coverage.hasState(window) || port.isStateKnown || !complete) {
      // A pass that was cut off is no proof that the device has no state to tell.
      port.pollsWithoutState++;
    } else {
      port.pollsWithoutState = 0;
    }
    port.pollsWithoutErrors = coverage.lacksErrors(window) ? port.pollsWithoutErrors + 1 : 0;
  }

  private void detect(
      EngineState state,
      PortState port,
      SignalWindow window,
      @Nullable Device device,
      Set<Subject> touched) {
    Link link = state.fabric.linkAt(window.port());
    if (link == null) {
      return;
    }
    Device known = device == null ? Device.of(window.port().device(), Role.SWITCH) : device;
    StepContext context = new StepContext(state, window.port(), known, link);
    for (int index = 0; index < detectors.size(); index++) {
      List<Finding> before = port.findings.get(index);
      Step<?> step;
      try {
        step = step(detectors.get(index), port.detectorStates[index], window, context);
      } catch (RuntimeException e) {
        // One detector that fails at one port must not cost the device its other verdicts.
        state.countDetectorFault();
        continue;
      }
      port.detectorStates[index] = step.state();
      port.findings.set(index, step.findings());
      touchAccused(state, window.port(), before, touched);
      touchAccused(state, window.port(), step.findings(), touched);
    }
    touched.add(Subject.of(link));
  }

  /** The state of a detector is always one that this detector made, or read back by its type. */
  @SuppressWarnings("unchecked")
  private static <S> Step<S> step(
      Detector<S> detector, Object state, SignalWindow window, StepContext context) {
    return detector.step((S) state, window, context);
  }

  private static void touchAccused(
      EngineState state, PortId accuser, List<Finding> findings, Set<Subject> touched) {
    for (Finding finding : findings) {
      Subject subject = finding.subject();
      touched.add(subject);
      state.accusers.computeIfAbsent(subject, unknown -> new HashSet<>()).add(accuser);
      state.tracks.computeIfAbsent(subject, unknown -> Track.fresh(subject, state.now));
    }
  }

  private static void touchLink(EngineState state, PortId port, Set<Subject> touched) {
    Link link = state.fabric.linkAt(port);
    if (link != null) {
      touched.add(Subject.of(link));
    }
  }

  /**
   * Finds links that became blind, or can be seen again, because of what did not come; and gives up
   * on links that did not come back.
   */
  private void sweep(EngineState state, Set<Subject> touched, List<Verdict> verdicts) {
    if (state.now.isBefore(state.nextSweep)) {
      return;
    }
    state.nextSweep = state.now.plus(SWEEP);
    for (Link link : state.fabric.links()) {
      Subject subject = Subject.of(link);
      if (judge.isKnown(state, link) == state.blind.contains(subject)) {
        touched.add(subject);
      }
    }
    for (Map.Entry<Subject, Instant> gone : Map.copyOf(state.missing).entrySet()) {
      if (!state.now.isBefore(gone.getValue().plus(WAITS_FOR_LINK))) {
        verdicts.add(forget(state, gone.getKey()));
      }
    }
  }
}
