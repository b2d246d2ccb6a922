package io.fabrichealth.collective;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Plays a training job with tensor, data and pipeline parallel groups until it ends or nothing
 * moves, and writes every rank's dump as one of four kinds of writers would. What was injected is
 * known, so what an analysis says of the dumps can be checked.
 */
final class PlayedJob {

  /** Who writes the dump; what they leave out is measured of PyTorch 2.15. */
  enum Writer {
    /** Sends, receives and members are not recorded; failed operations look like finished ones. */
    GLOO,
    /** Every entry is retired when it is issued. */
    HOOK,
    COMPLETING,
    /** Operations are issued ahead of the device; the dump holds the unfinished ones only. */
    AHEAD
  }

  enum Point {
    DATA,
    TP,
    PP,
    DP,
    WORLD
  }

  private static final int AHEAD = 12;
  private static final long START = 1_790_000_000_000_000_000L;

  final int world;
  final int tensor;
  final int stages;
  final int data;
  final int steps;
  final Writer writer;
  final Map<Integer, PlayedRank> ranks = new TreeMap<>();
  final List<ProcessGroup> groups = new ArrayList<>();
  final Random random;
  final Set<Integer> dead = new TreeSet<>();
  private final Set<Integer> lost = new TreeSet<>();
  private final Map<String, Map<Integer, PlayedOperation>> instances = new HashMap<>();
  private int ring = Integer.MAX_VALUE;
  private long skewNanos;

  PlayedJob(Writer writer, int world, int tensor, int stages, int steps, long seed) {
    this.writer = writer;
    this.world = world;
    this.tensor = tensor;
    this.stages = stages;
    this.steps = steps;
    data = world / tensor / stages;
    random = new Random(seed);
    groups.add(new ProcessGroup("0", "default_pg", range(0, world, 1)));
    for (int first = 0; first < world; first += tensor) {
      groups.add(named("tp", range(first, first + tensor, 1)));
    }
    int stage = data * tensor;
    for (int at = 0; at < stages; at++) {
      for (int lane = 0; lane < tensor; lane++) {
        groups.add(named("dp", range(at * stage + lane, (at + 1) * stage, tensor)));
      }
    }
    for (int lane = 0; lane < stage; lane++) {
      groups.add(named("pp", range(lane, world, stage)));
    }
    for (int rank = 0; rank < world; rank++) {
      ranks.put(rank, new PlayedRank(this, rank));
    }
  }

  private ProcessGroup named(String description, List<Integer> members) {
    return new ProcessGroup(String.valueOf(groups.size()), description, members);
  }

  private static List<Integer> range(int from, int to, int step) {
    List<Integer> all = new ArrayList<>();
    for (int at = from; at < to; at += step) {
      all.add(at);
    }
    return all;
  }

  ProcessGroup group(String description, int rank) {
    return groups.stream()
        .filter(group -> group.description().equals(description) && group.ranks().contains(rank))
        .findFirst()
        .orElseThrow();
  }

  PlayedRank rank(int rank) {
    return ranks.get(rank);
  }

  PlayedJob hang(int rank, int step, Point point) {
    rank(rank).stop(step, point);
    return this;
  }

  PlayedJob kill(int rank, int step, Point point) {
    dead.add(rank);
    return hang(rank, step, point);
  }

  /** The dump of a rank is lost; the rank itself is as the others. */
  PlayedJob lose(int rank) {
    lost.add(rank);
    return this;
  }

  PlayedJob freeze(int rank, int step) {
    rank(rank).freezeIn(step);
    return this;
  }

  PlayedJob ring(int entries) {
    ring = entries;
    return this;
  }

  PlayedJob skew(long nanos) {
    skewNanos = nanos;
    return this;
  }

  /** Plays it to its end. */
  PlayedJob play() {
    ranks.values().forEach(PlayedRank::plan);
    boolean moves = true;
    while (moves) {
      moves = false;
      for (PlayedRank rank : ranks.values()) {
        moves |= rank.advance();
      }
      for (PlayedRank rank : ranks.values()) {
        moves |= rank.settle();
      }
    }
    return this;
  }

  int ahead() {
    return writer == Writer.AHEAD ? AHEAD : 1;
  }

  Map<Integer, PlayedOperation> instance(String key) {
    return instances.computeIfAbsent(key, name -> new TreeMap<>());
  }

  long start() {
    return START;
  }

  long skew(int rank) {
    return rank / 4 % 2 == 1 ? skewNanos : 0;
  }

  int ring() {
    return ring;
  }

  List<FlightRecorder> dumps() {
    return ranks.values().stream()
        .filter(rank -> !dead.contains(rank.rank) && !lost.contains(rank.rank))
        .map(PlayedRank::dump)
        .toList();
  }

  JobAnalysis analysis() {
    HangAnalysis hang = HangAnalysis.of(Job.UNNAMED, dumps(), List.of());
    return new JobAnalysis(hang.findings(), hang.victims(), hang.unknown());
  }
}
