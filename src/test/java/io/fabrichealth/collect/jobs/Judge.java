package io.fabrichealth.collect.jobs;

import io.fabrichealth.collective.CollectiveFinding;
import io.fabrichealth.collective.JobAnalysis;
import io.fabrichealth.collective.UnknownRank;
import io.fabrichealth.finding.Cause;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** Holds an analysis against the truth about a job in which faults were planned. */
final class Judge {
  private static final Map<String, Set<Cause>> CAUSES =
      Map.of(
          "hung-rank", EnumSet.of(Cause.HUNG_RANK),
          "dead-rank", EnumSet.of(Cause.HUNG_RANK, Cause.RANK_FAILED),
          "failed-rank", EnumSet.of(Cause.RANK_FAILED),
          "stalled-in-flight", EnumSet.of(Cause.COLLECTIVE_STALLED),
          "mismatched-op", EnumSet.of(Cause.COLLECTIVE_MISMATCH),
          "mismatched-size", EnumSet.of(Cause.COLLECTIVE_MISMATCH),
          "mismatched-dtype", EnumSet.of(Cause.COLLECTIVE_MISMATCH),
          "ordering-deadlock", EnumSet.of(Cause.COLLECTIVE_DEADLOCK),
          "straggler", EnumSet.of(Cause.COMPUTE_STRAGGLER),
          "imbalance", EnumSet.of(Cause.WORKLOAD_IMBALANCE));

  private Judge() {}

  /** What is wrong with an analysis; empty where it is right. */
  static List<String> faults(JsonNode truth, JobAnalysis analysis) {
    JsonNode expected = truth.get("expected");
    List<String> faults = new ArrayList<>();
    Set<Cause> allowed = EnumSet.noneOf(Cause.class);
    for (JsonNode finding : expected.get("findings")) {
      allowed.addAll(causes(finding));
    }
    for (CollectiveFinding finding : analysis.findings()) {
      if (!allowed.contains(finding.cause())) {
        faults.add("%s %s out of nothing".formatted(finding.cause(), finding.ranks()));
      }
    }
    for (JsonNode finding : expected.get("findings")) {
      judge(expected, finding, analysis, faults);
    }
    Set<Integer> lost = new TreeSet<>();
    expected
        .get("dumps_missing_or_damaged")
        .propertyNames()
        .forEach(rank -> lost.add(Integer.parseInt(rank)));
    lost.removeAll(ranks(expected.get("culprits")));
    analysis.unknown().stream().map(UnknownRank::rank).forEach(lost::remove);
    if (!lost.isEmpty()) {
      faults.add("dumps lost and not said: " + lost);
    }
    return faults;
  }

  private static void judge(
      JsonNode expected, JsonNode finding, JobAnalysis analysis, List<String> faults) {
    Set<Cause> causes = causes(finding);
    Set<Integer> named = new TreeSet<>();
    boolean isFound = false;
    for (CollectiveFinding said : analysis.findings()) {
      if (causes.contains(said.cause())) {
        isFound = true;
        named.addAll(said.ranks());
      }
    }
    Set<Integer> culprits = ranks(finding.get("culprits"));
    Set<Integer> allowed = ranks(expected.get("culprits"));
    if (!finding.get("identifiable").booleanValue()) {
      allowed.addAll(ranks(expected.get("looks_like_a_culprit")));
    }
    boolean isStalled = causes.contains(Cause.COLLECTIVE_STALLED);
    if (!isFound) {
      faults.add("no %s %s".formatted(causes, culprits));
    } else if (isStalled ? !named.isEmpty() : !isBetween(culprits, named, allowed)) {
      faults.add("%s names %s, culprits %s".formatted(causes, named, culprits));
    }
  }

  private static boolean isBetween(Set<Integer> least, Set<Integer> named, Set<Integer> most) {
    return named.containsAll(least) && most.containsAll(named);
  }

  private static Set<Cause> causes(JsonNode finding) {
    return CAUSES.getOrDefault(finding.get("kind").asString(), EnumSet.noneOf(Cause.class));
  }

  private static Set<Integer> ranks(JsonNode list) {
    Set<Integer> ranks = new TreeSet<>();
    list.forEach(rank -> ranks.add(rank.intValue()));
    return ranks;
  }
}
