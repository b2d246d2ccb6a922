package io.fabrichealth.collective;

import io.fabrichealth.collective.log.Fingerprint;
import io.fabrichealth.collective.log.JobLog;
import io.fabrichealth.collective.log.JobLog.Accusation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Operations that do not fit each other, as ranks reported them. Each rank accuses another, so that
 * those who accuse each other are of one group, and the fewer are wrong.
 *
 * @param ranks the minority, by global number where known, ascending; empty in a draw
 * @param minority what they call
 * @param majority what the others call
 */
record LogMismatch(List<Integer> ranks, String minority, String majority, int members, long line) {

  static List<LogMismatch> of(JobLog log) {
    Map<Integer, Integer> groupOf = new HashMap<>();
    Map<Integer, Integer> global = new HashMap<>();
    for (Accusation told : log.accusations()) {
      groupOf.put(top(groupOf, told.accuser()), top(groupOf, told.accused()));
      if (told.accuserRank() >= 0) {
        global.merge(told.accuser(), told.accuserRank(), (one, other) -> -1);
      }
    }
    Map<Integer, List<Fingerprint>> groups = new TreeMap<>();
    for (Fingerprint fingerprint : log.fingerprints()) {
      groups
          .computeIfAbsent(top(groupOf, fingerprint.rank()), group -> new ArrayList<>())
          .add(fingerprint);
    }
    List<LogMismatch> found = new ArrayList<>();
    groups.values().forEach(members -> judge(members, global).ifPresent(found::add));
    return found;
  }

  private static Optional<LogMismatch> judge(
      List<Fingerprint> members, Map<Integer, Integer> global) {
    Map<String, List<Fingerprint>> byCall = new TreeMap<>();
    for (Fingerprint member : members) {
      byCall
          .computeIfAbsent(
              member.call() + " number " + member.sequence(), call -> new ArrayList<>())
          .add(member);
    }
    if (byCall.size() < 2) {
      return Optional.empty();
    }
    List<Map.Entry<String, List<Fingerprint>>> votes = new ArrayList<>(byCall.entrySet());
    votes.sort((one, other) -> other.getValue().size() - one.getValue().size());
    boolean isDraw = votes.get(0).getValue().size() == votes.get(1).getValue().size();
    List<Integer> wrong = new ArrayList<>();
    for (Map.Entry<String, List<Fingerprint>> vote : votes.subList(1, votes.size())) {
      vote.getValue().forEach(member -> wrong.add(globalRank(member.rank(), global)));
    }
    return Optional.of(
        new LogMismatch(
            isDraw ? List.of() : wrong.stream().sorted().distinct().toList(),
            votes.get(1).getKey(),
            votes.get(0).getKey(),
            members.size(),
            members.getFirst().line()));
  }

  private static int globalRank(int groupRank, Map<Integer, Integer> global) {
    int known = global.getOrDefault(groupRank, groupRank);
    return known < 0 ? groupRank : known;
  }

  private static int top(Map<Integer, Integer> groupOf, int rank) {
    int at = rank;
    int above = groupOf.getOrDefault(at, at);
    while (above != at) {
      at = above;
      above = groupOf.getOrDefault(at, at);
    }
    return at;
  }
}
