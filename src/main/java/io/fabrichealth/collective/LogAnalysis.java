package io.fabrichealth.collective;

import io.fabrichealth.collective.log.BarrierReport;
import io.fabrichealth.collective.log.GroupReport;
import io.fabrichealth.collective.log.JobLog;
import io.fabrichealth.collective.log.NcclRank;
import io.fabrichealth.collective.log.ProcessExit;
import io.fabrichealth.collective.log.RankError;
import io.fabrichealth.finding.Cause;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a job's logs say went wrong, and who did it. In this order, for what comes first explains
 * what follows: ranks that call different operations, a rank that ended by itself, ranks that
 * others wait for, a group that all entered and none left.
 */
final class LogAnalysis {
  private static final double SURE = .97;
  private static final double BY_NUMBERS = .95;
  private static final double BY_SILENCE = .9;
  private static final double KILLED = .85;
  private static final double UNEXPLAINED = .7;
  private static final double GUESSED = .6;

  /** What a log claims beyond it is not believed. */
  private static final int LARGEST_WORLD = 1 << 17;

  private final Job job;
  private final List<JobLog> logs;
  private final NavigableSet<Integer> world = new TreeSet<>();
  private final LogFindings findings;
  private final Set<Integer> culprits = new TreeSet<>();
  private final Set<Integer> victims = new TreeSet<>();

  private LogAnalysis(Job job, List<JobLog> logs) {
    this.job = job;
    this.logs = logs;
    Map<Integer, String> hosts = new HashMap<>();
    int size = 0;
    for (JobLog log : logs) {
      world.addAll(log.ranks());
      hosts.putAll(log.hosts());
      for (NcclRank rank : log.nccl().ranks()) {
        hosts.put(rank.rank(), rank.host());
      }
      size = Math.max(size, log.worldSize());
    }
    if (size > 0) {
      world.add(Math.min(size, LARGEST_WORLD) - 1);
    }
    job.ranks().forEach(rank -> world.add(rank.rank()));
    hosts.putAll(job.hosts());
    job.groups().forEach(group -> world.addAll(group.ranks()));
    int last = world.isEmpty() ? 0 : Math.min(LARGEST_WORLD, world.last());
    for (int rank = 0; rank < last; rank++) {
      world.add(rank);
    }
    findings = new LogFindings(job.name(), hosts);
  }

  /**
   * @param job groups and ranks as far as known, from a roster or the job's recorders
   */
  static JobAnalysis of(Job job, List<JobLog> logs) {
    if (logs.stream().allMatch(JobLog::isSilent)) {
      return new JobAnalysis(List.of(), List.of(), List.of());
    }
    return new LogAnalysis(job, logs).analyse();
  }

  private JobAnalysis analyse() {
    victims();
    if (!mismatches()) {
      Set<Integer> failed = failed();
      if (failed.isEmpty()) {
        hung();
      }
      if (findings.isEmpty()) {
        unexplained();
      }
    }
    victims.removeAll(culprits);
    List<CollectiveFinding> all = new ArrayList<>(findings.all());
    all.addAll(NcclAnalysis.of(job, logs, culprits));
    all.addAll(PairwiseAnalysis.of(job, logs));
    all.addAll(RepeatedTests.of(job, logs));
    if (findings.isEmpty()) {
      all.addAll(RasAnalysis.of(job, logs));
    }
    return new JobAnalysis(all, List.copyOf(victims), List.of());
  }

  private void victims() {
    for (JobLog log : logs) {
      log.errors().stream().filter(RankError::isVictim).forEach(error -> victims.add(error.rank()));
      log.groups().stream()
          .filter(GroupReport::isTimeout)
          .forEach(report -> victims.add(report.rank()));
      log.exits().stream().filter(ProcessExit::wasEnded).forEach(exit -> victims.add(exit.rank()));
      log.barriers().forEach(barrier -> victims.add(barrier.reporter()));
    }
    victims.remove(-1);
  }

  private boolean mismatches() {
    for (JobLog log : logs) {
      for (LogMismatch mismatch : LogMismatch.of(log)) {
        culprits.addAll(mismatch.ranks());
        String who =
            mismatch.ranks().isEmpty() ? "Half of the ranks" : LogFindings.name(mismatch.ranks());
        findings.add(
            Cause.COLLECTIVE_MISMATCH,
            mismatch.ranks(),
            mismatch.ranks().isEmpty() ? UNEXPLAINED : SURE,
            null,
            "%s called %s where the others of the group called %s."
                .formatted(who, mismatch.minority(), mismatch.majority()),
            List.of(
                new LogFindings.Line(
                    "fingerprint",
                    mismatch.minority(),
                    mismatch.majority() + " as most of " + mismatch.members(),
                    log.source() + ":" + mismatch.line())));
      }
    }
    return !findings.isEmpty();
  }

  /**
   * Ranks that ended by themselves. One that had waited before is a victim, whatever it died of.
   */
  private Set<Integer> failed() {
    Map<Integer, RankError> errors = new TreeMap<>();
    Map<Integer, ProcessExit> exits = new TreeMap<>();
    Map<Integer, String> sources = new HashMap<>();
    Set<Integer> timedOut = new TreeSet<>();
    for (JobLog log : logs) {
      log.errors().stream()
          .filter(error -> error.rank() >= 0)
          .forEach(
              error -> {
                errors.putIfAbsent(error.rank(), error);
                sources.putIfAbsent(error.rank(), log.source() + ":" + error.line());
              });
      for (ProcessExit exit : log.exits()) {
        exits.put(exit.rank(), exit);
        sources.putIfAbsent(exit.rank(), log.source() + ":" + exit.line());
      }
      log.groups().stream()
          .filter(GroupReport::isTimeout)
          .forEach(report -> timedOut.add(report.rank()));
    }
    Set<Integer> all = new TreeSet<>(errors.keySet());
    all.addAll(exits.keySet());
    all.removeAll(timedOut);
    Set<Integer> failed = new TreeSet<>();
    for (int rank : all) {
      RankError error = errors.get(rank);
      ProcessExit exit = exits.get(rank);
      if (error == null ? exit != null && ended(exit) : !error.isVictim()) {
        failed.add(rank);
        tell(rank, error, exit, sources.getOrDefault(rank, ""));
      }
    }
    culprits.addAll(failed);
    return failed;
  }

  private static boolean ended(ProcessExit exit) {
    return exit.hasCrashed() || (!exit.error().isEmpty() && !exit.hasVictimsError());
  }

  private void tell(
      int rank, @Nullable RankError error, @Nullable ProcessExit exit, String source) {
    String how =
        error != null
            ? error.text()
            : exit == null ? "" : exit.error().isEmpty() ? exit.how() : exit.error();
    boolean isKilled = exit != null && exit.exitCode() == -9;
    List<LogFindings.Line> lines = new ArrayList<>();
    lines.add(new LogFindings.Line("end", how, "runs as its peers do", source));
    if (error != null && exit != null) {
      lines.add(new LogFindings.Line("exitcode", exit.how(), "0", source));
    }
    Instant since =
        error != null && error.time() != null ? error.time() : exit == null ? null : exit.time();
    findings.add(
        Cause.RANK_FAILED,
        List.of(rank),
        isKilled ? KILLED : BY_NUMBERS,
        since,
        "Rank %d ended by itself: %s%s"
            .formatted(
                rank,
                how,
                isKilled ? " (often the host's memory was full: look in its kernel log)." : "."),
        lines);
  }

  private void hung() {
    Set<Integer> absent = new TreeSet<>();
    for (JobLog log : logs) {
      for (BarrierReport barrier : log.barriers()) {
        absent.addAll(barrier.absent());
      }
    }
    LogWaits waits = new LogWaits(world, groups(), logs);
    absent.removeAll(waits.waiting());
    if (!absent.isEmpty()) {
      barrier(absent);
      return;
    }
    if (!waits.isAnybodyWaiting()) {
      return;
    }
    Set<Integer> roots = waits.roots();
    Set<Integer> circle = waits.circle();
    if (!roots.isEmpty()) {
      roots(waits, roots);
    } else if (!circle.isEmpty()) {
      findings.add(
          Cause.COLLECTIVE_DEADLOCK,
          List.copyOf(circle),
          UNEXPLAINED,
          since(waits.reports()),
          "%s wait for each other in different groups.".formatted(LogFindings.name(circle)),
          timeouts(waits.reports()));
      culprits.addAll(circle);
    } else {
      findings.add(
          Cause.COLLECTIVE_STALLED,
          List.of(),
          waits.isGuess() ? GUESSED : BY_SILENCE,
          since(waits.reports()),
          "All of the group entered the collective and none left it: the data stands still.",
          timeouts(waits.reports()));
    }
  }

  private void barrier(Set<Integer> absent) {
    culprits.addAll(absent);
    List<LogFindings.Line> lines = new ArrayList<>();
    for (JobLog log : logs) {
      for (BarrierReport told : log.barriers()) {
        lines.add(
            new LogFindings.Line(
                "monitored-barrier",
                "rank %d waited for %s".formatted(told.reporter(), told.absent()),
                "all come within %d ms".formatted(told.waitedMillis()),
                log.source() + ":" + told.line()));
      }
    }
    findings.add(
        Cause.HUNG_RANK,
        List.copyOf(absent),
        SURE,
        null,
        "%s did not come to the monitored barrier.".formatted(LogFindings.name(absent)),
        lines);
  }

  private void roots(LogWaits waits, Set<Integer> roots) {
    boolean isByNumbers = roots.stream().allMatch(waits::isBehind);
    boolean isGuess = waits.isGuess() && !isByNumbers;
    // that most of a job stands still for as many others is no explanation
    boolean isMost = roots.size() > 1 && roots.size() > waits.waiting().size();
    List<LogFindings.Line> lines = timeouts(waits.reports());
    if (lines.isEmpty()) {
      lines = gaveUp();
    }
    if (isMost && !isByNumbers) {
      findings.add(
          Cause.COLLECTIVE_STALLED,
          List.of(),
          GUESSED,
          since(waits.reports()),
          "%s waited in vain; of %d other ranks the logs tell nothing."
              .formatted(LogFindings.name(waits.waiting()), roots.size()),
          lines);
      return;
    }
    culprits.addAll(roots);
    findings.add(
        Cause.HUNG_RANK,
        List.copyOf(roots),
        isByNumbers ? BY_NUMBERS : isGuess ? GUESSED : BY_SILENCE,
        since(waits.reports()),
        "%s never came to the collective that %d others waited for."
            .formatted(LogFindings.name(roots), waits.waiting().size()),
        lines);
  }

  private List<LogFindings.Line> timeouts(List<GroupReport> reports) {
    List<LogFindings.Line> lines = new ArrayList<>();
    String source = logs.stream().map(JobLog::source).collect(Collectors.joining(", "));
    for (GroupReport report : reports) {
      lines.add(LogFindings.line(report, source));
    }
    return lines;
  }

  private List<LogFindings.Line> gaveUp() {
    List<LogFindings.Line> lines = new ArrayList<>();
    for (JobLog log : logs) {
      for (RankError error : log.errors()) {
        if (error.rank() >= 0 && error.isVictim()) {
          lines.add(
              new LogFindings.Line(
                  "error",
                  "rank %d: %s".formatted(error.rank(), error.text()),
                  "completes",
                  log.source() + ":" + error.line()));
        }
      }
    }
    return lines;
  }

  /** A process ended and said nothing of why. */
  private void unexplained() {
    Set<Integer> suffered = new TreeSet<>();
    List<ProcessExit> exits = new ArrayList<>();
    for (JobLog log : logs) {
      log.errors().stream()
          .filter(RankError::isVictim)
          .forEach(error -> suffered.add(error.rank()));
      exits.addAll(log.exits());
    }
    for (ProcessExit exit : exits) {
      if (exit.isFirst()
          && !exit.wasEnded()
          && exit.exitCode() != 0
          && !suffered.contains(exit.rank())
          && !exit.hasVictimsError()) {
        culprits.add(exit.rank());
        findings.add(
            Cause.RANK_FAILED,
            List.of(exit.rank()),
            UNEXPLAINED,
            exit.time(),
            "Rank %d was the first to end (%s) and left no word of why."
                .formatted(exit.rank(), exit.how()),
            List.of(new LogFindings.Line("exitcode", exit.how(), "0", "line " + exit.line())));
      }
    }
  }

  private Map<String, Set<Integer>> groups() {
    Map<String, Set<Integer>> members = new HashMap<>();
    Map<String, Integer> uses = new HashMap<>();
    for (ProcessGroup group : job.groups()) {
      members.put(group.name(), new TreeSet<>(group.ranks()));
      uses.merge(group.description(), 1, Integer::sum);
    }
    for (ProcessGroup group : job.groups()) {
      if (uses.getOrDefault(group.description(), 0) == 1) {
        members.putIfAbsent(group.description(), new TreeSet<>(group.ranks()));
      }
    }
    return members;
  }

  private static @Nullable Instant since(Collection<GroupReport> reports) {
    Instant first = null;
    for (GroupReport report : reports) {
      if (report.time() != null && report.waitedMillis() >= 0) {
        Instant began = report.time().minusMillis(report.waitedMillis());
        first = first == null || began.isBefore(first) ? began : first;
      }
    }
    return first;
  }
}
