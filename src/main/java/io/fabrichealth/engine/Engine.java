package io.fabrichealth.engine;

import io.fabrichealth.detect.Detector;
import io.fabrichealth.detect.Detectors;
import io.fabrichealth.detect.Step;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.signal.DeviceSignals;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.verdict.Track;
import io.fabrichealth.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
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

  /** Of two batches of one device and time only the first counts: the fuller one. */
  private static final Comparator<PollBatch> SAME_MOMENT =
      Comparator.comparing(PollBatch::device)
          .thenComparing(PollBatch::collector)
          .thenComparing(PollBatch::size, Comparator.reverseOrder())
          .thenComparing(PollBatch::timeNanos);

  /** Records are late by a minute at most; an older one yet means that the clock was set back. */
  private static final Duration CLOCK_SET_BACK = Duration.ofMinutes(2);

  /**
   * How long an open incident waits for a link that is not in the fabric: after a start the wiring
   * comes in piece by piece, and a neighbour may be away for a while.
   */
  private static final Duration WAITS_FOR_LINK = Duration.ofMinutes(10);

  private final SignalDictionary dictionary;
  private final Detectors detectors;
  private final CoverageCheck coverage;
  private final Judge judge;
  private final WideDetection wide;

  public Engine(SignalDictionary dictionary, Detectors detectors) {
    this.dictionary = dictionary;
    this.detectors = detectors;
    coverage = new CoverageCheck(dictionary);
    judge = new Judge(coverage, new Company(detectors));
    wide = new WideDetection(this);
  }

  /** The state before anything was seen. */
  public EngineState initial() {
    return new EngineState(detectors);
  }

  public SignalDictionary dictionary() {
    return dictionary;
  }

  Detectors detectors() {
    return detectors;
  }

  /**
   * Takes one record in.
   *
   * @return the verdicts that the record touches, in no particular order; also those that did not
   *     change
   */
  public List<Verdict> step(EngineState state, EngineInput input) {
    return step(state, List.of(input));
  }

  /**
   * Takes the records of one moment in, such that their order does not matter: all readings are
   * known before any of them is judged.
   *
   * @param inputs of the same time
   * @return the verdicts that the records touch, in no particular order; also those that did not
   *     change
   */
  public List<Verdict> step(EngineState state, List<EngineInput> inputs) {
    Set<Subject> touched = new LinkedHashSet<>();
    List<Verdict> verdicts = new ArrayList<>();
    List<PollBatch> polls = new ArrayList<>(inputs.size());
    for (EngineInput input : inputs) {
      // Probes of a while ago tell of then; they set no clock back.
      if (!(input instanceof EngineInput.Probe) || input.at().isAfter(state.now)) {
        advance(state, input.at(), touched);
      }
      switch (input) {
        case EngineInput.Topology topology -> replace(state, topology.fabric(), touched, verdicts);
        case EngineInput.Poll poll -> polls.add(poll.batch());
        case EngineInput.Probe probe -> state.probes.take(probe);
        // For people, as what is told of maintenance.
        case EngineInput.Event event -> {}
        case EngineInput.Roster roster -> state.jobs.take(state, roster, touched);
        case EngineInput.Timing timing -> state.jobs.take(state, timing, touched);
        case EngineInput.Analysis analysis -> state.jobs.take(state, analysis, touched);
        case EngineInput.Maintenance maintenance -> {}
      }
    }
    if (polls.size() > 1) {
      polls.sort(SAME_MOMENT);
    }
    List<Taken> taken = new ArrayList<>(polls.size());
    polls.forEach(batch -> takeIn(state, batch, taken));
    taken.forEach(poll -> judgePorts(state, poll, touched));
    for (Taken poll : taken) {
      PollBatch batch = poll.batch();
      Device device = known(poll.device(), batch.device());
      wide.lookAtDevice(state, poll.source(), device, batch, poll.windows(), touched);
    }
    state.jobs.look(state, touched);
    state.probes.look(state, touched);
    Set<Subject> polled = Set.copyOf(touched);
    sweep(state, touched, verdicts);
    // What explains others is judged before them.
    judge(state, touched, polled, false, verdicts);
    judge(state, touched, polled, true, verdicts);
    return verdicts;
  }

  private void judge(
      EngineState state,
      Set<Subject> touched,
      Set<Subject> polled,
      boolean links,
      List<Verdict> verdicts) {
    for (Subject subject : touched) {
      if ((subject.type() == SubjectType.LINK) == links) {
        Verdict verdict = judge.judge(state, subject, polled.contains(subject));
        if (verdict != null) {
          verdicts.add(verdict);
        }
      }
    }
  }

  /** Moves the time on, and lets the detectors of the whole fabric look at what was until then. */
  private void advance(EngineState state, Instant at, Set<Subject> touched) {
    boolean setBack = isSetBack(state.now, at);
    if (!at.isAfter(state.now) && !setBack) {
      return;
    }
    if (setBack) {
      state.probes.forget();
    }
    // What comes at a whole second belongs to the look at that second.
    long until = at.getEpochSecond() - (at.getNano() > 0 ? 0 : 1);
    for (int index = 0; index < state.fabricWide.length; index++) {
      long every = Math.max(1, detectors.fabric().get(index).every().toSeconds());
      long due = state.nextFabricWide[index];
      if (setBack || due == 0) {
        state.nextFabricWide[index] = (Math.floorDiv(at.getEpochSecond(), every) + 1) * every;
      } else if (until >= due) {
        Instant last = Instant.ofEpochSecond(Math.floorDiv(until, every) * every);
        state.nextFabricWide[index] = last.getEpochSecond() + every;
        if (last.isAfter(state.now)) {
          state.now = last;
        }
        wide.lookAtFabric(state, index, touched);
      }
    }
    state.now = at;
    state.nextSweep = isSetBack(state.nextSweep, at) ? at : state.nextSweep;
  }

  private static boolean isSetBack(Instant before, Instant now) {
    return !before.equals(Instant.MIN) && now.isBefore(before.minus(CLOCK_SET_BACK));
  }

  // --- topology

  private void replace(
      EngineState state, Fabric fabric, Set<Subject> touched, List<Verdict> verdicts) {
    state.wire(fabric);
    for (LinkEntry link : state.links()) {
      Subject subject = link.subject();
      if (!state.tracks.containsKey(subject)) {
        state.put(Track.fresh(subject, state.now));
        touched.add(subject);
      }
    }
    for (Track track : List.copyOf(state.tracks.values())) {
      Subject subject = track.subject();
      if (!isGone(state, subject)) {
        state.missing.remove(subject);
      } else if (track.isOpen()) {
        state.missing.putIfAbsent(subject, state.now);
      } else {
        verdicts.add(forget(state, subject));
      }
    }
  }

  private Verdict forget(EngineState state, Subject subject) {
    state.remove(subject);
    state.blind.remove(subject);
    state.missing.remove(subject);
    return judge.gone(subject, state.now);
  }

  private static boolean isGone(EngineState state, Subject subject) {
    return switch (subject.type()) {
      case LINK -> state.link(subject) == null;
      case HOST, SWITCH -> state.fabric.device(subject.id()) == null;
      case PORT, LANE, FABRIC, RANK, JOB, PAUSE_DOMAIN, SHARED_COMPONENT, ROUTE -> false;
    };
  }

  // --- polls

  /** One poll whose readings are in and are yet to be judged. */
  private record Taken(
      PollBatch batch, Source source, @Nullable Device device, List<SignalWindow> windows) {}

  private void takeIn(EngineState state, PollBatch batch, List<Taken> taken) {
    Source source =
        state
            .sources
            .computeIfAbsent(batch.device(), device -> new LinkedHashMap<>())
            .computeIfAbsent(
                batch.collector(),
                collector ->
                    new Source(
                        new DeviceSignals(batch.device(), collector, dictionary), detectors));
    Device device = state.fabric.device(batch.device());
    long quarantined = source.signals.quarantined();
    DeviceSignals.Outcome outcome = source.signals.apply(batch, device);
    state.countQuarantined(source.signals.quarantined() - quarantined);
    state.count(outcome);
    if (outcome == DeviceSignals.Outcome.ACCEPTED) {
      source.lastAt = batch.at();
      taken.add(new Taken(batch, source, device, List.copyOf(source.signals.touched())));
    }
  }

  private void judgePorts(EngineState state, Taken poll, Set<Subject> touched) {
    PollBatch batch = poll.batch();
    Source source = poll.source();
    Set<String> read = HashSet.newHashSet(poll.windows().size());
    for (SignalWindow window : poll.windows()) {
      String name = window.port().port();
      if (!name.equals(PollBatch.DEVICE)) {
        read.add(name);
        PortState port = source.port(state, window, detectors);
        note(port, window, batch.complete());
        detect(state, port, window, poll.device(), touched);
      }
    }
    touched.addAll(judge.accusedBy(state, batch.device()));
    if (read.size() < source.ports.size()) {
      source.ports.forEach(
          (name, port) -> {
            if (!read.contains(name)) {
              port.missed();
              if (port.entry.link != null) {
                touched.add(port.entry.link.subject());
              }
            }
          });
    }
  }

  private static Device known(@Nullable Device device, String name) {
    return device == null ? Device.of(name, Role.SWITCH) : device;
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
    int read = coverage.read(window);
    port.isCoverageNew |= read != port.coverage;
    port.coverage = read;
  }

  private void detect(
      EngineState state,
      PortState port,
      SignalWindow window,
      @Nullable Device device,
      Set<Subject> touched) {
    PortEntry entry = port.entry;
    LinkEntry link = entry.link;
    if (link == null) {
      return;
    }
    StepContext context =
        new StepContext(state, this, entry, known(device, entry.id.device()), link.link());
    Subject own = link.subject();
    for (int index = 0; index < detectors.ports().size(); index++) {
      List<Finding> before = port.findings.get(index);
      Step<?> step;
      try {
        step = step(detectors.ports().get(index), port.detectorStates[index], window, context);
      } catch (RuntimeException e) {
        // One detector that fails at one port must not cost the device its other verdicts.
        state.countDetectorFault();
        continue;
      }
      port.detectorStates[index] = step.state();
      port.findings.set(index, step.findings());
      touchAccused(state, window.port(), own, before, touched);
      touchAccused(state, window.port(), own, step.findings(), touched);
    }
    touched.add(own);
  }

  /** The state of a detector is always one that this detector made, or read back by its type. */
  @SuppressWarnings("unchecked")
  private static <S> Step<S> step(
      Detector<S> detector, Object state, SignalWindow window, StepContext context) {
    return detector.step((S) state, window, context);
  }

  private static void touchAccused(
      EngineState state,
      PortId accuser,
      Subject own,
      List<Finding> findings,
      Set<Subject> touched) {
    for (Finding finding : findings) {
      Subject subject = finding.subject();
      if (subject.equals(own)) {
        continue;
      }
      touched.add(subject);
      state.accusations.accuse(subject, accuser);
      if (!state.tracks.containsKey(subject)) {
        state.put(Track.fresh(subject, state.now));
      }
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
    for (LinkEntry link : state.links()) {
      Subject subject = link.subject();
      if (Judge.isKnown(state, link) == state.blind.contains(subject)) {
        touched.add(subject);
      }
    }
    state.jobs.sweep(state, touched);
    for (Map.Entry<Subject, Instant> gone : Map.copyOf(state.missing).entrySet()) {
      if (!state.now.isBefore(gone.getValue().plus(WAITS_FOR_LINK))) {
        verdicts.add(forget(state, gone.getKey()));
      }
    }
  }
}
