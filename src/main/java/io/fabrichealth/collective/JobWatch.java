package io.fabrichealth.collective;

import io.fabrichealth.topology.Fabric;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows the collectives of a running job and says who is late, which link is slow, and what is
 * nobody's fault. Bounded; belongs to one thread.
 */
public final class JobWatch {
  /** Series of more groups and kinds are not followed. */
  private static final int MOST_SERIES = 100_000;

  /** What did not come for so long says nothing any more. */
  private static final Duration FRESH = Duration.ofMinutes(10);

  private static final Duration LOOK = Duration.ofSeconds(10);
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final Map<Series.Key, Series> series = new LinkedHashMap<>();
  private final Map<RhythmKey, Rhythm> rhythms = new HashMap<>();
  private final Stalls stalls = new Stalls();
  private final Transports transports = new Transports();
  private final Scaling scaling = new Scaling();
  private Job job;
  private Instant since;
  private Instant nextLook = Instant.MIN;
  private boolean isEnded;

  /** Sender and receiver are -1 but of sends, whose numbers each pair has of its own. */
  private record RhythmKey(String group, int sender, int receiver) {}

  public JobWatch(String name, Instant at) {
    job = new Job(name, List.of(), List.of());
    since = at;
  }

  /** The job as it is now. */
  public Job job() {
    return job;
  }

  public boolean isEnded() {
    return isEnded;
  }

  /** Takes a roster; another one than before begins the job anew. */
  public void take(Instant at, Job roster, boolean ended) {
    if (!roster.equals(job) || (ended && !isEnded)) {
      scaling.remember(new JobView(job, since, at, Fabric.EMPTY, List.copyOf(series.values())));
      forget();
      since = at;
    }
    job = roster;
    isEnded = ended;
    nextLook = Instant.MIN;
  }

  private void forget() {
    series.clear();
    rhythms.clear();
    stalls.clear();
    transports.clear();
  }

  /** Takes a collective in. */
  public void take(Instant at, Collective of) {
    stalls.add(of);
    transports.add(of);
    if (of.isTimedOut()) {
      // What other ranks waited for may be told a moment later, and clear a rank that is missing.
      Instant soon = stalls.isDecided(job) ? Instant.MIN : at.plus(GRACE);
      nextLook = soon.isBefore(nextLook) ? soon : nextLook;
      return;
    }
    if (!isTimed(of)) {
      return;
    }
    Series.Key key =
        new Series.Key(
            of.group(),
            of.operation(),
            of.bytes(),
            of.size(),
            of.isPointToPoint() ? of.rank(0) : -1,
            of.isPointToPoint() ? of.peer() : -1);
    Series known = series.get(key);
    if (known == null && series.size() < MOST_SERIES) {
      known =
          new Series(
              key,
              kind(of),
              ranks(of),
              rhythms.computeIfAbsent(
                  new RhythmKey(key.group(), key.sender(), key.receiver()), fresh -> new Rhythm()));
      series.put(key, known);
    }
    if (known != null) {
      known.add(at, of);
    }
  }

  /** A receive waits for its sender, so that only sends tell of the network. */
  private static boolean isTimed(Collective of) {
    if (of.operation().equals("recv") || of.size() < (of.isPointToPoint() ? 1 : 2)) {
      return false;
    }
    for (int row = 0; row < of.size(); row++) {
      if (!(of.duration(row) > 0)) {
        return false;
      }
    }
    return true;
  }

  private static Series.Kind kind(Collective of) {
    return new Series.Kind(
        of.operation(), orEmpty(of.algorithm()), orEmpty(of.protocol()), of.bytes(), of.size());
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  private static int[] ranks(Collective of) {
    int[] ranks = new int[of.size()];
    for (int row = 0; row < ranks.length; row++) {
      ranks[row] = of.rank(row);
    }
    if (of.isPointToPoint() && of.peer() >= 0) {
      ranks = Arrays.copyOf(ranks, ranks.length + 1);
      ranks[ranks.length - 1] = of.peer();
    }
    return ranks;
  }

  /** Whether it is time to look again. */
  public boolean isDue(Instant at) {
    return !at.isBefore(nextLook);
  }

  /** What is to be said of the job now. */
  public List<JobFinding> look(Instant at, Fabric fabric) {
    nextLook = at.plus(LOOK);
    Instant oldest = at.minus(FRESH);
    List<Series> fresh =
        series.values().stream().filter(one -> !one.lastAt().isBefore(oldest)).toList();
    JobView view = new JobView(job, since, at, fabric, fresh);
    List<JobFinding> findings = new ArrayList<>(stalls.find(view));
    findings.addAll(transports.find(view));
    Set<Integer> explained = new HashSet<>(transports.socketRanks());
    SlowLinks links = new SlowLinks(view, Set.copyOf(explained));
    findings.addAll(links.find());
    explained.addAll(links.ranks());
    findings.addAll(new LateRanks(view, explained).find());
    findings.addAll(scaling.find(view));
    return findings;
  }
}
