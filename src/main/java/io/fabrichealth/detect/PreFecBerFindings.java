package io.fabrichealth.detect;

import io.fabrichealth.detect.PreFecBerDetector.State;
import io.fabrichealth.detect.fec.CodewordErrors;
import io.fabrichealth.detect.fec.HistogramFit;
import io.fabrichealth.detect.fec.SymbolHistogram;
import io.fabrichealth.detect.fec.TailEstimate;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Port;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What the error ratios of a port amount to: the other half of {@link PreFecBerDetector}. */
final class PreFecBerFindings {
  private static final double WORST = .5;
  private static final double FIRST_READING_NATS = 5;
  private static final double WORTH_SAYING = 1;
  private static final double DIM_DECIBELS = 2;
  private static final double DIM_NATS = 2;

  /** Polls for which a ratio must stand higher than usual: a burst is no change. */
  private static final int STANDS = 3;

  private static final double BURST_NATS = 3;
  private static final int LEARNT_READINGS = 5;
  private static final double LEARNT_SECONDS = 45;

  /** Ratios from which a port is past all doubt, and no model of healthy ports holds. */
  private static final double HIGHEST_USUAL = .01;

  /** Below this share of its limit nothing is computed. */
  private static final double WORTH_A_LOOK = .3;

  /** How much more than the whole port one healthy lane may err. */
  private static final double LANE_SPREAD = 10;

  private static final double SIGMAS = 3;
  private static final double PEER_SPREAD = .5;
  private static final double PEER_PRICE = 6;
  private static final double PEER_NATS = 12;

  /** Standard errors that a slope must have, and how long it must have lasted. */
  private static final double SLOPE_DEVIATIONS = 8;

  private static final double SLOPE_HOURS = 6;
  private static final double SLOPE_HOURS_WITHOUT_TEMPERATURE = 30;
  private static final double SLOPE_NATS = 10;

  private final String detector;
  private final BitErrors bitErrors;
  private final CohortsDetector cohorts;
  private final int rxPower;
  private final int temperature;
  private final double leastMargin;
  private final double usualRatio;
  private final double decadesPerKelvin;
  private final double mostTemperatureDecades;
  private final double warnHours;
  private final double cohortDecades;
  private final double waitsForCohortNanos;

  PreFecBerFindings(
      String detector,
      SignalDictionary dictionary,
      Thresholds thresholds,
      CohortsDetector cohorts,
      BitErrors bitErrors) {
    this.detector = detector;
    this.bitErrors = bitErrors;
    this.cohorts = cohorts;
    rxPower = dictionary.ordinal("optics.rx_power_dbm");
    temperature = dictionary.ordinal("optics.module_temperature_celsius");
    leastMargin = thresholds.number("pre-fec-ber.least-margin-decibels");
    usualRatio = thresholds.number("pre-fec-ber.least-usual-ratio");
    decadesPerKelvin = thresholds.number("pre-fec-ber.decades-per-kelvin");
    mostTemperatureDecades = thresholds.number("pre-fec-ber.most-decades-by-temperature");
    warnHours = thresholds.number("pre-fec-ber.warn-hours");
    cohortDecades = thresholds.number("pre-fec-ber.cohort-decades");
    waitsForCohortNanos = 2e9 * cohorts.every().toSeconds();
  }

  /** What holds a port's ratios back. */
  private record Limits(
      double error,
      double ofLane,
      double ofCode,
      String basis,
      double cohortRatio,
      double cohortSpread) {}

  List<Finding> of(State state, PortView port) {
    ErrorRatios lanes = state.lanes();
    double vendor = BerLimits.error(port.speed(), lanes.size(), port.context.port());
    int worst = lanes.worst();
    double worstRatio = worst < 0 ? 0 : lanes.ratio(worst);
    double ratio = state.ratio();
    double highest = Double.isNaN(ratio) ? worstRatio : Math.max(ratio, worstRatio);
    boolean moved = state.laneHistory().lane() >= 0 || state.linkHistory().polls() > 0;
    if (!(highest > WORTH_A_LOOK * vendor) && !moved) {
      return List.of();
    }
    Limits limits = limits(port, vendor, highest);
    List<Finding> findings = new ArrayList<>();
    double most = most(state, port, limits, highest);
    int risen = risenLane(state, port, limits, findings);
    int blamed = overLimit(state, port, limits, worst, most, risen, findings);
    keepStronger(findings);
    if (blamed >= 0) {
      addDimLight(findings, state, port, blamed);
    }
    if (risen < 0 && !isOneLane(findings)) {
      risen(state, port, limits, findings);
    }
    if (findings.isEmpty() || !(ratio > 0)) {
      return findings;
    }
    besidePeers(state, port, limits, most, findings);
    ahead(state, port, limits, findings);
    return findings;
  }

  /** A lane over its limit and over what is usual is one thing to say. */
  private static void keepStronger(List<Finding> findings) {
    for (int one = findings.size() - 1; one > 0; one--) {
      for (int other = 0; other < one; other++) {
        if (isSame(findings.get(one), findings.get(other))) {
          findings.remove(findings.get(one).nats() > findings.get(other).nats() ? other : one);
          break;
        }
      }
    }
  }

  private static boolean isSame(Finding one, Finding other) {
    return one.evidence().signal().equals(other.evidence().signal())
        && one.evidence().subject().equals(other.evidence().subject());
  }

  private static boolean isOneLane(List<Finding> findings) {
    return findings.stream().anyMatch(finding -> finding.cause() == Cause.PHY_LANE);
  }

  private Limits limits(PortView port, double vendor, double highest) {
    Port known = port.context.port();
    double ofCode = BerLimits.ofCode(port.speed(), known);
    String basis = BerLimits.basis(known);
    if (!(highest > WORTH_A_LOOK * vendor) || known.partNumber() == null) {
      return new Limits(vendor, vendor, ofCode, basis, Double.NaN, 0);
    }
    CohortsDetector.State cohort = port.context.state(cohorts);
    int row = cohort.row(known);
    if (row < 0 || cohort.ratios()[row] == CohortsDetector.State.UNKNOWN) {
      return new Limits(vendor, vendor, ofCode, basis, Double.NaN, 0);
    }
    double spread = cohort.spreads()[row];
    double usual = Math.pow(10, cohort.ratios()[row] + Math.max(SIGMAS * spread, cohortDecades));
    double most =
        Double.isNaN(ofCode)
            ? vendor
            : Math.max(vendor, CodewordErrors.ratioWithMargin(leastMargin, ofCode));
    return usual > vendor
        ? new Limits(
            Math.min(usual, most),
            Math.min(usual * LANE_SPREAD, most),
            ofCode,
            basis + ", as " + cohort.members()[row] + " others of " + known.partNumber(),
            cohort.ratios()[row],
            spread)
        : new Limits(vendor, vendor, ofCode, basis, cohort.ratios()[row], spread);
  }

  /** Nothing is sure on a first reading, nor before it is known what others of the kind show. */
  private double most(State state, PortView port, Limits limits, double highest) {
    boolean isFirst = state.readings() < 2;
    boolean isBeyondCode =
        !Double.isNaN(limits.ofCode())
            && highest > CodewordErrors.ratioWithMargin(leastMargin, limits.ofCode());
    boolean mayHaveCohort =
        port.context.port().partNumber() != null
            && Double.isNaN(limits.cohortRatio())
            && state.atNanos() - state.firstNanos() < waitsForCohortNanos;
    return isFirst || (mayHaveCohort && !isBeyondCode)
        ? FIRST_READING_NATS
        : Double.POSITIVE_INFINITY;
  }

  /** One lane that left its place among the others. */
  private int risenLane(State state, PortView port, Limits limits, List<Finding> findings) {
    LaneHistory history = state.laneHistory();
    int lane = history.lane();
    if (lane < 0 || lane >= state.lanes().size() || history.seconds() < LEARNT_SECONDS) {
      return -1;
    }
    double usual = history.expected(lane, state.lanes(), usualRatio);
    double nats = risenNats(usual, state.lanes().errors()[lane], state.lanes().bits()[lane]);
    nats = history.polls() < STANDS ? Math.min(nats, BURST_NATS) : nats;
    if (!(nats > WORTH_SAYING)) {
      return -1;
    }
    double ratio = state.lanes().ratio(lane);
    String observed =
        "%s errors per bit before FEC on lane %d, %s on the others; %s"
            .formatted(
                Figures.rate(ratio),
                lane,
                Figures.rate(LaneErrors.medianWithout(state.lanes().ratios(), lane)),
                margin(ratio, limits));
    Subject where = Subject.lane(port.window.port(), lane);
    findings.add(
        finding(
            state,
            port,
            Cause.PHY_LANE,
            state.lanes().signal(),
            where,
            observed,
            "%s, as this lane usually has beside the others".formatted(Figures.rate(usual)),
            Reference.HISTORY,
            nats));
    return lane;
  }

  private double risenNats(double usual, double errors, double bits) {
    double floor = Math.max(usual, usualRatio);
    return floor > HIGHEST_USUAL
        ? 0
        : new RateLimit(floor, WORST, 1, Double.POSITIVE_INFINITY).nats(errors, bits);
  }

  /** The port as a whole left what it showed in its last hour. */
  private void risen(State state, PortView port, Limits limits, List<Finding> findings) {
    LinkHistory history = state.linkHistory();
    if (history.polls() == 0
        || history.readings() < LEARNT_READINGS
        || history.seconds() < LEARNT_SECONDS) {
      return;
    }
    double celsius = port.window.value(temperature, 0);
    double usual =
        history.expected(
            Double.isNaN(celsius) ? history.temperature() : celsius,
            decadesPerKelvin,
            mostTemperatureDecades);
    boolean isWhole = state.whole().size() > 0 && state.whole().bits()[0] > 0;
    double bits = isWhole ? state.whole().bits()[0] : Arrays.stream(state.lanes().bits()).sum();
    double ratio = state.ratio();
    double nats = risenNats(usual, ratio * bits, bits);
    nats = history.polls() < STANDS ? Math.min(nats, BURST_NATS) : nats;
    if (nats > WORTH_SAYING) {
      findings.add(
          finding(
              state,
              port,
              Cause.PHY_LINK,
              state.signal(),
              port.port(),
              whole(ratio, port, limits),
              "%s, as in the hour before".formatted(Figures.rate(usual)),
              Reference.HISTORY,
              nats));
    }
  }

  /** Returns the lane that is to blame; -1 where none is. */
  private int overLimit(
      State state,
      PortView port,
      Limits limits,
      int worst,
      double most,
      int risen,
      List<Finding> findings) {
    ErrorRatios lanes = state.lanes();
    boolean alone = LaneErrors.outlier(lanes.ratios()) >= 0 || (risen >= 0 && risen == worst);
    if (worst >= 0) {
      // One lane may err more than a whole port may, where its part number is noisy at all.
      double errors = alone ? lanes.errors()[worst] : Arrays.stream(lanes.errors()).sum();
      double bits = alone ? lanes.bits()[worst] : Arrays.stream(lanes.bits()).sum();
      double nats = overNats(alone ? limits.ofLane() : limits.error(), errors, bits, most);
      if (nats > WORTH_SAYING) {
        ofLanes(state, port, limits, worst, nats, alone, findings);
        return risen >= 0 ? risen : alone ? worst : -1;
      }
    }
    if (state.whole().worst() >= 0) {
      ErrorRatios whole = state.whole();
      double nats = overNats(limits.error(), whole.errors()[0], whole.bits()[0], most);
      if (nats > WORTH_SAYING) {
        findings.add(
            finding(
                state,
                port,
                risen >= 0 ? Cause.PHY_LANE : Cause.PHY_LINK,
                whole.signal(),
                port.port(),
                whole(whole.ratio(0), port, limits),
                below(limits, limits.error()),
                Reference.LIMIT,
                nats));
      }
    }
    return risen;
  }

  private static double overNats(double limit, double errors, double bits, double most) {
    return errors > WORTH_A_LOOK * limit * bits
        ? Math.min(
            most, new RateLimit(limit / 10, WORST, 0, Double.POSITIVE_INFINITY).nats(errors, bits))
        : 0;
  }

  private void ofLanes(
      State state,
      PortView port,
      Limits limits,
      int worst,
      double nats,
      boolean alone,
      List<Finding> findings) {
    ErrorRatios lanes = state.lanes();
    double others = LaneErrors.medianWithout(lanes.ratios(), worst);
    boolean ofOne = alone || Double.isNaN(others);
    String observed =
        !ofOne
            ? "%s errors per bit before FEC; %s"
                .formatted(Figures.rate(lanes.mean()), margin(lanes.mean(), limits))
            : "%s errors per bit before FEC on lane %d%s; %s"
                .formatted(
                    Figures.rate(lanes.ratio(worst)),
                    worst,
                    Double.isNaN(others) ? "" : ", " + Figures.rate(others) + " on the others",
                    margin(lanes.ratio(worst), limits));
    findings.add(
        finding(
            state,
            port,
            alone ? Cause.PHY_LANE : Cause.PHY_LINK,
            lanes.signal(),
            alone ? Subject.lane(port.window.port(), worst) : port.port(),
            observed,
            below(limits, alone ? limits.ofLane() : limits.error()),
            Reference.LIMIT,
            nats));
  }

  private void besidePeers(
      State state, PortView port, Limits limits, double most, List<Finding> findings) {
    double ratio = state.ratio();
    double apart = Math.log10(ratio) - limits.cohortRatio();
    double deviations = apart / Math.max(limits.cohortSpread(), PEER_SPREAD);
    double nats = Math.min(Math.min(PEER_NATS, most), deviations * deviations / 2 - PEER_PRICE);
    if (deviations > 0 && nats > WORTH_SAYING) {
      findings.add(
          finding(
              state,
              port,
              isOneLane(findings) ? Cause.PHY_LANE : Cause.PHY_LINK,
              state.signal(),
              port.port(),
              Figures.rate(ratio) + " errors per bit before FEC",
              "%s, as others of %s have"
                  .formatted(
                      Figures.rate(Math.pow(10, limits.cohortRatio())),
                      port.context.port().partNumber()),
              Reference.PEERS,
              nats));
    }
  }

  /** A line through the past that ends at the code's limit soon. */
  private void ahead(State state, PortView port, Limits limits, List<Finding> findings) {
    BerTrend.Line line = state.trend().line();
    double least = state.trend().warm() ? SLOPE_HOURS : SLOPE_HOURS_WITHOUT_TEMPERATURE;
    if (!(line.deviations() > SLOPE_DEVIATIONS)
        || line.hours() < least
        || !(state.ratio() < limits.ofCode())) {
      return;
    }
    double hours = Math.log10(limits.ofCode() / state.ratio()) / line.decadesPerHour();
    if (hours < warnHours) {
      findings.add(
          finding(
              state,
              port,
              isOneLane(findings) ? Cause.PHY_LANE : Cause.PHY_LINK,
              state.signal(),
              port.port(),
              String.format(
                  Locale.ROOT,
                  "%.2f decades an hour for %s%s: at the limit of the code in %s",
                  line.decadesPerHour(),
                  Figures.time(line.hours() * 3600),
                  state.trend().warm() ? ", without what the temperature does" : "",
                  Figures.time(hours * 3600)),
              "no drift towards " + Figures.rate(limits.ofCode()),
              Reference.HISTORY,
              SLOPE_NATS));
    }
  }

  // --- words

  private static String below(Limits limits, double limit) {
    return "below %s (%s)".formatted(Figures.rate(limit), limits.basis());
  }

  private static String margin(double ratio, Limits limits) {
    return Double.isNaN(limits.ofCode()) || !(ratio > 0)
        ? "no margin known"
        : "margin %s dB"
            .formatted(
                Figures.decibels(
                    CodewordErrors.marginDecibels(Math.min(ratio, .4), limits.ofCode())));
  }

  private String whole(double ratio, PortView port, Limits limits) {
    return "%s errors per bit before FEC; %s%s"
        .formatted(Figures.rate(ratio), margin(ratio, limits), lost(port));
  }

  /** What the histogram of this poll says of lost codewords; empty without one. */
  private String lost(PortView port) {
    SignalWindow window = port.window;
    SymbolHistogram histogram =
        bitErrors.histogram(window, port.context.device(), port.context.port());
    TailEstimate tail = histogram == null ? null : new HistogramFit().fit(histogram, null);
    return tail == null
        ? ""
        : "; %s of the codewords lost (%s to %s), %s"
            .formatted(
                Figures.rate(Math.pow(10, tail.logLostRatio())),
                Figures.rate(Math.pow(10, tail.low())),
                Figures.rate(Math.pow(10, tail.high())),
                tail.bursty() ? "errors in bursts" : "even noise");
  }

  private Finding finding(
      State state,
      PortView port,
      Cause cause,
      String signal,
      Subject where,
      String observed,
      String expected,
      Reference reference,
      double nats) {
    return new Finding(
        detector,
        port.link(),
        cause,
        port.evidence(
            Family.PHY, signal, where, observed, expected, reference, nats, state.sinceNanos()),
        PortView.instant(state.sinceNanos()));
  }

  /** Less light on the lane that errs: supports the finding, and is none by itself. */
  private void addDimLight(List<Finding> findings, State state, PortView port, int lane) {
    double[] power = new double[port.window.elements(rxPower)];
    Arrays.setAll(power, element -> port.window.value(rxPower, element));
    double below =
        lane < power.length ? LaneErrors.medianWithout(power, lane) - power[lane] : Double.NaN;
    if (below >= DIM_DECIBELS) {
      findings.add(
          finding(
              state,
              port,
              Cause.PHY_LANE,
              "optics.rx_power_dbm",
              Subject.lane(port.window.port(), lane),
              "%s dBm on lane %d, %s dB below the others"
                  .formatted(Figures.decibels(power[lane]), lane, Figures.decibels(below)),
              "within 2 dB of the others",
              Reference.PEERS,
              DIM_NATS));
    }
  }
}
