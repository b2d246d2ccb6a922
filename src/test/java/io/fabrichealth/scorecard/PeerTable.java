package io.fabrichealth.scorecard;

import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.simulate.world.Truth;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** What the rules of other products say of the same records, by class. */
final class PeerTable {
  private final List<Peer> peers;
  private final Map<String, Map<Integer, Cell>> cells = new TreeMap<>();

  /** Makes a product's rules for one run. */
  interface Peer extends Function<SignalDictionary, PeerRule> {}

  static final List<Peer> ALL = List.of(PdrRule::new, SonicWatchdogRule::new, NvSentinelRule::new);

  /**
   * One product in one class.
   *
   * @param found faults of which it named an end, a host or a switch
   * @param wrong ports and devices that it named and that have no fault
   */
  record Cell(int runs, int faults, int found, int wrong, List<Double> seconds) {
    static final Cell EMPTY = new Cell(0, 0, 0, 0, List.of());

    Cell plus(Cell other) {
      return new Cell(
          runs + other.runs,
          faults + other.faults,
          found + other.found,
          wrong + other.wrong,
          Stream.concat(seconds.stream(), other.seconds.stream()).toList());
    }
  }

  PeerTable(List<Peer> peers) {
    this.peers = peers;
  }

  Map<String, Map<Integer, Cell>> cells() {
    return cells;
  }

  /** Adds what another table holds. */
  synchronized void add(PeerTable other) {
    other.cells.forEach(
        (peer, row) -> row.forEach((faultClass, cell) -> add(peer, faultClass, cell)));
  }

  private void add(String peer, int faultClass, Cell cell) {
    cells.computeIfAbsent(peer, unknown -> new TreeMap<>()).merge(faultClass, cell, Cell::plus);
  }

  List<ScoredRun.Watcher> watchers(SignalDictionary dictionary) {
    return peers.stream()
        .map(peer -> (ScoredRun.Watcher) new Watcher(peer.apply(dictionary)))
        .toList();
  }

  private final class Watcher implements ScoredRun.Watcher {
    private final PeerRule rule;
    private final Map<String, List<Instant>> alarms = new HashMap<>();

    Watcher(PeerRule rule) {
      this.rule = rule;
    }

    @Override
    public void begin(Truth truth) {
      alarms.clear();
    }

    @Override
    public void see(EngineInput input) {
      rule.see(
          input,
          port -> {
            List<Instant> times = alarms.computeIfAbsent(port, unknown -> new ArrayList<>());
            times.add(input.at());
          });
    }

    @Override
    public void end(Truth truth) {
      Set<String> guilty = new HashSet<>();
      int found = 0;
      List<Double> seconds = new ArrayList<>();
      for (Truth.Fault fault : truth.faults()) {
        Set<String> ids = ids(fault);
        guilty.addAll(ids);
        double first = first(fault, ids);
        if (!Double.isNaN(first)) {
          found++;
          seconds.add(first);
        }
      }
      int wrong = (int) alarms.keySet().stream().filter(id -> !guilty.contains(id)).count();
      add(
          rule.name(),
          truth.faultClass(),
          new Cell(1, truth.faults().size(), found, wrong, seconds));
    }

    private double first(Truth.Fault fault, Set<String> ids) {
      return alarms.entrySet().stream()
          .filter(alarm -> ids.contains(alarm.getKey()))
          .flatMap(alarm -> alarm.getValue().stream())
          .filter(at -> !at.isBefore(fault.onset()))
          .mapToDouble(at -> Duration.between(fault.observableFrom(), at).toNanos() / 1e9)
          .map(late -> Math.max(0, late))
          .min()
          .orElse(Double.NaN);
    }

    /** Generous: any port of what is faulty, and of all that it touches. */
    private Set<String> ids(Truth.Fault fault) {
      Set<String> ids = new HashSet<>();
      Stream.of(Stream.of(fault.subject()), fault.aliases().stream(), fault.members().stream())
          .flatMap(Function.identity())
          .map(Truth.Subject::id)
          .forEach(
              id -> {
                ids.add(id);
                ids.addAll(List.of(id.split("--|\\+")));
                rule.fabric
                    .linksOf(id)
                    .forEach(link -> link.ends().forEach(end -> ids.add(end.id())));
              });
      return ids;
    }
  }
}
