package io.fabrichealth.collective;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Collectives in which ranks waited until the time-out. Who did not come to one, and waits in none,
 * is what all wait for; where all came, the group stalled in flight and no rank is to blame.
 */
final class Stalls {
  private static final double NATS = 14;

  private final Map<String, Collective> byGroup = new TreeMap<>();

  /** Takes any collective of the job: one that went well ends what stalled in its group. */
  void add(Collective of) {
    Collective before = byGroup.get(of.group());
    if (of.isTimedOut()) {
      if (before == null || before.sequence() >= of.sequence()) {
        byGroup.put(of.group(), of);
      }
    } else if (before != null && of.sequence() > before.sequence()) {
      byGroup.remove(of.group());
    }
  }

  void clear() {
    byGroup.clear();
  }

  /** Whether one rank alone can be what all wait for. */
  boolean isDecided(Job job) {
    return new Waiting(job).missing.size() == 1;
  }

  List<JobFinding> find(JobView view) {
    Waiting waits = new Waiting(view.job());
    List<JobFinding> findings = new ArrayList<>();
    waits.missing.forEach((rank, of) -> findings.add(hung(view, rank, of, waits.waiting)));
    waits.complete.forEach(of -> findings.add(stalled(view, of)));
    return findings;
  }

  /** Who waits, and who is missing and waits nowhere. */
  private final class Waiting {
    private final Set<Integer> waiting = new TreeSet<>();
    private final Map<Integer, Collective> missing = new TreeMap<>();
    private final List<Collective> complete = new ArrayList<>();

    Waiting(Job job) {
      Map<String, List<Integer>> groups = new HashMap<>();
      job.groups().forEach(group -> groups.put(group.name(), group.ranks()));
      for (Collective of : byGroup.values()) {
        Set<Integer> absent = new TreeSet<>(groups.getOrDefault(of.group(), List.of()));
        for (int row = 0; row < of.size(); row++) {
          waiting.add(of.rank(row));
          absent.remove(of.rank(row));
        }
        absent.forEach(rank -> missing.putIfAbsent(rank, of));
        if (absent.isEmpty() && of.size() > 1) {
          complete.add(of);
        }
      }
      missing.keySet().removeAll(waiting);
    }
  }

  private static JobFinding hung(JobView view, int rank, Collective of, Set<Integer> waiting) {
    List<Subject> victims = waiting.stream().map(view::rank).toList();
    return new JobFinding(
        view.finding(
            view.rank(rank),
            Cause.HUNG_RANK,
            Family.EVENT,
            Reference.COLLECTIVE,
            NATS,
            JobView.say(
                "never came to %s %d of %s, for which %d ranks waited until the time-out",
                of.operation(), of.sequence(), of.group(), waiting.size()),
            "to come, or to wait elsewhere",
            victims),
        null);
  }

  private static JobFinding stalled(JobView view, Collective of) {
    return new JobFinding(
        view.finding(
            view.ofJob(),
            Cause.COLLECTIVE_STALLED,
            Family.EVENT,
            Reference.COLLECTIVE,
            NATS,
            JobView.say(
                "%s %d of %s: all %d ranks came, none completed it before the time-out",
                of.operation(), of.sequence(), of.group(), of.size()),
            "to complete",
            List.of()),
        null);
  }
}
