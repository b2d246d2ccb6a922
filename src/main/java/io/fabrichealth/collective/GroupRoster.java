package io.fabrichealth.collective;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which groups a job has, and who is in them. Most dumps list the members; gloo's do not, and there
 * the members are those who have an entry of the group, and those whom the regularity of the other
 * groups of the kind puts into it.
 */
final class GroupRoster {
  /** Ranks without any trace are put between others up to here. */
  private static final int LARGEST_WORLD = 1 << 17;

  private record Identity(String name, List<Integer> ranks) {}

  private record Nameless(String name, String description) {}

  private final List<MatchedGroup> groups = new ArrayList<>();
  private final Map<Integer, int[]> groupIds = new TreeMap<>();

  private GroupRoster() {}

  List<MatchedGroup> groups() {
    return groups;
  }

  /** By rank: the matched group of each of the recorder's groups, or -1. */
  Map<Integer, int[]> groupIds() {
    return groupIds;
  }

  /** Every rank that is named anywhere; between them there are no gaps. */
  static NavigableSet<Integer> ranks(
      Job job, Collection<FlightRecorder> recorders, Collection<Integer> unread) {
    NavigableSet<Integer> ranks = new TreeSet<>(unread);
    job.ranks().forEach(rank -> ranks.add(rank.rank()));
    job.groups().forEach(group -> ranks.addAll(group.ranks()));
    for (FlightRecorder recorder : recorders) {
      ranks.add(recorder.rank());
      recorder.groups().forEach(group -> ranks.addAll(group.ranks()));
    }
    if (job.ranks().isEmpty() && !ranks.isEmpty() && ranks.last() < LARGEST_WORLD) {
      for (int rank = 0; rank < ranks.last(); rank++) {
        ranks.add(rank);
      }
    }
    return ranks;
  }

  static GroupRoster of(
      Job job, Collection<FlightRecorder> recorders, NavigableSet<Integer> ranks) {
    GroupRoster roster = new GroupRoster();
    roster.gather(job, recorders, ranks);
    return roster;
  }

  private void gather(Job job, Collection<FlightRecorder> recorders, NavigableSet<Integer> ranks) {
    Map<Identity, String> known = new LinkedHashMap<>();
    for (ProcessGroup group : job.groups()) {
      known.putIfAbsent(new Identity(group.name(), group.ranks()), group.description());
    }
    Map<Nameless, NavigableSet<Integer>> gathered = new LinkedHashMap<>();
    Map<String, List<Identity>> byName = new HashMap<>();
    for (FlightRecorder recorder : recorders) {
      for (ProcessGroup group : recorder.groups()) {
        if (isTold(group, recorder.rank())) {
          known.putIfAbsent(new Identity(group.name(), group.ranks()), group.description());
        }
      }
    }
    for (Identity identity : known.keySet()) {
      byName.computeIfAbsent(identity.name(), key -> new ArrayList<>()).add(identity);
    }
    for (FlightRecorder recorder : recorders) {
      boolean[] used = used(recorder);
      for (int at = 0; at < used.length; at++) {
        ProcessGroup group = recorder.groups().get(at);
        if (used[at] && find(group, recorder.rank(), byName) == null) {
          gathered
              .computeIfAbsent(
                  new Nameless(group.name(), group.description()), key -> new TreeSet<>())
              .add(recorder.rank());
        }
      }
    }
    complete(gathered, ranks);
    Map<Identity, MatchedGroup> matched = new HashMap<>();
    known.forEach(
        (identity, description) ->
            matched.put(identity, add(identity.name(), description, identity.ranks())));
    Map<Nameless, MatchedGroup> inferred = new HashMap<>();
    gathered.forEach(
        (nameless, members) ->
            inferred.put(nameless, add(nameless.name(), nameless.description(), members)));
    for (FlightRecorder recorder : recorders) {
      int[] ids = new int[recorder.groups().size()];
      for (int at = 0; at < ids.length; at++) {
        ProcessGroup group = recorder.groups().get(at);
        Identity identity = find(group, recorder.rank(), byName);
        MatchedGroup found =
            identity == null
                ? inferred.get(new Nameless(group.name(), group.description()))
                : matched.get(identity);
        ids[at] = found == null || !found.holds(recorder.rank()) ? -1 : found.id();
      }
      groupIds.put(recorder.rank(), ids);
    }
  }

  private MatchedGroup add(String name, String description, Collection<Integer> members) {
    int[] sorted = members.stream().mapToInt(Integer::intValue).sorted().distinct().toArray();
    MatchedGroup group = new MatchedGroup(groups.size(), name, description, sorted);
    groups.add(group);
    return group;
  }

  private static boolean isTold(ProcessGroup group, int rank) {
    return !group.name().isEmpty() && group.ranks().contains(rank);
  }

  /** The known group that a rank means; null where it names one of unknown members. */
  private static @Nullable Identity find(
      ProcessGroup group, int rank, Map<String, List<Identity>> byName) {
    List<Identity> candidates = byName.getOrDefault(group.name(), List.of());
    if (isTold(group, rank)) {
      return new Identity(group.name(), group.ranks());
    }
    List<Identity> fitting =
        candidates.stream().filter(identity -> identity.ranks().contains(rank)).toList();
    return fitting.size() == 1 ? fitting.getFirst() : null;
  }

  private static boolean[] used(FlightRecorder recorder) {
    boolean[] used = new boolean[recorder.groups().size()];
    for (int entry = 0; entry < recorder.size(); entry++) {
      used[recorder.groupIndex(entry)] = true;
    }
    return used;
  }

  /** Adds the members that have no entry. */
  private static void complete(
      Map<Nameless, NavigableSet<Integer>> gathered, NavigableSet<Integer> ranks) {
    Map<String, List<NavigableSet<Integer>>> kinds = new LinkedHashMap<>();
    gathered.forEach(
        (nameless, members) -> {
          if (nameless.description().equals("default_pg")
              || (nameless.name().equals("0") && nameless.description().isEmpty())) {
            members.addAll(ranks);
          } else {
            kinds.computeIfAbsent(nameless.description(), key -> new ArrayList<>()).add(members);
          }
        });
    kinds.values().forEach(kind -> complete(kind, ranks));
  }

  private static void complete(List<NavigableSet<Integer>> kind, NavigableSet<Integer> ranks) {
    int size = kind.stream().mapToInt(NavigableSet::size).max().orElse(0);
    NavigableSet<Integer> free = new TreeSet<>(ranks);
    kind.forEach(free::removeAll);
    List<NavigableSet<Integer>> incomplete =
        kind.stream().filter(members -> members.size() < size).toList();
    if (free.isEmpty() || incomplete.isEmpty()) {
      return;
    }
    int[] pattern =
        kind.stream()
            .filter(members -> members.size() == size)
            .findFirst()
            .map(GroupRoster::steps)
            .orElse(new int[0]);
    for (NavigableSet<Integer> members : incomplete) {
      NavigableSet<Integer> fitting = new TreeSet<>();
      for (int first : ranks) {
        NavigableSet<Integer> whole = new TreeSet<>();
        for (int step : pattern) {
          whole.add(first + step);
        }
        if (whole.containsAll(members)) {
          whole.removeAll(members);
          if (free.containsAll(whole)) {
            fitting.addAll(whole);
          }
        }
      }
      members.addAll(fitting);
      free.removeAll(fitting);
    }
  }

  private static int[] steps(NavigableSet<Integer> members) {
    int first = members.first();
    return Arrays.stream(members.stream().mapToInt(Integer::intValue).toArray())
        .map(rank -> rank - first)
        .toArray();
  }
}
