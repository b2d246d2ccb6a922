package io.fabrichealth.collective;

import io.fabrichealth.collective.InspectorLog.Communicator;
import io.fabrichealth.collective.InspectorLog.Key;
import io.fabrichealth.collective.InspectorLog.Timed;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.topology.Fabric;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Puts the lines of all processes together into collectives, and has them judged as those of a
 * running job are.
 */
final class InspectorAnalysis {
  /** One finding in ten of such a kind would be right before anything was measured. */
  private static final double PRIOR_NATS = Math.log(1.0 / 9);

  private final Job job;
  private final Map<String, Integer> ranks = new HashMap<>();
  private final Map<Integer, String> hosts = new TreeMap<>();

  private InspectorAnalysis(Job job) {
    this.job = job;
  }

  /** A collective and when it ended, as far as the lines tell. */
  private record Ended(Instant at, Collective collective) {}

  /** What makes lines of several processes one collective. */
  private record Same(String id, String operation, long sequence, int rank, int peer) {}

  private record Line(int rank, Communicator communicator, Timed timed) {}

  static List<CollectiveFinding> of(Job job, List<InspectorLog> logs) {
    if (logs.isEmpty()) {
      return List.of();
    }
    InspectorAnalysis analysis = new InspectorAnalysis(job);
    analysis.number(logs);
    List<Ended> collectives = analysis.collectives(logs);
    return collectives.isEmpty() ? List.of() : analysis.judge(collectives);
  }

  /**
   * A line tells the rank in its communicator. The largest communicator holds all, mostly; where it
   * does not, processes are counted host by host.
   */
  private void number(List<InspectorLog> logs) {
    Map<String, Integer> sizes = new HashMap<>();
    TreeMap<String, Key> places = new TreeMap<>();
    for (InspectorLog log : logs) {
      log.communicators()
          .forEach(
              (key, communicator) -> {
                sizes.put(key.id(), communicator.size);
                places.put("%s %010d".formatted(key.host(), key.process()), key);
              });
    }
    String largest =
        sizes.entrySet().stream()
            .max(
                Map.Entry.<String, Integer>comparingByValue()
                    .thenComparing(Map.Entry.comparingByKey()))
            .map(Map.Entry::getKey)
            .orElse("");
    boolean isWorld = sizes.getOrDefault(largest, 0) >= places.size();
    int counted = 0;
    for (Key place : places.values()) {
      ranks.put(place(place), counted++);
    }
    for (InspectorLog log : logs) {
      log.communicators()
          .forEach(
              (key, communicator) -> {
                if (isWorld && key.id().equals(largest)) {
                  ranks.put(place(key), communicator.rank);
                }
              });
      log.communicators().keySet().forEach(key -> hosts.put(rank(key), key.host()));
    }
  }

  private static String place(Key key) {
    return key.host() + ":" + key.process();
  }

  private int rank(Key key) {
    return ranks.getOrDefault(place(key), -1);
  }

  private List<Ended> collectives(List<InspectorLog> logs) {
    Map<Same, List<Line>> lines = new HashMap<>();
    Map<String, Map<Integer, Integer>> global = new HashMap<>();
    for (InspectorLog log : logs) {
      log.communicators()
          .forEach(
              (key, communicator) -> {
                int rank = rank(key);
                global
                    .computeIfAbsent(key.id(), id -> new HashMap<>())
                    .put(communicator.rank, rank);
                for (Timed timed : communicator.kept()) {
                  boolean isPair = timed.peer() >= 0;
                  lines
                      .computeIfAbsent(
                          new Same(
                              key.id(),
                              timed.operation(),
                              timed.sequence(),
                              isPair ? rank : -1,
                              timed.peer()),
                          same -> new ArrayList<>())
                      .add(new Line(rank, communicator, timed));
                }
              });
    }
    List<Ended> ended = new ArrayList<>();
    lines.forEach(
        (same, told) -> {
          // a straggler among those that told is found; among those that did not it cannot be
          if (same.peer() >= 0 || told.size() >= told.getFirst().communicator().size) {
            ended.add(ended(same, told, global.getOrDefault(same.id(), Map.of())));
          }
        });
    ended.sort(
        Comparator.comparing((Ended of) -> of.collective().group())
            .thenComparingLong(of -> of.collective().sequence()));
    return spread(ended);
  }

  private Ended ended(Same same, List<Line> told, Map<Integer, Integer> global) {
    Line first = told.getFirst();
    String name = first.communicator().name;
    Collective.Builder collective =
        new Collective.Builder(
                job.name(),
                name.isEmpty() ? same.id() : "%s (%s)".formatted(name, same.id()),
                same.sequence(),
                same.operation())
            .bytes(first.timed().bytes());
    if (same.peer() >= 0) {
      collective.peer(global.getOrDefault(same.peer(), same.peer()));
    }
    told.sort(Comparator.comparingInt(Line::rank));
    long at = 0;
    for (Line line : told) {
      collective.row(line.rank(), Double.NaN, Double.NaN, line.timed().micros());
      at = Math.max(at, line.timed().atMicros());
    }
    return new Ended(Instant.EPOCH.plusNanos(Math.multiplyExact(at, 1000L)), collective.build());
  }

  /**
   * Without tracing, lines bear the time at which all were written. Each operation ended then at
   * the latest, and before the next of its communicator had run.
   */
  private static List<Ended> spread(List<Ended> sorted) {
    List<Ended> spread = new ArrayList<>(sorted);
    for (int i = sorted.size() - 2; i >= 0; i--) {
      Ended next = spread.get(i + 1);
      Ended own = spread.get(i);
      if (own.collective().group().equals(next.collective().group())) {
        double longest = 0;
        for (int row = 0; row < next.collective().size(); row++) {
          longest = Math.max(longest, next.collective().duration(row));
        }
        Instant latest = next.at().minusNanos((long) (longest * 1000));
        if (own.at().isAfter(latest)) {
          spread.set(i, new Ended(latest, own.collective()));
        }
      }
    }
    spread.sort(
        Comparator.comparing(Ended::at)
            .thenComparing(of -> of.collective().group())
            .thenComparingLong(of -> of.collective().sequence()));
    return spread;
  }

  private List<CollectiveFinding> judge(List<Ended> collectives) {
    JobWatch watch = new JobWatch(job.name(), collectives.getFirst().at());
    watch.take(
        collectives.getFirst().at(),
        new Job(job.name(), job.ranks().isEmpty() ? roster() : job.ranks(), job.groups()),
        false);
    collectives.forEach(ended -> watch.take(ended.at(), ended.collective()));
    List<CollectiveFinding> findings = new ArrayList<>();
    for (JobFinding found : watch.look(collectives.getLast().at(), Fabric.EMPTY)) {
      findings.add(finding(found.finding()));
    }
    return findings;
  }

  private List<JobRank> roster() {
    List<JobRank> roster = new ArrayList<>();
    hosts.forEach((rank, host) -> roster.add(new JobRank(rank, host, null, null)));
    return roster;
  }

  private CollectiveFinding finding(Finding found) {
    Subject subject = found.subject();
    List<Integer> blamed = new ArrayList<>();
    List<String> where = new ArrayList<>();
    if (subject.type() == SubjectType.RANK) {
      int rank = Integer.parseInt(subject.id().substring(subject.id().lastIndexOf('/') + 1));
      blamed.add(rank);
      if (hosts.containsKey(rank)) {
        where.add(hosts.get(rank));
      }
    } else if (subject.type() == SubjectType.HOST) {
      where.add(subject.id());
    }
    return new CollectiveFinding(
        found.cause(),
        subject,
        blamed,
        where,
        subject.type() == SubjectType.LINK ? List.of(subject.id()) : List.of(),
        1 / (1 + Math.exp(-found.nats() - PRIOR_NATS)),
        found.since(),
        "%s %s: %s where %s was expected."
            .formatted(
                subject.type().label(),
                subject.id(),
                found.evidence().observed(),
                found.evidence().expected()),
        List.of(found.evidence()));
  }
}
