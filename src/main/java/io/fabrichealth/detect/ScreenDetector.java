package io.fabrichealth.detect;

import io.fabrichealth.detect.statistics.EvidenceScreen;
import io.fabrichealth.detect.statistics.GammaPosterior;
import io.fabrichealth.detect.statistics.MixtureEvidence;
import io.fabrichealth.detect.statistics.NegativeBinomial;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/**
 * Slow losses of the whole fabric, judged together.
 *
 * <p><b>What it catches:</b> links that break frames more often than others of their kind, or on
 * which packets are missing, for hours at rates that no detector of a single link accuses.
 *
 * <p><b>What it compares:</b> the errors of both ends since the last look with those that the
 * cohort of equal speed and media has in as many packets, spread as the cohort spreads; and what is
 * missing along the link. Both as e-values of a day, of which each link has one; the largest {@code
 * k} of {@code m} links are accused if each has {@code m / (alpha k)} or more (e-BH), alpha being
 * the false alarms that a day of the fabric may give.
 *
 * <p><b>When it stays silent:</b> below {@code screen.least-errors-per-packet}, or as much above
 * what its cohort has; a cohort of fewer than 20 ports counts as healthy. A burst counts as few
 * errors, however many they are.
 *
 * <p><b>How it clears:</b> a day begins anew with nothing.
 *
 * <p><b>Settings:</b> {@code screen.*}; the threshold follows from the budget.
 *
 * <p><b>Source:</b> Wang and Ramdas, "False discovery rate control with e-values", 2022; half of
 * the corrupting links lose between 1e-8 and 1e-5 (CorrOpt, SIGCOMM 2017).
 */
public final class ScreenDetector implements FabricDetector<ScreenDetector.State> {
  private static final String ID = "screen";
  private static final Duration EVERY = Duration.ofMinutes(1);
  private static final int LOOKS = (int) (Duration.ofDays(1).toMinutes());
  private static final int LEAST_MEMBERS = 20;
  private static final double MOST_ALPHA = .05;

  /** What is looked for: so many times the errors of the cohort. */
  private static final double RISE = 10;

  /** Errors come in bursts: so much more spread than Poisson is each look of a healthy port. */
  private static final double MOST_SHAPE = .5;

  /** Errors of one look that count beside those looked for; a burst says no more than these. */
  private static final double MOST_ERRORS = 10;

  private final LinkConservationDetector conservation;
  private final int inErrors;
  private final int inPackets;
  private final double least;
  private final double falseAlarms;

  public ScreenDetector(
      SignalDictionary dictionary, Thresholds thresholds, LinkConservationDetector conservation) {
    this.conservation = conservation;
    inErrors = dictionary.ordinal("port.in_errors");
    inPackets = dictionary.ordinal("port.in_packets");
    least = thresholds.number(ID + ".least-errors-per-packet");
    falseAlarms = thresholds.number("budget.false-alarms-per-link-day");
  }

  /**
   * What is remembered: columns by link, in the order of the ids; cohorts in the order of the keys.
   *
   * @param links ids
   * @param errors of both ends together since they were first read
   * @param packets received by both ends together
   * @param logs evidence of errors so far, see {@link MixtureEvidence#logProducts}
   * @param looks since the day began
   * @param cohorts speed and media
   * @param shapes of the rates of errors by packet that the cohort has
   * @param exposures the same, packets
   */
  @SuppressWarnings("ArrayRecordComponent") // columns, never compared
  record State(
      String[] links,
      double[] errors,
      double[] packets,
      double[] logs,
      int looks,
      String[] cohorts,
      double[] shapes,
      double[] exposures) {
    static final State NONE =
        new State(
            new String[0],
            new double[0],
            new double[0],
            new double[0],
            0,
            new String[0],
            new double[0],
            new double[0]);

    /** How often ports of that kind receive broken frames; the fallback where too few are known. */
    GammaPosterior cohort(Port port, GammaPosterior fallback) {
      int row = Arrays.binarySearch(cohorts, key(port));
      return row < 0 ? fallback : new GammaPosterior(shapes[row], exposures[row]);
    }
  }

  private static String key(Port port) {
    return port.speedBitsPerSecond() + " " + port.media();
  }

  /** Errors and packets of the ports of one kind. */
  private static final class Members {
    private int count;
    private final DoubleStream.Builder errors = DoubleStream.builder();
    private final DoubleStream.Builder packets = DoubleStream.builder();
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public Class<State> stateType() {
    return State.class;
  }

  @Override
  public State initial() {
    return State.NONE;
  }

  @Override
  public Duration every() {
    return EVERY;
  }

  @Override
  public Step<State> step(State state, FabricView view) {
    List<Link> links = view.fabric().links().stream().filter(link -> !link.isHalf()).toList();
    int looks = state.looks() >= LOOKS ? 0 : state.looks();
    State next = read(links, view, looks + 1);
    double[] evidence = new double[links.size()];
    for (int row = 0; row < evidence.length; row++) {
      int before = Arrays.binarySearch(state.links(), next.links()[row]);
      double log = before < 0 || looks == 0 ? Double.NEGATIVE_INFINITY : state.logs()[before];
      double ratio = before < 0 ? 0 : logRatio(state, before, next, row, links.get(row), view);
      MixtureEvidence errors = new MixtureEvidence(log, looks, LOOKS).plus(ratio);
      next.logs()[row] = errors.logProducts();
      evidence[row] =
          MixtureEvidence.logSum(errors.log(), missing(links.get(row), view)) - Math.log(2);
    }
    return new Step<>(next, findings(links, evidence, next, view));
  }

  /** What the counters show now, and the cohorts that follow from it. */
  private State read(List<Link> links, FabricView view, int looks) {
    int size = links.size();
    String[] ids = new String[size];
    double[] errors = new double[size];
    double[] packets = new double[size];
    Map<String, Members> cohorts = new TreeMap<>();
    for (int row = 0; row < size; row++) {
      ids[row] = links.get(row).id();
      for (PortId end : links.get(row).ends()) {
        SignalWindow window = view.window(end);
        Port port = view.fabric().port(end);
        if (window == null || window.elements(inErrors) == 0 || window.elements(inPackets) == 0) {
          continue;
        }
        double broken = window.total(inErrors, 0);
        double received = window.total(inPackets, 0);
        errors[row] += broken;
        packets[row] += received;
        if (port != null && received > 0) {
          Members members = cohorts.computeIfAbsent(key(port), unused -> new Members());
          members.count++;
          members.errors.add(broken);
          members.packets.add(received);
        }
      }
    }
    cohorts.values().removeIf(members -> members.count < LEAST_MEMBERS);
    String[] keys = cohorts.keySet().toArray(String[]::new);
    double[] shapes = new double[keys.length];
    double[] exposures = new double[keys.length];
    int cohort = 0;
    for (Members members : cohorts.values()) {
      GammaPosterior prior =
          GammaPosterior.ofCohort(
              members.errors.build().toArray(), members.packets.build().toArray());
      shapes[cohort] = prior.shape();
      exposures[cohort++] = prior.exposure();
    }
    return new State(ids, errors, packets, new double[size], looks, keys, shapes, exposures);
  }

  /** Of the errors since the last look, against as many as the cohort has. */
  private double logRatio(
      State state, int before, State next, int row, Link link, FabricView view) {
    double packets = next.packets()[row] - state.packets()[before];
    double errors = next.errors()[row] - state.errors()[before];
    Port port = view.fabric().port(link.ends().getFirst());
    if (!(packets > 0) || !(errors >= 0) || port == null) {
      return 0;
    }
    // Of the look before: what is accused now has not made its own cohort yet.
    GammaPosterior cohort = state.cohort(port, new GammaPosterior(MOST_SHAPE, MOST_SHAPE / least));
    double mean = Math.max(cohort.mean(), least / RISE) * packets;
    double counted = Math.min(MOST_ERRORS + RISE * mean, errors);
    return NegativeBinomial.logRatio(counted, mean, Math.min(MOST_SHAPE, cohort.shape()), RISE);
  }

  /** Of what is missing along the link, for all the looks of a day. */
  private double missing(Link link, FabricView view) {
    double nats = 0;
    for (PortId end : link.ends()) {
      nats = Math.max(nats, LinkConservationDetector.statistic(view.state(conservation, end)));
    }
    return EvidenceScreen.ofProbability(Math.min(0, Math.log(LOOKS) - nats));
  }

  private List<Finding> findings(
      List<Link> links, double[] evidence, State state, FabricView view) {
    double alpha = Math.min(MOST_ALPHA, falseAlarms * Math.max(1, links.size()));
    double threshold = EvidenceScreen.threshold(evidence, alpha);
    List<Finding> findings = new ArrayList<>();
    for (int row = 0; row < evidence.length; row++) {
      if (evidence[row] >= threshold) {
        findings.add(finding(links.get(row), evidence[row], threshold, row, state, view.at()));
      }
    }
    return findings;
  }

  private static Finding finding(
      Link link, double log, double threshold, int row, State state, Instant at) {
    Subject subject = Subject.of(link);
    Instant since = at.minus(EVERY.multipliedBy(state.looks()));
    String observed =
        "%s of %s packets broken at both ends, evidence of e^%s"
            .formatted(
                Figures.count(state.errors()[row]),
                Figures.count(state.packets()[row]),
                Figures.decibels(log));
    return new Finding(
        ID,
        subject,
        Cause.PACKET_LOSS,
        new Evidence(
            Family.LOSS,
            "port.in_errors",
            subject,
            observed,
            "below e^%s among %s links"
                .formatted(Figures.decibels(threshold), Figures.count(state.links().length)),
            Reference.PEERS,
            Detectors.OPENING_NATS + log - threshold,
            since,
            at,
            "all devices"),
        since);
  }
}
