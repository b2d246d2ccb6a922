package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.BackOff;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.FailureCode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Reads the counters of all nodes of a subnet, some nodes at once, each by a run of {@code
 * perfquery} for all its ports. A node that does not answer costs its own run only, and is asked
 * less and less often.
 */
final class CounterPolls {
  private static final int MOST_AT_ONCE = 8;
  private static final int MOST_WORDS = 5;
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);
  private static final Duration LONGEST_RESERVE = Duration.ofMillis(500);

  private final Duration interval;
  private final Duration timeout;
  private final PerfQuery query;
  private final InstantSource clock;
  private final Semaphore running = new Semaphore(MOST_AT_ONCE);
  private final Map<Key, NodeQueries> queries = new HashMap<>();

  CounterPolls(Duration interval, Duration timeout, PerfQuery query, InstantSource clock) {
    this.interval = interval;
    this.timeout = timeout;
    this.query = query;
    this.clock = clock;
  }

  /** Left of a pass for putting its outcome together. */
  static Duration reserve(Duration interval) {
    Duration tenth = interval.dividedBy(10);
    return tenth.compareTo(LONGEST_RESERVE) < 0 ? tenth : LONGEST_RESERVE;
  }

  /** A node by the LID that it is asked under: ports of an adapter have one each. */
  private record Key(long guid, int lid) {}

  /** One LID to ask, and what was learned of it. */
  private static final class NodeQueries {
    private final BackOff backOff;
    private Node node;
    private List<Integer> ports;
    private PerfQuery.Abilities abilities = new PerfQuery.Abilities();

    NodeQueries(Node node, List<Integer> ports, BackOff backOff) {
      this.node = node;
      this.ports = ports;
      this.backOff = backOff;
    }
  }

  /** From now on these are the nodes to ask. */
  void discovered(Subnet subnet) {
    Map<Key, NodeQueries> before = new HashMap<>(queries);
    queries.clear();
    for (Node node : subnet.nodes()) {
      if (SubnetSightings.isDevice(node)) {
        portsByLid(node)
            .forEach(
                (lid, ports) -> {
                  Key key = new Key(node.guid(), lid);
                  NodeQueries known = before.get(key);
                  if (known == null) {
                    known = new NodeQueries(node, ports, new BackOff(interval, LONGEST_PAUSE));
                  } else {
                    known.node = node;
                    known.ports = ports;
                    known.abilities = known.abilities.askedAnew();
                  }
                  queries.put(key, known);
                });
      }
    }
  }

  private static Map<Integer, List<Integer>> portsByLid(Node node) {
    Map<Integer, List<Integer>> byLid = new LinkedHashMap<>();
    for (NodePort port : node.ports().values()) {
      int lid = node.isSwitch() ? node.lid() : port.lid();
      if (lid > 0 && SubnetSightings.isPort(port)) {
        byLid.computeIfAbsent(lid, unknown -> new ArrayList<>()).add(port.number());
      }
    }
    return byLid;
  }

  /** What became of one LID. */
  private record Answer(NodeQueries of, PerfQuery.Result result, Instant at) {}

  /**
   * Asks all that are not in back-off.
   *
   * @param into takes what they answer
   * @return what was not read
   */
  List<Problem> poll(KnownSubnet known, SubnetBatches into, Instant now, Instant deadline)
      throws InterruptedException {
    Map<FailureCode, List<String>> failures = new EnumMap<>(FailureCode.class);
    Instant until = deadline.minus(reserve(interval));
    List<Future<Answer>> answers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        queries.forEach(
            (key, each) -> {
              String device = known.names().device(each.node);
              String held = each.backOff.holds(now);
              if (held == null) {
                answers.add(threads.submit(() -> ask(key, each, until)));
              } else {
                into.incomplete(each.node);
                failures
                    .computeIfAbsent(FailureCode.BACK_OFF, code -> new ArrayList<>())
                    .add(device + " " + held);
              }
            });
        for (Future<Answer> answer : answers) {
          take(answer.get(), known, into, failures);
        }
      } catch (ExecutionException e) {
        throw new IllegalStateException("fault in reading counters", e.getCause());
      } finally {
        // Also where this pass is interrupted: the close waits for the threads.
        answers.forEach(answer -> answer.cancel(true));
      }
    }
    return summary(failures);
  }

  private Answer ask(Key key, NodeQueries each, Instant until) throws InterruptedException {
    Duration left = Duration.between(clock.instant(), until);
    if (!running.tryAcquire(Math.max(0, left.toMillis()), TimeUnit.MILLISECONDS)) {
      return new Answer(
          each,
          PerfQuery.Result.failed(
              each.ports, new Problem(FailureCode.PARTIAL, "no time was left in this pass")),
          clock.instant());
    }
    try {
      left = Duration.between(clock.instant(), until);
      Duration limit = left.compareTo(timeout) < 0 ? left : timeout;
      PerfQuery.Result result =
          limit.isPositive()
              ? query.ask(key.lid, each.ports, each.abilities, limit)
              : PerfQuery.Result.failed(
                  each.ports, new Problem(FailureCode.PARTIAL, "no time was left in this pass"));
      return new Answer(each, result, clock.instant());
    } finally {
      running.release();
    }
  }

  private static void take(
      Answer answer,
      KnownSubnet known,
      SubnetBatches into,
      Map<FailureCode, List<String>> failures) {
    PerfQuery.Result result = answer.result;
    result.read().forEach(port -> into.add(port, answer.at, null));
    String device = known.names().device(answer.of.node);
    Problem problem = result.problem();
    if (problem == null) {
      answer.of.backOff.succeeded();
      return;
    }
    into.incomplete(answer.of.node);
    failures
        .computeIfAbsent(problem.code(), code -> new ArrayList<>())
        .add(device + ": " + problem.message());
    // That there was no time says nothing of the node.
    if (result.read().isEmpty() && problem.code() != FailureCode.PARTIAL) {
      answer.of.backOff.failed(answer.at, problem.message());
    }
  }

  private List<Problem> summary(Map<FailureCode, List<String>> failures) {
    List<Problem> problems = new ArrayList<>();
    failures.forEach(
        (code, nodes) ->
            problems.add(
                new Problem(
                    code,
                    "%d of %d nodes not read or not wholly: %s%s"
                        .formatted(
                            nodes.size(),
                            queries.size(),
                            String.join("; ", nodes.subList(0, Math.min(MOST_WORDS, nodes.size()))),
                            nodes.size() > MOST_WORDS ? "; …" : ""))));
    return problems;
  }
}
