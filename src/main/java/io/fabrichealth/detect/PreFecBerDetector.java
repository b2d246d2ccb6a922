package io.fabrichealth.detect;

import io.fabrichealth.finding.Finding;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Errors that FEC repairs, while it still can.
 *
 * <p><b>What it catches:</b> a dirty or failing optic, a bad cable, one bad lane: the bit error
 * ratio before FEC is over its limit, or has left what is usual for this port, and nothing is lost
 * yet.
 *
 * <p><b>What it compares:</b> the ratio of each lane, and that of the whole port,
 *
 * <ul>
 *   <li>with the limit of its speed, FEC and media ({@link BerLimits}). A part number of which all
 *       show more than that is given what its cohort shows, but never more than what leaves the
 *       code a decibel of margin;
 *   <li>each lane with its own past beside the other lanes of the module: ten times more than usual
 *       while the others stay where they were is that lane, and what all lanes do together (the
 *       temperature of a day) is none;
 *   <li>the port with its last hour, allowing for the temperature of its module;
 *   <li>the port with the others of its part number;
 *   <li>a line through its past, without what the temperature does, with the code's limit: the time
 *       that is left.
 * </ul>
 *
 * The ratio of a lane comes from its corrected errors and its share of the bit rate, or from the
 * device's own gauge; that of the port from the histogram of codewords, the total of corrected
 * errors, the corrected codewords, or a gauge, whichever comes first, and the evidence names the
 * signal. A lane is named where it has left its place, or has ten times the median of the others;
 * light that is 2 dB below the other lanes supports it.
 *
 * <p><b>When it stays silent:</b> below the limit while nothing changes; on a first reading alone;
 * of bursts shorter than three polls; in intervals in which the link went down or came up, after
 * which it learns anew what is usual; where the port counts nothing of the kind or no speed is
 * known. No errors before FEC say nothing against other faults.
 *
 * <p><b>How it clears:</b> the memory has a time constant of one minute: a few minutes after the
 * ratio fell below the limit, or back to what was usual. What is usual follows a raised ratio
 * within weeks only.
 *
 * <p><b>Settings:</b> {@code pre-fec-ber.*}.
 *
 * <p><b>Source:</b> NVIDIA field BER thresholds V06; IEEE 802.3 (2.4e-4 for RS(544,514)); Poisson
 * likelihood of {@link RateLimit}.
 */
public final class PreFecBerDetector implements Detector<PreFecBerDetector.State> {
  private static final String ID = "pre-fec-ber";

  private static final long TREND_NANOS = 300_000_000_000L;

  private final Signals signals;
  private final BitErrors bitErrors;
  private final PreFecBerFindings says;
  private final int temperature;
  private final double memorySeconds;
  private final double usualRatio;
  private final double laneMemorySeconds;
  private final double linkMemorySeconds;
  private final double trendHours;

  public PreFecBerDetector(
      SignalDictionary dictionary, Thresholds thresholds, CohortsDetector cohorts) {
    signals = new Signals(dictionary);
    bitErrors = new BitErrors(dictionary);
    says = new PreFecBerFindings(ID, dictionary, thresholds, cohorts, bitErrors);
    temperature = dictionary.ordinal("optics.module_temperature_celsius");
    memorySeconds = thresholds.number("pre-fec-ber.memory-seconds");
    usualRatio = thresholds.number("pre-fec-ber.least-usual-ratio");
    laneMemorySeconds = thresholds.number("pre-fec-ber.lane-memory-hours") * 3600;
    linkMemorySeconds = thresholds.number("pre-fec-ber.link-memory-hours") * 3600;
    trendHours = thresholds.number("pre-fec-ber.warn-hours");
  }

  /**
   * What is remembered of a port.
   *
   * @param lanes by lane
   * @param whole of the port as a whole, from another source than the lanes
   * @param laneHistory what is usual by lane
   * @param linkHistory what is usual of the port
   * @param trend where its ratio goes
   * @param readings how many polls told something, counted to 2
   * @param oper state at the last poll
   * @param atNanos time of the last poll; 0 before the first
   * @param firstNanos time of the first poll that told something; 0 before it
   * @param sinceNanos since when there is something to say; 0 while there is not
   */
  record State(
      ErrorRatios lanes,
      ErrorRatios whole,
      LaneHistory laneHistory,
      LinkHistory linkHistory,
      BerTrend trend,
      int readings,
      int oper,
      long atNanos,
      long firstNanos,
      long sinceNanos) {

    State since(long nanos) {
      return nanos == sinceNanos
          ? this
          : new State(
              lanes,
              whole,
              laneHistory,
              linkHistory,
              trend,
              readings,
              oper,
              atNanos,
              firstNanos,
              nanos);
    }

    /** Errors a bit of the port as a whole; NaN where nothing was read. */
    double ratio() {
      return whole.size() > 0 && whole.bits()[0] > 0 ? whole.ratio(0) : lanes.mean();
    }

    String signal() {
      return whole.size() > 0 && whole.bits()[0] > 0 ? whole.signal() : lanes.signal();
    }
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
    return new State(
        ErrorRatios.NONE,
        ErrorRatios.NONE,
        LaneHistory.NONE,
        LinkHistory.NONE,
        BerTrend.NONE,
        0,
        PortView.UNKNOWN,
        0,
        0,
        0);
  }

  @Override
  public Step<State> step(State state, SignalWindow window, DetectContext context) {
    PortView port = new PortView(signals, window, context);
    long now = port.nowNanos();
    boolean disturbed = port.isDisturbed(state.oper());
    double speed = port.speed();
    ErrorRatios byLane = disturbed ? null : bitErrors.byLane(window, speed);
    ErrorRatios asWhole =
        disturbed ? null : bitErrors.whole(window, context.device(), context.port(), speed);
    boolean isRead = byLane != null || asWhole != null;
    if (!isRead && !disturbed && state.readings() == 0 && port.oper() == state.oper()) {
      return Step.silent(state);
    }
    double elapsed = state.atNanos() == 0 ? 0 : Math.max(0, now - state.atNanos()) / 1e9;
    double fade = Math.exp(-elapsed / memorySeconds);
    ErrorRatios lanes = state.lanes().faded(fade);
    ErrorRatios whole = state.whole().faded(fade);
    State next =
        new State(
            byLane == null ? lanes : lanes.plus(byLane),
            asWhole == null ? whole : whole.plus(asWhole),
            disturbed ? LaneHistory.NONE : state.laneHistory(),
            disturbed ? LinkHistory.NONE : state.linkHistory(),
            state.trend(),
            Math.min(2, state.readings() + (isRead ? 1 : 0)),
            port.oper(),
            now,
            state.firstNanos() == 0 && isRead ? now : state.firstNanos(),
            state.sinceNanos());
    if (isRead) {
      double read = asWhole != null ? asWhole.ratio(0) : byLane == null ? 0 : byLane.mean();
      next = learnt(next, byLane, read, window.value(temperature, 0), elapsed);
    }
    long since = state.sinceNanos() == 0 ? now : state.sinceNanos();
    List<Finding> findings = says.of(next.since(since), port);
    return findings.isEmpty()
        ? Step.silent(next.since(0))
        : new Step<>(next.since(since), findings);
  }

  private State learnt(
      State next, @Nullable ErrorRatios byLane, double read, double celsius, double elapsed) {
    LaneHistory lanes =
        byLane == null || next.lanes().size() != byLane.size()
            ? next.laneHistory()
            : next.laneHistory().next(next.lanes(), byLane, elapsed, laneMemorySeconds, usualRatio);
    LinkHistory link =
        next.linkHistory()
            .next(next.ratio(), read, celsius, elapsed, linkMemorySeconds, usualRatio);
    BerTrend trend =
        next.ratio() > usualRatio && next.trend().isDue(next.atNanos(), TREND_NANOS)
            ? next.trend()
                .next(
                    Math.log10(next.ratio()),
                    link.temperature() == LinkHistory.UNKNOWN ? Double.NaN : link.temperature(),
                    next.atNanos(),
                    3 * trendHours)
            : next.trend();
    return new State(
        next.lanes(),
        next.whole(),
        lanes,
        link,
        trend,
        next.readings(),
        next.oper(),
        next.atNanos(),
        next.firstNanos(),
        next.sinceNanos());
  }
}
