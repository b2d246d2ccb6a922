package io.fabrichealth.collective;

import io.fabrichealth.collective.log.JobLog;
import io.fabrichealth.collective.log.NcclRank;
import io.fabrichealth.collective.log.NcclTrouble;
import io.fabrichealth.collective.log.NcclTrouble.Kind;
import io.fabrichealth.finding.Cause;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What NCCL's debug log says of a job's network: ranks whose data goes by TCP or through the host's
 * memory, adapters whose traffic went over to another, ports that went down, transfers that got no
 * answer.
 */
final class NcclAnalysis {
  private static final double TOLD = .97;
  private static final double BY_PEERS = .9;
  private static final double BY_ENDS = .8;
  private static final double OPEN = .6;

  private final Job job;
  private final List<JobLog> logs;
  private final Map<String, String> byAddress = new HashMap<>();
  private final LogFindings findings;

  private NcclAnalysis(Job job, List<JobLog> logs) {
    this.job = job;
    this.logs = logs;
    for (JobLog log : logs) {
      for (NcclRank rank : log.nccl().ranks()) {
        byAddress.put(rank.address(), rank.host());
      }
    }
    findings = new LogFindings(job.name(), Map.of());
  }

  /**
   * @param failed ranks that ended by themselves: transfers to them get no answer, and no link is
   *     to blame
   */
  static List<CollectiveFinding> of(Job job, List<JobLog> logs, Set<Integer> failed) {
    NcclAnalysis analysis = new NcclAnalysis(job, logs);
    analysis.transports();
    analysis.failovers();
    analysis.ports();
    if (failed.isEmpty()) {
      analysis.completions();
    }
    return analysis.findings.all();
  }

  /** Where ranks run, by the logs; for a job without a roster. */
  static List<JobRank> roster(List<JobLog> logs) {
    Map<Integer, JobRank> ranks = new TreeMap<>();
    for (JobLog log : logs) {
      for (NcclRank rank : log.nccl().ranks()) {
        if (rank.rank() >= 0) {
          ranks.putIfAbsent(
              rank.rank(), new JobRank(rank.rank(), rank.host(), rank.gpu(), rank.adapter()));
        }
      }
      log.hosts()
          .forEach((rank, host) -> ranks.putIfAbsent(rank, new JobRank(rank, host, null, null)));
    }
    return List.copyOf(ranks.values());
  }

  /** TCP is a fault where there is RDMA to be had: on the host, or on the hosts of the peers. */
  private void transports() {
    List<Told> ranks = ranks();
    boolean hasRdma =
        job.ranks().stream().anyMatch(rank -> rank.port() != null)
            || ranks.stream()
                .anyMatch(
                    told -> !told.rank.adapters().isEmpty() || told.rank.network().equals("IB"));
    List<Told> sockets = ranks.stream().filter(told -> told.rank.isOverSocket()).toList();
    if (hasRdma && !sockets.isEmpty()) {
      fallback(sockets, ranks.size(), "NET/Socket", "NET/IB", "go by TCP");
    }
    List<Told> staged = ranks.stream().filter(told -> told.rank.isStaged()).toList();
    long direct = ranks.stream().filter(told -> told.rank.direct() > 0).count();
    if (direct > staged.size() && !staged.isEmpty()) {
      fallback(
          staged, ranks.size(), "NET/IB without GDRDMA", "GDRDMA", "go through the host's memory");
    }
  }

  private void fallback(List<Told> ranks, int all, String observed, String expected, String how) {
    List<Integer> numbers =
        ranks.stream().map(told -> told.rank.rank()).filter(rank -> rank >= 0).sorted().toList();
    List<String> where = ranks.stream().map(told -> told.rank.host()).distinct().sorted().toList();
    List<LogFindings.Line> lines = new ArrayList<>();
    for (Told told : ranks) {
      NcclRank rank = told.rank;
      lines.add(
          new LogFindings.Line(
              "nccl.transport",
              "rank %d on %s: %s, %d of %d channels to other hosts"
                  .formatted(
                      rank.rank(),
                      rank.host(),
                      observed,
                      rank.isOverSocket() ? rank.overSocket() : rank.overNetwork(),
                      rank.overNetwork()),
              expected + " as the job's other ranks",
              told.source));
    }
    findings.add(
        Cause.SOCKET_FALLBACK,
        numbers,
        where,
        List.of(),
        ranks.size() < all ? TOLD : BY_PEERS,
        null,
        "The data of %s on %s %s instead of by RDMA%s."
            .formatted(
                lower(LogFindings.name(numbers)),
                String.join(", ", where.subList(0, Math.min(8, where.size()))),
                how.replace("go ", "goes "),
                ranks.size() < all ? "" : ", as all of the job's"),
        lines);
  }

  private static String lower(String name) {
    return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
  }

  private record Told(NcclRank rank, String source) {}

  private List<Told> ranks() {
    List<Told> ranks = new ArrayList<>();
    for (JobLog log : logs) {
      for (NcclRank rank : log.nccl().ranks()) {
        ranks.add(new Told(rank, log.source() + ":" + rank.line()));
      }
    }
    return ranks;
  }

  private record Event(NcclTrouble trouble, String source) {}

  private Map<String, List<Event>> byAdapter(Set<Kind> kinds) {
    Map<String, List<Event>> found = new TreeMap<>();
    for (JobLog log : logs) {
      for (NcclTrouble trouble : log.nccl().troubles()) {
        if (kinds.contains(trouble.kind())) {
          found
              .computeIfAbsent(
                  trouble.host() + ":" + trouble.adapter(), adapter -> new ArrayList<>())
              .add(new Event(trouble, log.source() + ":" + trouble.line()));
        }
      }
    }
    return found;
  }

  /** A rail that failed over and came back is told by its port; one that did not is a fault now. */
  private void failovers() {
    byAdapter(Set.of(Kind.FAILED_OVER, Kind.RECOVERED, Kind.GIVEN_UP))
        .forEach(
            (adapter, events) -> {
              long away = latest(events, Set.of(Kind.FAILED_OVER, Kind.GIVEN_UP));
              if (away >= 0 && away > latest(events, Set.of(Kind.RECOVERED))) {
                boolean isGivenUp =
                    events.stream().anyMatch(event -> event.trouble.kind() == Kind.GIVEN_UP);
                tell(
                    Cause.RAIL_FAILOVER,
                    adapter,
                    events,
                    isGivenUp ? TOLD : BY_PEERS,
                    "The traffic of %s went over to another adapter and has not come back%s."
                        .formatted(adapter, isGivenUp ? "; NCCL gave up trying" : ""));
              }
            });
  }

  /** A port that went down: for good, or again and again. */
  private void ports() {
    byAdapter(Set.of(Kind.PORT_DOWN, Kind.PORT_UP))
        .forEach(
            (adapter, events) -> {
              long down = count(events, Kind.PORT_DOWN);
              long up = count(events, Kind.PORT_UP);
              if (down == 0) {
                return;
              }
              boolean isBack = latest(events, Set.of(Kind.PORT_UP)) > 0 && up > 0;
              tell(
                  isBack ? Cause.LINK_FLAP : Cause.LINK_DOWN,
                  adapter,
                  events,
                  BY_PEERS,
                  isBack
                      ? "The port %s went down and came back while the job ran.".formatted(adapter)
                      : "The port %s went down while the job ran and no word of its return."
                          .formatted(adapter));
            });
  }

  private static long count(List<Event> events, Kind kind) {
    return events.stream()
        .filter(event -> event.trouble.kind() == kind)
        .mapToLong(event -> event.trouble.count())
        .sum();
  }

  private static long latest(List<Event> events, Set<Kind> kinds) {
    return events.stream()
        .filter(event -> kinds.contains(event.trouble.kind()))
        .mapToLong(event -> event.trouble.line())
        .max()
        .orElse(-1);
  }

  private void tell(
      Cause cause, String adapter, List<Event> events, double probability, String summary) {
    findings.add(
        cause,
        ranksOf(events),
        List.of(events.getFirst().trouble.host()),
        List.of(adapter),
        probability,
        since(events),
        summary,
        lines(events));
  }

  private static List<Integer> ranksOf(List<Event> events) {
    return events.stream()
        .map(event -> event.trouble.rank())
        .filter(rank -> rank >= 0)
        .distinct()
        .sorted()
        .toList();
  }

  /**
   * Transfers without an answer. The echo of another error says nothing; of the others, the host
   * that most of them have in common is the one to look at.
   */
  private void completions() {
    List<Event> errors = new ArrayList<>();
    byAdapter(Set.of(Kind.COMPLETION))
        .values()
        .forEach(
            events ->
                events.stream().filter(event -> event.trouble.isPrimary()).forEach(errors::add));
    if (errors.isEmpty()) {
      return;
    }
    Map<String, Integer> ends = new HashMap<>();
    for (Event error : errors) {
      String local = nameOf(error.trouble.host(), error.trouble.adapter());
      ends.merge(local, 1, Integer::sum);
      if (!local.equals(error.trouble.host())) {
        ends.merge(error.trouble.host(), 1, Integer::sum);
      }
      ends.merge(remoteOf(error.trouble), 1, Integer::sum);
    }
    ends.remove("");
    int most = ends.values().stream().max(Comparator.naturalOrder()).orElse(0);
    List<String> common =
        ends.entrySet().stream()
            .filter(end -> end.getValue() == most)
            .map(Map.Entry::getKey)
            .filter(end -> !isCoarser(end, ends, most))
            .sorted()
            .toList();
    boolean isOne = common.size() == 1 && errors.size() > 1;
    findings.add(
        Cause.COLLECTIVE_STALLED,
        List.of(),
        hostsOf(errors),
        common,
        isOne ? BY_ENDS : OPEN,
        since(errors),
        isOne
            ? "%d transfers got no answer, and all or most of them end at %s."
                .formatted(errors.size(), common.getFirst())
            : "Transfers between %s got no answer.".formatted(String.join(" and ", common)),
        lines(errors));
  }

  /** A host of which one adapter has as many. */
  private static boolean isCoarser(String end, Map<String, Integer> ends, int most) {
    return ends.entrySet().stream()
        .anyMatch(other -> other.getValue() == most && other.getKey().startsWith(end + ":"));
  }

  private static String nameOf(String host, String adapter) {
    return adapter.isEmpty() ? host : host + ":" + adapter;
  }

  /** The other end by its RoCE address, which names the port, or by what NCCL calls it. */
  private String remoteOf(NcclTrouble trouble) {
    String known = byAddress.get(trouble.peer());
    if (known != null) {
      return known;
    }
    return trouble.remoteGid().isEmpty() ? trouble.peer() : trouble.remoteGid();
  }

  private static List<String> hostsOf(List<Event> events) {
    Set<String> names = new TreeSet<>();
    events.forEach(event -> names.add(event.trouble.host()));
    return List.copyOf(names);
  }

  private static @Nullable Instant since(List<Event> events) {
    return events.stream()
        .map(event -> event.trouble.time())
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  private static List<LogFindings.Line> lines(List<Event> events) {
    return events.stream()
        .map(
            event ->
                new LogFindings.Line(
                    "nccl." + event.trouble.kind().name().toLowerCase(Locale.ROOT),
                    "%s%s (%d times)"
                        .formatted(
                            event.trouble.rank() < 0 ? "" : "rank " + event.trouble.rank() + ": ",
                            event.trouble.text(),
                            event.trouble.count()),
                    "none",
                    event.source))
        .toList();
  }
}
