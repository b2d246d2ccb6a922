package io.fabrichealth.runtime;

import io.fabrichealth.detect.Detectors;
import io.fabrichealth.detect.Thresholds;
import io.fabrichealth.engine.Engine;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.engine.EngineState;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.incident.CurrentIncidents;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.maintenance.MaintenanceWindow;
import io.fabrichealth.maintenance.MaintenanceWindows;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.verdict.LinkState;
import io.fabrichealth.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Runs the whole engine over records in virtual time, as fast as it can: the incidents that the
 * service would have had. Deterministic; records of equal time count as one moment, in whatever
 * order they stand.
 */
public final class Replay {
  private final Engine engine;
  private final EngineState state;
  private final MaintenanceWindows windows = new MaintenanceWindows();
  private final CurrentIncidents current = new CurrentIncidents(windows);
  private final Map<UUID, Incident> incidents = new HashMap<>();
  private final Map<Subject, Verdict> verdicts = new HashMap<>();
  private final List<EngineInput> moment = new ArrayList<>();
  private Instant first = Instant.MAX;
  private Instant last = Instant.MIN;
  private long records;

  public Replay(Engine engine) {
    this.engine = engine;
    state = engine.initial();
  }

  /**
   * What came of it.
   *
   * @param incidents all of them, the oldest first; those that are not resolved were open at the
   *     end
   * @param records that became inputs of the engine
   * @param links of the fabric at the end
   * @param virtualTime from the first record to the last
   * @param coverageRatio how much of what detection lives on was read, 0 to 1, over all links
   * @param unknownLinks links that could not be judged at the end
   * @param dropped polls that came late or twice
   * @param quarantined readings that no device of this world can have
   * @param detectorFaults times that a detector failed: a fault of ours
   */
  public record Outcome(
      List<Incident> incidents,
      long records,
      int links,
      Duration virtualTime,
      double coverageRatio,
      long unknownLinks,
      long dropped,
      long quarantined,
      long detectorFaults) {
    public Outcome {
      incidents = List.copyOf(incidents);
    }
  }

  /** One record; it is stepped with the others of its time once a later one comes. */
  public void take(EngineInput input) {
    if (!moment.isEmpty() && !moment.getFirst().at().equals(input.at())) {
      step();
    }
    moment.add(input);
    records++;
  }

  private void step() {
    Instant at = moment.getFirst().at();
    first = at.isBefore(first) ? at : first;
    last = at.isAfter(last) ? at : last;
    moment.forEach(this::note);
    engine.step(state, moment).forEach(verdict -> judge(verdict, at));
    moment.clear();
  }

  private void note(EngineInput input) {
    switch (input) {
      case EngineInput.Topology topology -> windows.fabric(topology.fabric());
      case EngineInput.Maintenance told ->
          windows.put(
              new MaintenanceWindow(told.id(), told.scope(), told.startsAt(), told.endsAt()));
      case EngineInput.Poll poll -> {}
      case EngineInput.Probe probe -> {}
      case EngineInput.Roster roster -> {}
      case EngineInput.Timing timing -> {}
      case EngineInput.Analysis analysis -> {}
      case EngineInput.Event event -> {}
    }
  }

  private void judge(Verdict verdict, Instant at) {
    Subject subject = verdict.subject();
    if (verdict.isOpen() || current.hasAny(subject)) {
      for (CurrentIncidents.Change change : current.apply(verdict, at)) {
        incidents.put(change.incident().id(), change.incident());
      }
    }
    if (state.knows(subject)) {
      verdicts.put(subject, verdict);
    } else {
      verdicts.remove(subject);
    }
  }

  /** What is known of each link, and of all else that is accused, after what was stepped. */
  public Map<Subject, Verdict> verdicts() {
    return Collections.unmodifiableMap(verdicts);
  }

  private Stream<Verdict> links() {
    return verdicts.values().stream()
        .filter(verdict -> verdict.subject().type() == SubjectType.LINK);
  }

  /** Records so far. */
  public long records() {
    return records;
  }

  /** Incidents so far. */
  public int found() {
    return incidents.size();
  }

  /** What came of all that was taken. */
  public Outcome outcome() {
    if (!moment.isEmpty()) {
      step();
    }
    return new Outcome(
        incidents.values().stream()
            .sorted(Comparator.comparing(Incident::openedAt).thenComparing(Incident::fingerprint))
            .toList(),
        records,
        state.fabric().links().size(),
        records == 0 ? Duration.ZERO : Duration.between(first, last),
        links().mapToDouble(verdict -> verdict.coverage().ratio()).average().orElse(0),
        links().filter(verdict -> verdict.state() == LinkState.UNKNOWN).count(),
        state.outOfOrder(),
        state.quarantined(),
        state.detectorFaults());
  }

  /** The engine of the service, with these thresholds. */
  public static Engine engine(Thresholds thresholds) {
    SignalDictionary dictionary = SignalCatalogue.load();
    return new Engine(dictionary, Detectors.standard(dictionary, thresholds));
  }
}
