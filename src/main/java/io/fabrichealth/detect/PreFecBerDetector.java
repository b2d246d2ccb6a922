package io.fabrichealth.detect;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Errors that FEC repairs, while it still can.
 *
 * <p><b>What it catches:</b> a dirty or failing optic, a bad cable, one bad lane: the bit error
 * ratio before FEC is over its limit, and nothing is lost yet.
 *
 * <p><b>What it compares:</b> the ratio of each lane, and that of the whole port, with the error
 * limit of {@link BerLimits}. The ratio of a lane comes from its corrected errors and its share of
 * the bit rate, or from the device's own gauge; that of the port from the histogram of codewords,
 * the total of corrected errors, the corrected codewords, or a gauge, whichever comes first. A lane
 * is named where it has ten times the median of the others; light that is 2 dB below the other
 * lanes supports it.
 *
 * <p><b>When it stays silent:</b> below the limit; on a first reading alone; in intervals in which
 * the link went down or came up; where the port counts nothing of the kind or no speed is known. No
 * errors before FEC say nothing against other faults.
 *
 * <p><b>How it clears:</b> the memory has a time constant of one minute: a few minutes after the
 * ratio fell below the limit.
 *
 * <p><b>Settings:</b> none.
 *
 * <p><b>Source:</b> NVIDIA field BER thresholds; IEEE 802.3 (2.4e-4 for RS(544,514)); Poisson
 * likelihood of {@link RateLimit}.
 */
public final class PreFecBerDetector implements Detector<PreFecBerDetector.State> {
  private static final String ID = "pre-fec-ber";
  private static final double MEMORY_SECONDS = 60;
  private static final double GAUGE_SECONDS = 10;
  private static final double FIRST_READING = 5;
  private static final double WORTH_SAYING = 1;
  private static final double DIM_DECIBELS = 2;
  private static final double DIM_NATS = 2;
  private static final double HALF = .5;

  private final Signals signals;
  private final LaneErrors lanes;
  private final PortErrors portErrors;
  private final SignalDictionary dictionary;
  private final int laneGauge;
  private final int rxPower;

  public PreFecBerDetector(SignalDictionary dictionary) {
    this.dictionary = dictionary;
    signals = new Signals(dictionary);
    lanes = new LaneErrors(dictionary);
    portErrors = new PortErrors(dictionary);
    laneGauge = dictionary.ordinal("fec.lane_pre_fec_ber");
    rxPower = dictionary.ordinal("optics.rx_power_dbm");
  }

  /**
   * What is remembered of a port.
   *
   * @param laneErrors weighted bit errors by lane; NaN where the lane is not read
   * @param laneBits weighted bits by lane
   * @param laneSignal id of the signal they came from; empty before the first
   * @param errors weighted bit errors of the whole port
   * @param bits weighted bits of the whole port
   * @param signal id of the signal they came from; empty before the first
   * @param readings how many polls told something, counted to 2
   * @param oper state at the last poll
   * @param atNanos time of the last poll; 0 before the first
   * @param sinceNanos since when the limit is exceeded; 0 while it is not
   */
  record State(
      double[] laneErrors,
      double[] laneBits,
      String laneSignal,
      double errors,
      double bits,
      String signal,
      int readings,
      int oper,
      long atNanos,
      long sinceNanos) {}

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
    return new State(new double[0], new double[0], "", 0, 0, "", 0, PortView.UNKNOWN, 0, 0);
  }

  @Override
  public Step<State> step(State state, SignalWindow window, DetectContext context) {
    PortView port = new PortView(signals, window, context);
    double elapsed =
        state.atNanos() == 0 ? 0 : Math.max(0, port.nowNanos() - state.atNanos()) / 1e9;
    double fade = Math.exp(-elapsed / MEMORY_SECONDS);
    State next = faded(state, fade, port);
    if (!port.isDisturbed(state.oper())) {
      next = withPort(withLanes(next, port), port);
    }
    List<Finding> findings = findings(next, port);
    long since =
        findings.isEmpty() ? 0 : next.sinceNanos() == 0 ? port.nowNanos() : next.sinceNanos();
    return new Step<>(since(next, since), findings);
  }

  private static State faded(State state, double fade, PortView port) {
    return new State(
        Arrays.stream(state.laneErrors()).map(errors -> errors * fade).toArray(),
        Arrays.stream(state.laneBits()).map(bits -> bits * fade).toArray(),
        state.laneSignal(),
        state.errors() * fade,
        state.bits() * fade,
        state.signal(),
        state.readings(),
        port.oper(),
        port.nowNanos(),
        state.sinceNanos());
  }

  private static State since(State state, long since) {
    return new State(
        state.laneErrors(),
        state.laneBits(),
        state.laneSignal(),
        state.errors(),
        state.bits(),
        state.signal(),
        state.readings(),
        state.oper(),
        state.atNanos(),
        since);
  }

  // --- what is read

  private State withLanes(State state, PortView port) {
    int counter = lanes.signal(port.window);
    boolean counted = counter >= 0 && !Double.isNaN(port.growth(counter));
    int signal = counted ? counter : laneGauge;
    int elements = port.window.elements(signal);
    if (elements < 2 || port.speed() <= 0 || (!counted && !port.window.isFresh(laneGauge))) {
      return state;
    }
    String name = dictionary.signal(signal).id();
    boolean same = name.equals(state.laneSignal());
    double laneRate = port.speed() / Math.max(1, LaneErrors.lanes(port.window, signal));
    double[] errors = new double[elements];
    double[] bits = new double[elements];
    for (int lane = 0; lane < elements; lane++) {
      if (same && lane < state.laneBits().length) {
        errors[lane] = state.laneErrors()[lane];
        bits[lane] = state.laneBits()[lane];
      }
      if (counted && port.hasGrowth(signal, lane)) {
        errors[lane] += port.growth(signal, lane);
        bits[lane] += port.window.seconds(signal, lane) * laneRate;
      } else if (!counted && isRatio(port.window.value(signal, lane))) {
        errors[lane] += port.window.value(signal, lane) * GAUGE_SECONDS * laneRate;
        bits[lane] += GAUGE_SECONDS * laneRate;
      }
    }
    return new State(
        errors,
        bits,
        name,
        state.errors(),
        state.bits(),
        state.signal(),
        Math.min(2, state.readings() + 1),
        state.oper(),
        state.atNanos(),
        state.sinceNanos());
  }

  private State withPort(State state, PortView port) {
    PortErrors.Reading reading = portErrors.read(port, GAUGE_SECONDS);
    if (reading == null) {
      return state;
    }
    boolean same = reading.signal().equals(state.signal());
    return new State(
        state.laneErrors(),
        state.laneBits(),
        state.laneSignal(),
        (same ? state.errors() : 0) + reading.errors(),
        (same ? state.bits() : 0) + reading.bits(),
        reading.signal(),
        state.bits() > 0 || state.readings() > 0 ? 2 : 1,
        state.oper(),
        state.atNanos(),
        state.sinceNanos());
  }

  private static boolean isRatio(double value) {
    return value >= 0 && value <= HALF;
  }

  // --- what is said

  private List<Finding> findings(State state, PortView port) {
    double limit = BerLimits.error(port.speed(), state.laneBits().length, port.context.port());
    RateLimit rate = new RateLimit(limit / 10, HALF, 0, Double.POSITIVE_INFINITY);
    double[] ratios = ratios(state);
    int worst = worst(ratios);
    double laneNats =
        worst < 0 ? 0 : nats(state, rate, state.laneErrors()[worst], state.laneBits()[worst]);
    double portNats = nats(state, rate, state.errors(), state.bits());
    if (Math.max(laneNats, portNats) <= WORTH_SAYING) {
      return List.of();
    }
    boolean byLane =
        laneNats >= portNats || LaneErrors.outlier(ratios) >= 0 && laneNats > WORTH_SAYING;
    return byLane
        ? ofLane(state, port, limit, ratios, worst, laneNats)
        : List.of(ofPort(state, port, limit, portNats));
  }

  private List<Finding> ofLane(
      State state, PortView port, double limit, double[] ratios, int worst, double nats) {
    boolean alone = LaneErrors.outlier(ratios) == worst;
    Subject where = alone ? Subject.lane(port.window.port(), worst) : port.port();
    Cause cause = alone ? Cause.PHY_LANE : Cause.PHY_LINK;
    String observed =
        alone
            ? "%s errors a bit before FEC on lane %d, %s on the others"
                .formatted(
                    Figures.rate(ratios[worst]),
                    worst,
                    Figures.rate(LaneErrors.medianWithout(ratios, worst)))
            : "%s errors a bit before FEC on the worst of %d lanes"
                .formatted(Figures.rate(ratios[worst]), ratios.length);
    List<Finding> findings = new ArrayList<>();
    findings.add(finding(state, port, cause, state.laneSignal(), where, observed, limit, nats));
    if (alone) {
      addDimLight(findings, state, port, worst);
    }
    return findings;
  }

  private Finding ofPort(State state, PortView port, double limit, double nats) {
    return finding(
        state,
        port,
        Cause.PHY_LINK,
        state.signal(),
        port.port(),
        "%s errors a bit before FEC".formatted(Figures.rate(state.errors() / state.bits())),
        limit,
        nats);
  }

  private static Finding finding(
      State state,
      PortView port,
      Cause cause,
      String signal,
      Subject where,
      String observed,
      double limit,
      double nats) {
    long since = state.sinceNanos() == 0 ? port.nowNanos() : state.sinceNanos();
    String expected =
        "below %s (%s)".formatted(Figures.rate(limit), BerLimits.basis(port.context.port()));
    return new Finding(
        ID,
        port.link(),
        cause,
        port.evidence(Family.PHY, signal, where, observed, expected, Reference.LIMIT, nats, since),
        PortView.instant(since));
  }

  private void addDimLight(List<Finding> findings, State state, PortView port, int lane) {
    double[] power = new double[port.window.elements(rxPower)];
    for (int element = 0; element < power.length; element++) {
      power[element] = port.window.value(rxPower, element);
    }
    if (lane >= power.length || Double.isNaN(power[lane])) {
      return;
    }
    double below = LaneErrors.medianWithout(power, lane) - power[lane];
    if (below >= DIM_DECIBELS) {
      long since = state.sinceNanos() == 0 ? port.nowNanos() : state.sinceNanos();
      findings.add(
          new Finding(
              ID,
              port.link(),
              Cause.PHY_LANE,
              port.evidence(
                  Family.PHY,
                  "optics.rx_power_dbm",
                  Subject.lane(port.window.port(), lane),
                  "%.1f dBm on lane %d, %.1f dB below the others"
                      .formatted(power[lane], lane, below),
                  "within 2 dB of the others",
                  Reference.PEERS,
                  DIM_NATS,
                  since),
              PortView.instant(since)));
    }
  }

  private static double nats(State state, RateLimit rate, double errors, double bits) {
    double nats = rate.nats(errors, bits);
    return state.readings() < 2 ? Math.min(nats, FIRST_READING) : nats;
  }

  private static double[] ratios(State state) {
    double[] ratios = new double[state.laneBits().length];
    for (int lane = 0; lane < ratios.length; lane++) {
      ratios[lane] =
          state.laneBits()[lane] > 0
              ? state.laneErrors()[lane] / state.laneBits()[lane]
              : Double.NaN;
    }
    return ratios;
  }

  private static int worst(double[] ratios) {
    int worst = -1;
    for (int lane = 0; lane < ratios.length; lane++) {
      if (!Double.isNaN(ratios[lane]) && (worst < 0 || ratios[lane] > ratios[worst])) {
        worst = lane;
      }
    }
    return worst;
  }
}
