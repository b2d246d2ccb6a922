package io.fabrichealth.collective;

import io.fabrichealth.collective.log.JobLog;
import io.fabrichealth.collective.log.RasStatus;
import io.fabrichealth.collective.log.RasStatus.Communicator;
import io.fabrichealth.collective.log.RasStatus.Member;
import io.fabrichealth.finding.Cause;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What answers of NCCL's RAS say. That counts of operations differ is normal while a job runs; that
 * they differ and none has moved from one answer to the next is not. RAS calls the few that differ
 * outliers, be they ahead or behind; here those behind are named, be they few or many.
 */
final class RasAnalysis {
  private static final double DEAD = .95;
  private static final double SILENT_TWICE = .85;
  private static final double SILENT_ONCE = .6;
  private static final double BEHIND = .9;

  private final List<RasStatus> answers;
  private final Map<String, Integer> ranks = new HashMap<>();
  private final Map<Integer, String> hosts = new TreeMap<>();
  private final LogFindings findings;

  private RasAnalysis(Job job, List<RasStatus> answers) {
    this.answers = answers;
    int largest = 0;
    for (RasStatus answer : answers) {
      for (Communicator communicator : answer.communicators()) {
        if (communicator.size() > largest) {
          largest = communicator.size();
          ranks.clear();
        }
        if (communicator.size() == largest) {
          members(communicator).forEach(member -> ranks.put(member.place(), member.rank()));
        }
        members(communicator).forEach(member -> hosts.put(rank(member), member.host()));
      }
    }
    findings = new LogFindings(job.name(), hosts);
  }

  static List<CollectiveFinding> of(Job job, List<JobLog> logs) {
    List<RasStatus> answers =
        logs.stream()
            .flatMap(log -> log.ras().stream())
            .sorted(Comparator.comparing(RasStatus::source))
            .toList();
    if (answers.isEmpty()) {
      return List.of();
    }
    RasAnalysis analysis = new RasAnalysis(job, answers);
    Set<Integer> gone = analysis.gone();
    analysis.behind(gone);
    return analysis.findings.all();
  }

  /** A rank that cannot be is not believed: RAS has printed garbage before. */
  private List<Member> members(Communicator communicator) {
    List<Member> members = new ArrayList<>(communicator.ranks());
    members.addAll(communicator.missing());
    members.removeIf(member -> member.rank() < 0 || member.rank() >= communicator.size());
    return members;
  }

  private int rank(Member member) {
    return ranks.getOrDefault(member.place(), member.rank());
  }

  private Set<Integer> gone() {
    Set<Integer> dead = new TreeSet<>();
    Map<Integer, Integer> silent = new TreeMap<>();
    for (RasStatus answer : answers) {
      Set<Integer> here = new TreeSet<>();
      for (Communicator communicator : answer.communicators()) {
        for (Member member : members(communicator)) {
          if (member.isDead()) {
            dead.add(rank(member));
          } else if (member.isUnresponsive()) {
            here.add(rank(member));
          }
        }
      }
      here.forEach(rank -> silent.merge(rank, 1, Integer::sum));
    }
    silent.keySet().removeAll(dead);
    if (!dead.isEmpty()) {
      tell(Cause.RANK_FAILED, dead, DEAD, "%s ended: RAS considers it dead.", "considered_dead");
    }
    boolean isOnce = answers.size() == 1 || silent.values().stream().allMatch(count -> count < 2);
    if (!silent.isEmpty()) {
      tell(
          Cause.HUNG_RANK,
          silent.keySet(),
          isOnce ? SILENT_ONCE : SILENT_TWICE,
          "%s did not answer RAS.",
          "unresponsive");
    }
    Set<Integer> gone = new TreeSet<>(dead);
    gone.addAll(silent.keySet());
    return gone;
  }

  private void tell(Cause cause, Set<Integer> who, double probability, String form, String signal) {
    findings.add(
        cause,
        List.copyOf(who),
        probability,
        null,
        form.formatted(LogFindings.name(who)),
        List.of(
            new LogFindings.Line(
                "nccl.ras." + signal,
                LogFindings.name(who).toLowerCase(Locale.ROOT),
                "answers",
                answers.getLast().source())));
  }

  /** Of two answers in a row the communicators in which nothing moved and some are behind. */
  private void behind(Set<Integer> gone) {
    if (answers.size() < 2 || !gone.isEmpty()) {
      return;
    }
    RasStatus last = answers.getLast();
    Map<String, Communicator> before = new HashMap<>();
    answers
        .get(answers.size() - 2)
        .communicators()
        .forEach(communicator -> before.put(communicator.hash(), communicator));
    WaitGraph.Builder waits = new WaitGraph.Builder();
    for (Communicator now : last.communicators()) {
      Communicator then = before.get(now.hash());
      if (then != null && isStill(then, now)) {
        wait(now, waits);
      }
    }
    Set<Integer> roots = waits.build().roots();
    if (!roots.isEmpty()) {
      findings.add(
          Cause.HUNG_RANK,
          List.copyOf(roots),
          BEHIND,
          null,
          "%s issued fewer operations than the others, and none has moved between two answers."
              .formatted(LogFindings.name(roots)),
          lines(last));
    }
  }

  private void wait(Communicator communicator, WaitGraph.Builder waits) {
    long most = communicator.ranks().stream().mapToLong(Member::operations).max().orElse(0);
    List<Integer> late = new ArrayList<>();
    for (Member member : members(communicator)) {
      if (member.operations() < most) {
        late.add(rank(member));
      }
    }
    late.sort(Comparator.naturalOrder());
    WaitGraph.Wait wait = new WaitGraph.Wait(communicator.hash(), most, "operation", late);
    for (Member member : members(communicator)) {
      if (member.operations() == most) {
        waits.add(rank(member), wait);
      }
    }
  }

  private static boolean isStill(Communicator then, Communicator now) {
    Map<Integer, Member> before = new HashMap<>();
    then.ranks().forEach(member -> before.put(member.rank(), member));
    for (Member member : now.ranks()) {
      Member known = before.get(member.rank());
      if (known == null || !known.counts().equals(member.counts())) {
        return false;
      }
    }
    return !now.ranks().isEmpty();
  }

  private List<LogFindings.Line> lines(RasStatus last) {
    List<LogFindings.Line> lines = new ArrayList<>();
    for (Communicator communicator : last.communicators()) {
      long most = communicator.ranks().stream().mapToLong(Member::operations).max().orElse(0);
      for (Member member : communicator.ranks()) {
        if (member.operations() < most) {
          lines.add(
              new LogFindings.Line(
                  "nccl.ras.collective_counts",
                  "rank %d issued %d operations in communicator %s"
                      .formatted(rank(member), member.operations(), communicator.hash()),
                  "%d as the others".formatted(most),
                  last.source()));
        }
      }
    }
    return lines;
  }
}
