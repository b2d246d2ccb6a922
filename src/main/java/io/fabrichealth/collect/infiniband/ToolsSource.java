package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.BackOff;
import io.fabrichealth.collect.CollectException;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.collect.infiniband.Discovery.Found;
import io.fabrichealth.collect.infiniband.InfinibandTarget.Tools;
import io.fabrichealth.collect.infiniband.SubnetBatches.States;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Runs the tools: a discovery now and then beside the passes, which so never wait for one but the
 * first, and the counters with every pass. A counter of lost links that moved brings the next
 * discovery forward.
 */
final class ToolsSource implements SubnetSource {
  /** A link that flaps brings discoveries forward, but not all of them at once. */
  private static final int EARLIEST = 5;

  private final InfinibandTarget target;
  private final ToolWords words;
  private final Discovery discovery;
  private final CounterPolls polls;
  private final PortSignals signals;
  private final InstantSource clock;
  private final BackOff backOff;
  private final Map<String, Long> linksDowned = new HashMap<>();
  private @Nullable FutureTask<Found> running;
  private @Nullable Thread thread;
  private @Nullable KnownSubnet known;
  private List<String> lasting = List.of();
  private boolean linkMoved;

  ToolsSource(
      InfinibandTarget target,
      Tools tools,
      ToolRunner runner,
      PortSignals signals,
      InstantSource clock) {
    this.target = target;
    this.signals = signals;
    this.clock = clock;
    words = new ToolWords(tools);
    discovery = new Discovery(words, target.timeout(), runner, clock);
    polls =
        new CounterPolls(target.interval(), target.timeout(), new PerfQuery(words, runner), clock);
    backOff = new BackOff(target.interval(), target.topologyInterval());
  }

  @Override
  public String address() {
    return words.address();
  }

  @Override
  public Pass read(Instant now, Instant deadline) throws InterruptedException {
    List<Problem> problems = new ArrayList<>();
    startIfDue(now, problems);
    boolean isNew = takeDiscovery(deadline, problems);
    KnownSubnet subnet = known;
    if (subnet == null) {
      if (problems.isEmpty()) {
        problems.add(new Problem(FailureCode.TIMEOUT, "the first discovery is still running"));
      }
      return new Pass(null, false, List.of(), false, problems, List.of());
    }
    SubnetBatches batches = new SubnetBatches(subnet, InfinibandCollector.NAME, signals);
    problems.addAll(polls.poll(subnet, batches, now, deadline));
    noteLinksDowned(subnet, batches);
    List<String> remarks = new ArrayList<>(subnet.subnet().remarks());
    remarks.addAll(lasting);
    if (isOld(subnet, now)) {
      remarks.add("wiring as discovered at " + subnet.at());
    }
    return new Pass(
        subnet,
        isNew,
        batches.build(isNew ? States.OF_ALL : States.NONE, true, clock.instant(), null),
        true,
        problems,
        remarks);
  }

  private boolean isOld(KnownSubnet subnet, Instant now) {
    return Duration.between(subnet.at(), now).compareTo(target.topologyInterval().multipliedBy(2))
        > 0;
  }

  private void startIfDue(Instant now, List<Problem> problems) {
    if (running != null) {
      return;
    }
    KnownSubnet subnet = known;
    if (subnet != null) {
      Duration age = Duration.between(subnet.at(), now);
      Duration due =
          linkMoved ? target.topologyInterval().dividedBy(EARLIEST) : target.topologyInterval();
      // A clock that was set back is no reason to wait longer.
      if (!age.isNegative() && age.compareTo(due) < 0) {
        return;
      }
    }
    String held = backOff.holds(now);
    if (held != null) {
      problems.add(new Problem(FailureCode.BACK_OFF, "discovery " + held));
      return;
    }
    linkMoved = false;
    FutureTask<Found> task = new FutureTask<>(discovery::discover);
    running = task;
    thread = Thread.ofVirtual().name("discover-" + target.name()).start(task);
  }

  /** Whether a discovery has come to its end; only the first is waited for. */
  private boolean takeDiscovery(Instant deadline, List<Problem> problems)
      throws InterruptedException {
    FutureTask<Found> task = running;
    if (task == null || (known != null && !task.isDone())) {
      return false;
    }
    try {
      Duration left =
          Duration.between(clock.instant(), deadline)
              .minus(CounterPolls.reserve(target.interval()));
      Found found = task.get(Math.max(0, left.toMillis()), TimeUnit.MILLISECONDS);
      running = null;
      backOff.succeeded();
      known = found.known();
      problems.addAll(found.problems());
      lasting =
          found.problems().stream().map(problem -> "discovery: " + problem.message()).toList();
      polls.discovered(found.known().subnet());
      return true;
    } catch (TimeoutException e) {
      // Goes on beside the next passes.
      return false;
    } catch (ExecutionException e) {
      running = null;
      if (!(e.getCause() instanceof CollectException failure)) {
        throw new IllegalStateException("fault in the discovery", e.getCause());
      }
      String why = String.valueOf(failure.getMessage());
      backOff.failed(clock.instant(), why);
      problems.add(new Problem(failure.code(), why));
      return false;
    }
  }

  private void noteLinksDowned(KnownSubnet subnet, SubnetBatches batches) {
    for (Node node : subnet.subnet().nodes()) {
      for (int port : node.ports().keySet()) {
        PortCounters read = batches.counters(node, port);
        if (read != null && read.has(PmaCounter.LINK_DOWNED)) {
          long value = read.value(PmaCounter.LINK_DOWNED);
          Long before = linksDowned.put(Guid.text(node.guid()) + "/" + port, value);
          linkMoved |= before != null && before != value;
        }
      }
    }
  }

  @Override
  public void close() {
    Thread discovering = thread;
    if (discovering != null) {
      discovering.interrupt();
    }
  }
}
