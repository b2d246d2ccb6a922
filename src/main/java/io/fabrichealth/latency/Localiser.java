package io.fabrichealth.latency;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.latency.Crossings.Trips;
import io.fabrichealth.latency.ProbeWindow.Totals;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Paths;
import io.fabrichealth.topology.PortId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tells from the probes of a window which link, switch or shared component loses them, and which
 * link delays them. Made for one fabric; another one needs another. Not for use by several threads.
 */
public final class Localiser {
  /** Of each candidate, before a probe was sent: what 1e-3 is in log-odds. */
  private static final double LOG_PRIOR_ODDS = Math.log(1e-3);

  /** From here on, one direction of a link is blamed alone. */
  private static final double DIRECTION_NATS = 3;

  /** A rival that much less likely than the one that is named is left out. */
  private static final double RIVAL_NATS = 3;

  private static final int MOST_PAIRS = 20;

  private static final int MOST_KNOWN = 200_000;

  private final Crossings crossings;
  private final Map<ProbeFlow, Trips> known = new HashMap<>();

  public Localiser(Fabric fabric) {
    this(fabric, List.of());
  }

  /**
   * @param shared the ports of each component that several ports share, where such are known
   */
  public Localiser(Fabric fabric, List<Set<PortId>> shared) {
    crossings = new Crossings(Paths.of(fabric), shared);
  }

  /** What loses probes, the strongest first; empty where nothing stands out. */
  public List<PathFinding> localise(ProbeWindow window) {
    Map<ProbeFlow, Totals> flows = window.flows();
    FlowLosses losses = new FlowLosses(crossings.candidates());
    flows.forEach(
        (flow, totals) -> {
          Trips trips = trips(flow);
          if (trips.trips().length > 0) {
            losses.addChoice(
                trips.trips(), trips.weights(), trips.links(), totals.sent(), totals.lost());
          }
        });
    LossPrior prior = LossPrior.even(crossings.candidates(), LOG_PRIOR_ODDS);
    Map<Subject, PathFinding> findings = new LinkedHashMap<>();
    for (LossFault fault : LossLocalisation.faults(losses, prior)) {
      PathFinding finding = finding(fault, flows);
      findings.merge(finding.subject(), finding, Localiser::bothDirections);
    }
    return findings.values().stream()
        .sorted(Comparator.comparingDouble((PathFinding finding) -> -finding.nats()))
        .toList();
  }

  /**
   * Which links delay probes: those of known path, by how much their shortest round trip of the
   * window is above the pair's baseline. The surest first; a link slow both ways is named once.
   */
  public List<PathFinding> slow(ProbeWindow window, PairBaselines baselines) {
    LatencyTomography tomography = new LatencyTomography(crossings.directedLinks());
    Map<ProbeFlow, Totals> flows = window.flows();
    Map<ProbeFlow, Double> excess = new LinkedHashMap<>();
    List<Double> spreads = new ArrayList<>();
    flows.forEach(
        (flow, totals) -> {
          Trips trips = trips(flow);
          int pair = baselines.pair(flow.src(), flow.dst());
          double usual = pair < 0 ? Double.NaN : baselines.baselineMicros(pair);
          double grown = totals.leastMicros() - usual;
          if (trips.trips().length == 1 && Double.isFinite(grown)) {
            tomography.add(crossings.links(trips.trips()[0]), grown);
            excess.put(flow, grown);
            spreads.add(baselines.spreadMicros(pair));
          }
        });
    spreads.sort(null);
    double noise = spreads.isEmpty() ? 0 : spreads.get(spreads.size() / 2) / 2;
    Map<Subject, PathFinding> findings = new LinkedHashMap<>();
    for (SlowFault fault : tomography.faults(noise, LOG_PRIOR_ODDS)) {
      Seen seen = seen(fault.candidate(), flows);
      PathFinding finding =
          new PathFinding(
              crossings.subject(fault.candidate()),
              Cause.LINK_SLOW,
              Family.LATENCY,
              fault.nats(),
              fault.micros(),
              fault.low(),
              fault.high(),
              seen.crossed,
              0,
              crossings.from(fault.candidate()),
              slowPairs(fault.candidate(), excess, flows),
              List.of());
      findings.merge(finding.subject(), finding, Localiser::bothDirections);
    }
    return List.copyOf(findings.values());
  }

  private List<PathFinding.Pair> slowPairs(
      int candidate, Map<ProbeFlow, Double> excess, Map<ProbeFlow, Totals> flows) {
    List<PathFinding.Pair> pairs = new ArrayList<>();
    excess.forEach(
        (flow, micros) -> {
          Totals totals = flows.get(flow);
          if (totals != null
              && Arrays.stream(trips(flow).trips()[0]).anyMatch(crossed -> crossed == candidate)) {
            pairs.add(
                new PathFinding.Pair(flow.src(), flow.dst(), totals.sent(), totals.lost(), micros));
          }
        });
    pairs.sort(Comparator.comparingDouble((PathFinding.Pair pair) -> -pair.excessMicros()));
    return pairs.subList(0, Math.min(MOST_PAIRS, pairs.size()));
  }

  private Trips trips(ProbeFlow flow) {
    if (known.size() > MOST_KNOWN) {
      known.clear();
    }
    return known.computeIfAbsent(flow, crossings::trips);
  }

  private PathFinding finding(LossFault fault, Map<ProbeFlow, Totals> flows) {
    Subject subject = crossings.subject(fault.candidate());
    Map<Subject, Double> odds = new LinkedHashMap<>();
    odds.put(subject, fault.logBayes());
    double reverse = Double.NEGATIVE_INFINITY;
    for (LossFault.Rival rival : fault.rivals()) {
      Subject other = crossings.subject(rival.candidate());
      odds.merge(other, rival.logBayes(), Localiser::logSum);
      if (other.equals(subject)) {
        reverse = rival.logBayes();
      }
    }
    double own = odds.remove(subject);
    double others = 0;
    List<Subject> rivals = new ArrayList<>();
    for (Map.Entry<Subject, Double> rival : odds.entrySet()) {
      others = logSum(others, rival.getValue() + LOG_PRIOR_ODDS);
      if (rival.getValue() > own - RIVAL_NATS) {
        rivals.add(rival.getKey());
      }
    }
    boolean isOneWay =
        crossings.isLink(fault.candidate()) && reverse < fault.logBayes() - DIRECTION_NATS;
    Seen seen = seen(fault.candidate(), flows);
    return new PathFinding(
        subject,
        cause(subject),
        Family.LOSS,
        own - others,
        fault.rate(),
        fault.low(),
        fault.high(),
        seen.crossed,
        fault.lost(),
        isOneWay ? crossings.from(fault.candidate()) : null,
        seen.pairs(),
        rivals);
  }

  private static Cause cause(Subject subject) {
    if (subject.type() == SubjectType.SWITCH) {
      return Cause.SWITCH_PACKET_LOSS;
    }
    return subject.type() == SubjectType.SHARED_COMPONENT
        ? Cause.SHARED_COMPONENT
        : Cause.PACKET_LOSS;
  }

  private static double logSum(double a, double b) {
    double most = Math.max(a, b);
    return most == Double.NEGATIVE_INFINITY
        ? most
        : most + Math.log(Math.exp(a - most) + Math.exp(b - most));
  }

  /** Two findings of one link are one: the stronger, of no direction. */
  private static PathFinding bothDirections(PathFinding one, PathFinding other) {
    return new PathFinding(
        one.subject(),
        one.cause(),
        one.family(),
        Math.max(one.nats(), other.nats()),
        Math.max(one.amount(), other.amount()),
        Math.max(one.low(), other.low()),
        Math.max(one.high(), other.high()),
        one.sent() + other.sent(),
        one.lost() + other.lost(),
        null,
        one.nats() >= other.nats() ? one.pairs() : other.pairs(),
        one.nats() >= other.nats() ? one.rivals() : other.rivals());
  }

  private Seen seen(int candidate, Map<ProbeFlow, Totals> flows) {
    Seen seen = new Seen();
    flows.forEach(
        (flow, totals) -> {
          Trips trips = trips(flow);
          double times = 0;
          for (int i = 0; i < trips.trips().length; i++) {
            for (int crossed : trips.trips()[i]) {
              times += crossed == candidate ? trips.weights()[i] : 0;
            }
          }
          if (times > 0) {
            seen.crossed += times * totals.sent();
            seen.add(flow, totals);
          }
        });
    return seen;
  }

  /** The probes that cross a candidate. */
  private static final class Seen {
    private final Map<Ends, long[]> byPair = new LinkedHashMap<>();
    private double crossed;

    private void add(ProbeFlow flow, Totals totals) {
      long[] sums = byPair.computeIfAbsent(new Ends(flow.src(), flow.dst()), key -> new long[2]);
      sums[0] += totals.sent();
      sums[1] += totals.lost();
    }

    private List<PathFinding.Pair> pairs() {
      return byPair.entrySet().stream()
          .filter(pair -> pair.getValue()[1] > 0)
          .map(
              pair ->
                  new PathFinding.Pair(
                      pair.getKey().src,
                      pair.getKey().dst,
                      pair.getValue()[0],
                      pair.getValue()[1],
                      Double.NaN))
          .sorted(Comparator.comparingLong((PathFinding.Pair pair) -> -pair.lost()))
          .limit(MOST_PAIRS)
          .toList();
    }

    private record Ends(ProbeSample.Endpoint src, ProbeSample.Endpoint dst) {}
  }
}
