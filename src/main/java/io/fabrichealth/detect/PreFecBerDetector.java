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
  private static final double WORST = .5;
  private static final double FIRST_READING_NATS = 5;
  private static final double WORTH_SAYING = 1;
  private static final double DIM_DECIBELS = 2;
  private static final double DIM_NATS = 2;

  private final Signals signals;
  private final BitErrors bitErrors;
  private final int rxPower;

  public PreFecBerDetector(SignalDictionary dictionary) {
    signals = new Signals(dictionary);
    bitErrors = new BitErrors(dictionary);
    rxPower = dictionary.ordinal("optics.rx_power_dbm");
  }

  /**
   * What is remembered of a port.
   *
   * @param lanes by lane
   * @param whole of the port as a whole, from another source than the lanes
   * @param readings how many polls told something, counted to 2
   * @param oper state at the last poll
   * @param atNanos time of the last poll; 0 before the first
   * @param sinceNanos since when there is something to say; 0 while there is not
   */
  record State(
      ErrorRatios lanes,
      ErrorRatios whole,
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
    return new State(ErrorRatios.NONE, ErrorRatios.NONE, 0, PortView.UNKNOWN, 0, 0);
  }

  @Override
  public Step<State> step(State state, SignalWindow window, DetectContext context) {
    PortView port = new PortView(signals, window, context);
    long now = port.nowNanos();
    double elapsed = state.atNanos() == 0 ? 0 : Math.max(0, now - state.atNanos()) / 1e9;
    double fade = Math.exp(-elapsed / MEMORY_SECONDS);
    boolean disturbed = port.isDisturbed(state.oper());
    ErrorRatios byLane = disturbed ? null : bitErrors.byLane(port);
    ErrorRatios asWhole = disturbed ? null : bitErrors.whole(port);
    boolean read = byLane != null || asWhole != null;
    ErrorRatios lanes = state.lanes().faded(fade);
    ErrorRatios whole = state.whole().faded(fade);
    State next =
        new State(
            byLane == null ? lanes : lanes.plus(byLane),
            asWhole == null ? whole : whole.plus(asWhole),
            Math.min(2, state.readings() + (read ? 1 : 0)),
            port.oper(),
            now,
            state.sinceNanos() == 0 ? now : state.sinceNanos());
    List<Finding> findings = findings(next, port);
    return findings.isEmpty()
        ? Step.silent(new State(next.lanes, next.whole, next.readings, next.oper, now, 0))
        : new Step<>(next, findings);
  }

  private List<Finding> findings(State state, PortView port) {
    ErrorRatios lanes = state.lanes();
    double limit = BerLimits.error(port.speed(), lanes.size(), port.context.port());
    RateLimit rate = new RateLimit(limit / 10, WORST, 0, Double.POSITIVE_INFINITY);
    double most = state.readings() < 2 ? FIRST_READING_NATS : Double.POSITIVE_INFINITY;
    int worst = lanes.worst();
    double laneNats = worst < 0 ? 0 : Math.min(most, lanes.nats(worst, rate));
    double wholeNats = state.whole().worst() < 0 ? 0 : Math.min(most, state.whole().nats(0, rate));
    if (Math.max(laneNats, wholeNats) <= WORTH_SAYING) {
      return List.of();
    }
    boolean alone = LaneErrors.outlier(lanes.ratios()) >= 0;
    return laneNats >= wholeNats || (alone && laneNats > WORTH_SAYING)
        ? ofLane(state, port, limit, worst, laneNats, alone)
        : List.of(ofWhole(state, port, limit, wholeNats));
  }

  private List<Finding> ofLane(
      State state, PortView port, double limit, int worst, double nats, boolean alone) {
    ErrorRatios lanes = state.lanes();
    Subject where = alone ? Subject.lane(port.window.port(), worst) : port.port();
    double others = LaneErrors.medianWithout(lanes.ratios(), worst);
    String observed =
        "%s errors per bit before FEC on lane %d%s"
            .formatted(
                Figures.rate(lanes.ratio(worst)),
                worst,
                Double.isNaN(others) ? "" : ", " + Figures.rate(others) + " on the others");
    List<Finding> findings = new ArrayList<>();
    findings.add(
        finding(
            state,
            port,
            alone ? Cause.PHY_LANE : Cause.PHY_LINK,
            lanes.signal(),
            where,
            observed,
            limit,
            nats));
    if (alone) {
      addDimLight(findings, state, port, worst);
    }
    return findings;
  }

  private static Finding ofWhole(State state, PortView port, double limit, double nats) {
    ErrorRatios whole = state.whole();
    String observed = Figures.rate(whole.ratio(0)) + " errors per bit before FEC";
    return finding(state, port, Cause.PHY_LINK, whole.signal(), port.port(), observed, limit, nats);
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
    String expected =
        "below %s (%s)".formatted(Figures.rate(limit), BerLimits.basis(port.context.port()));
    return new Finding(
        ID,
        port.link(),
        cause,
        port.evidence(
            Family.PHY,
            signal,
            where,
            observed,
            expected,
            Reference.LIMIT,
            nats,
            state.sinceNanos()),
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
          new Finding(
              ID,
              port.link(),
              Cause.PHY_LANE,
              port.evidence(
                  Family.PHY,
                  "optics.rx_power_dbm",
                  Subject.lane(port.window.port(), lane),
                  "%s dBm on lane %d, %s dB below the others"
                      .formatted(Figures.decibels(power[lane]), lane, Figures.decibels(below)),
                  "within 2 dB of the others",
                  Reference.PEERS,
                  DIM_NATS,
                  state.sinceNanos()),
              PortView.instant(state.sinceNanos())));
    }
  }
}
