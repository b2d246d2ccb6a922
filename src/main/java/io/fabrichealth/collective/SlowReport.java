package io.fabrichealth.collective;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Puts what was found of slow ranks into words. */
final class SlowReport {
  /** How often a rank would be slow at a place by chance: that of a noisy host. */
  private static final double BY_CHANCE = 0.3;

  /** Log-odds that a job has such a fault: four of ten jobs lose a tenth of their time to it. */
  private static final double PRIOR = Math.log(0.4 / 0.6);

  private static final double MICROS_A_MILLI = 1e3;

  /** Where no host is known, so many slow ranks may well be one host's. */
  private static final int MOST_OF_THEIR_OWN = 2;

  private final Job job;
  private final Timeline timeline;
  private final Pace pace;
  private final Map<Integer, String> hostOf;

  SlowReport(Job job, Timeline timeline, Pace pace) {
    this.job = job;
    this.timeline = timeline;
    this.pace = pace;
    hostOf = job.hosts();
  }

  /** One finding a host that is slow as a whole, one a rank of the others. */
  List<CollectiveFinding> stragglers(List<Stragglers.Straggler> slow) {
    Set<Integer> ranks = slow.stream().map(this::rank).collect(Collectors.toSet());
    Map<Subject, List<Stragglers.Straggler>> bySubject = new LinkedHashMap<>();
    for (Stragglers.Straggler straggler : slow) {
      Subject subject =
          hostOf.isEmpty() && ranks.size() > MOST_OF_THEIR_OWN
              ? Subject.job(job.name())
              : subject(rank(straggler), ranks);
      bySubject.computeIfAbsent(subject, fresh -> new ArrayList<>()).add(straggler);
    }
    List<CollectiveFinding> findings = new ArrayList<>();
    bySubject.forEach((subject, members) -> findings.add(straggler(subject, members)));
    return findings;
  }

  private int rank(Stragglers.Straggler straggler) {
    return timeline.recorder(straggler.rank()).rank();
  }

  private Subject subject(int rank, Set<Integer> slow) {
    String host = hostOf.get(rank);
    if (host != null) {
      Set<Integer> there = new HashSet<>();
      hostOf.forEach((other, its) -> there.addAll(its.equals(host) ? Set.of(other) : Set.of()));
      if (there.size() > 1 && slow.containsAll(there)) {
        return Subject.host(host);
      }
    }
    return Subject.rank(job.name(), rank);
  }

  private CollectiveFinding straggler(Subject subject, List<Stragglers.Straggler> members) {
    List<Evidence> evidence = new ArrayList<>();
    double nats = 0;
    double lost = 0;
    for (Stragglers.Straggler member : members) {
      double share = member.lostMicros() / pace.spanMicros();
      double its = Family.COLLECTIVE.clip(nats(member.times(), member.outOf()));
      nats = Math.max(nats, its);
      lost = Math.max(lost, member.lostMicros());
      evidence.add(
          line(
              Subject.rank(job.name(), rank(member)),
              JobView.say(
                  "%.1f ms a step beyond its peers, %d of %d times, %.0f %% of the time",
                  perStep(member.lostMicros()), member.times(), member.outOf(), 100 * share),
              "as long as its peers",
              its));
    }
    List<Integer> ranks = members.stream().map(this::rank).sorted().toList();
    List<String> hosts =
        ranks.stream().filter(hostOf::containsKey).map(hostOf::get).distinct().sorted().toList();
    String who =
        switch (subject.type()) {
          case HOST -> "All ranks of host " + subject.id() + " compute";
          case RANK -> "Rank " + ranks.getFirst() + " computes";
          default ->
              "%d ranks, from rank %d to %d, compute"
                  .formatted(ranks.size(), ranks.getFirst(), ranks.getLast());
        };
    return new CollectiveFinding(
        Cause.COMPUTE_STRAGGLER,
        subject,
        ranks,
        hosts,
        List.of(),
        probability(nats),
        begin(),
        JobView.say(
            "%s %.1f ms longer in each step of %.1f ms than the others, which wait.",
            who, perStep(lost), pace.stepMicros() / MICROS_A_MILLI),
        evidence);
  }

  CollectiveFinding imbalance(Rotation rotation) {
    double nats = Family.COLLECTIVE.clip(nats(rotation.lateSteps(), rotation.steps()));
    Subject subject = Subject.job(job.name());
    return new CollectiveFinding(
        Cause.WORKLOAD_IMBALANCE,
        subject,
        List.of(),
        List.of(),
        List.of(),
        probability(nats),
        begin(),
        JobView.say(
            "In %d of %d steps one rank was late, %d different ones: %.1f ms of each step of %.1f"
                + " ms.",
            rotation.lateSteps(),
            rotation.steps(),
            rotation.ranks(),
            perStep(rotation.lostMicros()),
            pace.stepMicros() / MICROS_A_MILLI),
        List.of(
            line(
                subject,
                JobView.say(
                    "%d of %d steps, %d ranks in turn",
                    rotation.lateSteps(), rotation.steps(), rotation.ranks()),
                "all ranks equally long",
                nats)));
  }

  private double perStep(double micros) {
    return micros / pace.steps() / MICROS_A_MILLI;
  }

  private Evidence line(Subject subject, String observed, String expected, double nats) {
    return new Evidence(
        Family.COLLECTIVE,
        "flight-recorder",
        subject,
        observed,
        expected,
        Reference.PEERS,
        nats,
        begin(),
        end(),
        "flight recorder");
  }

  private Instant begin() {
    return timeline.instant(0);
  }

  private Instant end() {
    return timeline.instant(pace.spanMicros());
  }

  private static double nats(int times, int outOf) {
    return JobView.nats((double) times / outOf, outOf, BY_CHANCE);
  }

  private static double probability(double nats) {
    return 1 / (1 + Math.exp(-(PRIOR + nats)));
  }
}
