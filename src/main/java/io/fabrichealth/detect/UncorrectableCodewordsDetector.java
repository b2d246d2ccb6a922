package io.fabrichealth.detect;

import io.fabrichealth.detect.RateMemory.Span;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Errors that FEC could not repair.
 *
 * <p><b>What it catches:</b> codewords beyond repair, InfiniBand symbol errors, and packets
 * received with errors: data is lost or sent again.
 *
 * <p><b>What it compares:</b> the number of errors with the bits that passed meanwhile, against
 * 1e-14 errors per bit: 2.88 in 12 minutes at 400 Gb/s, half of that at 200 Gb/s. Two memories, of
 * 5 minutes and of a day, so that both a burst and a trickle count. The lane is named where the
 * port counts corrected errors by lane and one of them stands out.
 *
 * <p><b>When it stays silent:</b> counters that the port does not have, that were reset or that
 * stand at their end say nothing (one that just reached its end counts as "or more"); intervals in
 * which the link went down or came up do not count; up to about five errors at once are no
 * evidence.
 *
 * <p><b>How it clears:</b> about 10 minutes after the last burst, or when no error came in the time
 * in which the old rate would have brought 7.
 *
 * <p><b>Settings:</b> none.
 *
 * <p><b>Source:</b> NVIDIA NDR link validation (2.88 symbol errors in 12 min, 3 in 125 min); IEEE
 * 802.3 frame loss ratios of 400G, which come to the same order.
 */
public final class UncorrectableCodewordsDetector
    implements Detector<UncorrectableCodewordsDetector.State> {
  private static final String ID = "uncorrectable-codewords";
  private static final RateLimit LIMIT = new RateLimit(1e-15, 1e-6, .1, 35);
  private static final Span SPAN = new Span(Duration.ofMinutes(5), Duration.ofHours(24));
  private static final double TWELVE_MINUTES = 720;
  private static final double WORTH_SAYING = 1;

  /** Taken where no speed is known: the fastest, so that the limit is the widest. */
  private static final double FASTEST = 800e9;

  private static final List<String> NAMES =
      List.of("fec.uncorrectable_codewords", "ib.symbol_errors", "ib.receive_errors");
  private static final List<String> WORDS =
      List.of("uncorrectable codewords", "symbol errors", "packets with errors");

  private final Signals signals;
  private final LaneErrors lanes;
  private final int[] counters;

  public UncorrectableCodewordsDetector(SignalDictionary dictionary) {
    signals = new Signals(dictionary);
    lanes = new LaneErrors(dictionary);
    counters = NAMES.stream().mapToInt(dictionary::ordinal).toArray();
  }

  /**
   * What is remembered of a port.
   *
   * @param memories one per counter, in bits of exposure
   * @param oper state at the last poll
   * @param lane the lane that stood out last; -1 without one
   */
  record State(List<RateMemory> memories, int oper, int lane) {}

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
        List.of(RateMemory.EMPTY, RateMemory.EMPTY, RateMemory.EMPTY), PortView.UNKNOWN, -1);
  }

  @Override
  public Step<State> step(State state, SignalWindow window, DetectContext context) {
    PortView port = new PortView(signals, window, context);
    boolean disturbed = port.isDisturbed(state.oper());
    double speed = port.speed() > 0 ? port.speed() : FASTEST;
    List<RateMemory> memories = new ArrayList<>(counters.length);
    for (int index = 0; index < counters.length; index++) {
      double count = disturbed ? Double.NaN : port.growth(counters[index]);
      boolean read = !Double.isNaN(count);
      memories.add(
          state
              .memories()
              .get(index)
              .next(
                  read ? count : 0,
                  read ? port.seconds(counters[index]) * speed : 0,
                  port.nowNanos(),
                  LIMIT,
                  SPAN));
    }
    int lane = disturbed ? state.lane() : lanes.outlier(port, state.lane());
    State next = new State(memories, port.oper(), lane);
    return new Step<>(next, findings(next, port, speed));
  }

  private List<Finding> findings(State state, PortView port, double speed) {
    List<Finding> findings = new ArrayList<>();
    for (int index = 0; index < counters.length; index++) {
      RateMemory memory = state.memories().get(index);
      double nats = memory.nats(LIMIT);
      if (nats > WORTH_SAYING) {
        boolean oneLane = state.lane() >= 0;
        Subject where = oneLane ? Subject.lane(port.window.port(), state.lane()) : port.port();
        String orMore = port.isCensored(counters[index]) ? " or more" : "";
        findings.add(
            new Finding(
                ID,
                port.link(),
                oneLane ? Cause.PHY_LANE : Cause.PHY_LINK,
                port.evidence(
                    Family.PHY,
                    NAMES.get(index),
                    where,
                    Figures.count(memory.seen())
                        + orMore
                        + " "
                        + WORDS.get(index)
                        + " in "
                        + Figures.time(memory.seenExposure() / speed),
                    "at most %s in 12 min at %s"
                        .formatted(
                            Figures.count(LIMIT.error() * speed * TWELVE_MINUTES),
                            Figures.speed(speed)),
                    Reference.LIMIT,
                    nats,
                    memory.sinceNanos()),
                PortView.instant(memory.sinceNanos())));
      }
    }
    return findings;
  }
}
