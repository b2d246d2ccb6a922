package io.fabrichealth.engine;

import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.latency.LatencyMatrix;
import io.fabrichealth.latency.Localiser;
import io.fabrichealth.latency.PairBaselines;
import io.fabrichealth.latency.PathFinding;
import io.fabrichealth.latency.ProbeWindow;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Tier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What probes tell of the paths that they take. Belongs to the thread that steps. */
final class Probes {
  private static final String DETECTOR = "probe-paths";

  /** In it, twenty of a thousandth are lost where some 25 probes a second cross what loses them. */
  private static final Duration SPAN = Duration.ofMinutes(15);

  private static final int MOST_FLOWS = 50_000;
  private static final Duration LOOK = Duration.ofSeconds(10);

  /** Fewer pairs may all have a host, or a flow, that is at fault. */
  private static final int FEWEST_PAIRS = 3;

  /** A flap, a host that boots or routes that move are over by then, or others tell of them. */
  private static final Duration OUTAGE = Duration.ofSeconds(60);

  private static final Duration OUTAGE_SPAN = Duration.ofMinutes(2);

  /** An hour; the newest two windows are what is so now. */
  private static final Duration BASELINE_WINDOW = Duration.ofMinutes(5);

  private static final int BASELINE_WINDOWS = 12;

  /** All pairs of some 1,000 endpoints. */
  private static final int MOST_PAIRS = 1 << 20;

  private ProbeWindow window = new ProbeWindow(SPAN, MOST_FLOWS);

  /** All of late, also where most is lost. */
  private ProbeWindow outages = new ProbeWindow(OUTAGE_SPAN, MOST_FLOWS);

  private PairBaselines baselines =
      new PairBaselines(BASELINE_WINDOW, BASELINE_WINDOWS, MOST_PAIRS);

  /** Since when outages are seen at a subject. */
  private final Map<Subject, Instant> outSince = new HashMap<>();

  private final Speaker speaker = new Speaker("");
  private final Map<Subject, Instant> since = new HashMap<>();
  private @Nullable Fabric fabric;
  private @Nullable Localiser localiser;
  private Instant nextLook = Instant.MIN;
  private boolean isHeard;

  /**
   * Takes a sample. One that lost most tells of an outage, which begins and ends at a moment: held
   * against all that came over the same links before, it would accuse the one link that no other
   * flow has crossed.
   */
  void take(EngineInput.Probe probe) {
    if (probe.sample().lost() * 2 <= probe.sample().sent()) {
      window.add(probe.at(), probe.sample());
    }
    outages.add(probe.at(), probe.sample());
    baselines.add(probe.at(), probe.sample());
    isHeard = true;
  }

  LatencyMatrix matrix(EngineState state, LatencyMatrix.Level level) {
    if (state.now.isAfter(Instant.MIN)) {
      baselines.advance(state.now);
    }
    return LatencyMatrix.of(baselines, state.fabric, level);
  }

  /** Probes that were not kept, since they came too late or from one flow too many. */
  long refused() {
    return window.refused() + baselines.refused();
  }

  /** Looks at the paths, where that is due and there is anything to look at. */
  void look(EngineState state, Set<Subject> touched) {
    if (state.now.isBefore(nextLook) || !isHeard && speaker.findings.isEmpty()) {
      return;
    }
    nextLook = state.now.plus(LOOK);
    isHeard = false;
    window.advance(state.now);
    outages.advance(state.now);
    try {
      Map<Subject, PathFinding> all = new LinkedHashMap<>();
      for (PathFinding found : localiser(state.fabric).localise(window)) {
        all.put(found.subject(), found);
      }
      for (PathFinding found : lasting(state)) {
        all.merge(found.subject(), found, (one, other) -> one.nats() < other.nats() ? other : one);
      }
      List<Finding> findings = new ArrayList<>();
      for (PathFinding found : all.values()) {
        if (found.pairs().size() >= FEWEST_PAIRS) {
          findings.add(finding(state, found));
        }
      }
      since.keySet().retainAll(findings.stream().map(Finding::subject).toList());
      WideDetection.say(state, speaker, findings, touched);
    } catch (RuntimeException e) {
      state.countDetectorFault();
    }
  }

  /** Forgets all that came: where the clock was set back, it says nothing of now. */
  void forget() {
    nextLook = Instant.MIN;
    window = new ProbeWindow(SPAN, MOST_FLOWS);
    outages = new ProbeWindow(OUTAGE_SPAN, MOST_FLOWS);
    baselines = new PairBaselines(BASELINE_WINDOW, BASELINE_WINDOWS, MOST_PAIRS);
    since.clear();
    outSince.clear();
  }

  /** What loses most of its probes, and has for a while; a host that is away is no lost packet. */
  private List<PathFinding> lasting(EngineState state) {
    List<PathFinding> found =
        localiser(state.fabric).localise(outages).stream()
            .filter(one -> one.amount() > .5 && !isOfHost(state, one.subject()))
            .toList();
    outSince.keySet().retainAll(found.stream().map(PathFinding::subject).toList());
    found.forEach(one -> outSince.putIfAbsent(one.subject(), state.now));
    return found.stream()
        .filter(
            one ->
                !outSince.getOrDefault(one.subject(), state.now).isAfter(state.now.minus(OUTAGE)))
        .toList();
  }

  private static boolean isOfHost(EngineState state, Subject subject) {
    Link link = subject.type() == SubjectType.LINK ? state.fabric.link(subject.id()) : null;
    return link != null && link.tier() == Tier.HOST_LEAF;
  }

  /** Made anew for another fabric; forgets no probe. */
  private Localiser localiser(Fabric now) {
    Localiser known = localiser;
    if (known == null || fabric != now) {
      known = new Localiser(now);
      localiser = known;
      fabric = now;
    }
    return known;
  }

  private Finding finding(EngineState state, PathFinding found) {
    Instant from = since.computeIfAbsent(found.subject(), unknown -> state.now);
    Evidence evidence =
        new Evidence(
            found.family(),
            "probe.loss",
            found.from() == null ? found.subject() : Subject.of(found.from()),
            observed(found),
            "no more than other paths lose",
            Reference.PATH,
            found.nats(),
            from,
            state.now,
            "probes of %d pairs".formatted(found.pairs().size()));
    return new Finding(
        DETECTOR, found.subject(), found.cause(), evidence, from, members(state, found));
  }

  private static String observed(PathFinding found) {
    String rivals =
        found.rivals().isEmpty()
            ? ""
            : "; it may be "
                + String.join(" or ", found.rivals().stream().map(Subject::id).toList())
                + " instead";
    return String.format(
        Locale.ROOT,
        "%.0f of the %.0f probes that crossed it were lost there: %.3g %% (%.3g to %.3g %%)%s",
        found.lost(),
        found.sent(),
        100 * found.amount(),
        100 * found.low(),
        100 * found.high(),
        rivals);
  }

  /**
   * The links of a switch, whose losses are its own, and the hosts between which probes are lost.
   */
  private static List<Subject> members(EngineState state, PathFinding found) {
    Set<Subject> members = new LinkedHashSet<>();
    if (found.subject().type() == SubjectType.SWITCH) {
      for (Link link : state.fabric.linksOf(found.subject().id())) {
        members.add(Subject.of(link));
      }
    }
    for (PathFinding.Pair pair : found.pairs()) {
      members.add(Subject.host(pair.src().device()));
      members.add(Subject.host(pair.dst().device()));
    }
    return List.copyOf(members);
  }
}
