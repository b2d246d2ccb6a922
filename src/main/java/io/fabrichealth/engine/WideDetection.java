package io.fabrichealth.engine;

import io.fabrichealth.detect.DeviceDetector;
import io.fabrichealth.detect.FabricDetector;
import io.fabrichealth.detect.Step;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.verdict.Track;
import java.util.List;
import java.util.Set;

/** Runs the detectors that look at whole devices and at the whole fabric. */
final class WideDetection {
  private final Engine engine;

  WideDetection(Engine engine) {
    this.engine = engine;
  }

  /** One look of one detector at the whole fabric. */
  void lookAtFabric(EngineState state, int index, Set<Subject> touched) {
    FabricDetector<?> detector = engine.detectors().fabric().get(index);
    Speaker speaker = state.fabricWide[index];
    try {
      say(state, speaker, step(detector, speaker.memory, state), touched);
    } catch (RuntimeException e) {
      state.countDetectorFault();
    }
  }

  @SuppressWarnings("unchecked")
  private <S> Step<S> step(FabricDetector<S> detector, Object memory, EngineState state) {
    return detector.step((S) memory, new WideContext.OfFabric(state, engine));
  }

  private static void say(EngineState state, Speaker speaker, Step<?> step, Set<Subject> touched) {
    speaker.memory = step.state();
    say(state, speaker, step.findings(), touched);
  }

  /** What a speaker says from now on. */
  static void say(
      EngineState state, Speaker speaker, List<Finding> findings, Set<Subject> touched) {
    if (speaker.findings.isEmpty() && findings.isEmpty()) {
      return;
    }
    speaker.findings.forEach(before -> touched.add(before.subject()));
    state.accusations.say(speaker, findings);
    for (Finding finding : findings) {
      Subject subject = finding.subject();
      touched.add(subject);
      if (subject.type() != SubjectType.LINK) {
        witnesses(state, subject, finding);
        if (!state.tracks.containsKey(subject)) {
          state.put(Track.fresh(subject, state.now));
        }
      }
      for (Subject member : finding.members()) {
        if (state.tracks.containsKey(member)) {
          touched.add(member);
        }
      }
    }
  }

  /** The ports that can tell whether what was found still holds. */
  private static void witnesses(EngineState state, Subject subject, Finding finding) {
    portsOf(state, subject).forEach(port -> state.accusations.accuse(subject, port));
    for (Subject member : finding.members()) {
      portsOf(state, member).forEach(port -> state.accusations.accuse(subject, port));
    }
  }

  private static List<PortId> portsOf(EngineState state, Subject subject) {
    return switch (subject.type()) {
      case LINK -> {
        Link link = state.fabric.link(subject.id());
        yield link == null ? List.of() : link.ends();
      }
      case SWITCH, HOST ->
          state.fabric.linksOf(subject.id()).stream()
              .flatMap(link -> link.ends().stream())
              .filter(port -> port.device().equals(subject.id()))
              .toList();
      case PORT, LANE, FABRIC, RANK, JOB, PAUSE_DOMAIN, SHARED_COMPONENT, ROUTE -> List.of();
    };
  }

  /** One poll of one device, after its ports were judged. */
  void lookAtDevice(
      EngineState state,
      Source source,
      Device device,
      PollBatch batch,
      List<SignalWindow> windows,
      Set<Subject> touched) {
    List<DeviceDetector<?>> all = engine.detectors().devices();
    if (all.isEmpty()) {
      return;
    }
    WideContext.OfDevice view =
        new WideContext.OfDevice(state, device, batch.collector(), batch.complete(), windows);
    for (int index = 0; index < all.size(); index++) {
      Speaker speaker = source.deviceWide[index];
      try {
        say(state, speaker, step(all.get(index), speaker.memory, view), touched);
      } catch (RuntimeException e) {
        state.countDetectorFault();
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static <S> Step<S> step(
      DeviceDetector<S> detector, Object memory, WideContext.OfDevice view) {
    return detector.step((S) memory, view);
  }
}
