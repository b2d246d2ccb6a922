package io.fabrichealth.detect;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Finds cycles of links of one priority on which nothing moves any more. */
final class DeadlockSearch {
  private static final double STILL_NATS = 4;

  private final FabricView view;
  private final PauseLimits limits;
  private final List<PausedLink> links;
  private final List<PauseMemory> remembered;
  private final Set<String> devices = new HashSet<>();

  /**
   * @param links those that are paused or still accused
   * @param remembered all that is remembered, of any priority
   */
  DeadlockSearch(
      FabricView view, PauseLimits limits, List<PausedLink> links, List<PauseMemory> remembered) {
    this.view = view;
    this.limits = limits;
    this.links = links;
    this.remembered = remembered;
  }

  /** Whether the device is part of one that was found. */
  boolean contains(String device) {
    return devices.contains(device);
  }

  List<Finding> search() {
    List<PausedLink> stuck =
        links.stream().filter(link -> link.memory().stuck() >= PauseJudgement.SURE).toList();
    if (stuck.size() < 2) {
      return List.of();
    }
    List<List<Integer>> cycles = new WaitGraph(stuck).cycles();
    if (cycles.isEmpty()) {
      return List.of();
    }
    List<Finding> findings = new ArrayList<>();
    Map<String, Integer> heights = heights();
    for (List<Integer> cycle : cycles) {
      List<PausedLink> members = cycle.stream().map(stuck::get).toList();
      if (!isExplainedByHosts(members, heights)) {
        members.forEach(member -> devices.add(member.sender().device()));
        findings.addAll(deadlock(members));
      }
    }
    return findings;
  }

  /** Hops from the nearest host. */
  private Map<String, Integer> heights() {
    Map<String, Integer> heights = new HashMap<>();
    List<String> reached = new ArrayList<>();
    for (Device device : view.fabric().devices()) {
      if (device.role() == Role.HOST) {
        heights.put(device.name(), 0);
        reached.add(device.name());
      }
    }
    for (int at = 0; at < reached.size(); at++) {
      int above = heights.getOrDefault(reached.get(at), 0) + 1;
      for (Link link : view.fabric().linksOf(reached.get(at))) {
        for (PortId end : link.ends()) {
          if (heights.putIfAbsent(end.device(), above) == null) {
            reached.add(end.device());
          }
        }
      }
    }
    return heights;
  }

  /**
   * Routes go up and then down. Where a cycle comes from above and goes up again, either a route
   * does what none should, which makes the deadlock, or the two links are held up for different
   * reasons: the one from above by a paused host there.
   */
  private boolean isExplainedByHosts(List<PausedLink> cycle, Map<String, Integer> heights) {
    Set<String> valleys = new HashSet<>();
    for (PausedLink in : cycle) {
      String at = in.receiver().device();
      for (PausedLink out : cycle) {
        if (out.sender().device().equals(at)
            && !out.receiver().device().equals(in.sender().device())
            && isNotBelow(in.sender(), at, heights)
            && isNotBelow(out.receiver(), at, heights)) {
          valleys.add(at);
        }
      }
    }
    for (PausedLink link : links) {
      if (link.ratio() >= limits.slow() && PauseJudgement.isHost(view, link.receiver().device())) {
        valleys.remove(link.sender().device());
      }
    }
    return valleys.isEmpty();
  }

  private static boolean isNotBelow(PortId port, String at, Map<String, Integer> heights) {
    return heights.getOrDefault(port.device(), 0) >= heights.getOrDefault(at, 0);
  }

  /** Two kinds of counters tell of it: all are paused all of the time, and no packet moves. */
  private List<Finding> deadlock(List<PausedLink> cycle) {
    Set<String> names = new TreeSet<>();
    PausedLink first = cycle.getFirst();
    long stuckNanos = Long.MAX_VALUE;
    for (PausedLink member : cycle) {
      names.add(member.sender().device());
      stuckNanos = Math.min(stuckNanos, member.memory().stuckNanos());
      first = member.memory().sinceNanos() < first.memory().sinceNanos() ? member : first;
    }
    long nowNanos = PortView.nanos(view.at());
    String observed =
        "%d links wait for each other in a cycle, and no packet of priority %d moved for %s; %s"
            .formatted(
                cycle.size(),
                first.priority(),
                Figures.time((nowNanos - stuckNanos) / 1e9),
                trigger(first, names));
    Subject domain = new Subject(SubjectType.PAUSE_DOMAIN, String.join("+", names));
    Evidence cycleOfPause =
        first.evidence(
            view,
            Family.PAUSE,
            first.memory().signal(),
            observed,
            "no cycle",
            PauseJudgement.SURE_NATS);
    Evidence stillness =
        first.evidence(
            view,
            Family.LOSS,
            "port.out_packets",
            "no packet on any of %d links".formatted(cycle.size()),
            "packets, as before",
            STILL_NATS);
    Instant since = PortView.instant(first.memory().sinceNanos());
    return Stream.of(cycleOfPause, stillness)
        .map(
            evidence ->
                new Finding(
                    PauseGraphDetector.ID,
                    domain,
                    Cause.PFC_DEADLOCK,
                    evidence,
                    since,
                    PausedLink.subjects(cycle)))
        .toList();
  }

  /** What was paused first: a host at one of the devices, or else a member. */
  private String trigger(PausedLink first, Set<String> names) {
    PauseMemory host = null;
    for (PauseMemory memory : remembered) {
      if (memory.priority() == first.priority()
          && memory.sinceNanos() != 0
          && memory.sinceNanos() <= first.memory().sinceNanos()
          && isOfHost(memory, names)
          && (host == null || memory.sinceNanos() < host.sinceNanos())) {
        host = memory;
      }
    }
    return host == null
        ? "it began at " + first.sender().id()
        : "it began when the host of %s paused %s of the time"
            .formatted(host.link(), Figures.percent(host.ratio()));
  }

  private boolean isOfHost(PauseMemory memory, Set<String> names) {
    Link link = view.fabric().link(memory.link());
    PortId b = link == null ? null : link.b();
    if (link == null || b == null) {
      return false;
    }
    PortId sender = memory.fromA() ? link.a() : b;
    PortId receiver = memory.fromA() ? b : link.a();
    return names.contains(sender.device()) && PauseJudgement.isHost(view, receiver.device());
  }
}
