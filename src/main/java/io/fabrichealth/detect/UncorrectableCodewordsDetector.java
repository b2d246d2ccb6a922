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
 * port counts corrected errors by lane and one of them stands out. Lost codewords at an error ratio
 * before FEC at which noise would lose none (a fifth of the code's limit, 5e-5 for RS(544,514))
 * came in bursts: the link loses packets however good it looks on the average, and that is the
 * cause. Where no error ratio is told, lost packets beside them say the same.
 *
 * <p><b>When it stays silent:</b> counters that the port does not have, that were reset or that
 * stand at their end say nothing (one that just reached its end counts as "or more"); intervals in
 * which the link went down or came up do not count; up to about five errors at once are no
 * evidence.
 *
 * <p><b>How it clears:</b> about 10 minutes after the last burst, or when no error came in the time
 * in which the old rate would have brought 7.
 *
 * <p><b>Settings:</b> {@code uncorrectable-codewords.*}.
 *
 * <p><b>Source:</b> NVIDIA NDR link validation (2.88 symbol errors in 12 min, 3 in 125 min); IEEE
 * 802.3 frame loss ratios of 400G, which come to the same order.
 */
public final class UncorrectableCodewordsDetector
    implements Detector<UncorrectableCodewordsDetector.State> {
  private static final String ID = "uncorrectable-codewords";
  private static final double WORST = 1e-6;
  private static final double STRAYS = .1;
  private static final double CEILING = 35;
  private static final Span SPAN = new Span(Duration.ofMinutes(5), Duration.ofHours(24));
  private static final double TWELVE_MINUTES = 720;
  private static final double WORTH_SAYING = 1;

  /** Share of the code's limit below which noise loses nothing. */
  private static final double GOOD = .2;

  /** No error ratio before FEC is known. */
  private static final double UNKNOWN = -1;

  /** Taken where no speed is known: the fastest, so that the limit is the widest. */
  private static final double FASTEST = 800e9;

  private static final List<String> NAMES =
      List.of("fec.uncorrectable_codewords", "ib.symbol_errors", "ib.receive_errors");
  private static final List<String> WORDS =
      List.of("uncorrectable codewords", "symbol errors", "packets with errors");

  private final Signals signals;
  private final LaneErrors lanes;
  private final BitErrors bitErrors;
  private final int inErrors;
  private final int[] counters;
  private final RateLimit limit;

  public UncorrectableCodewordsDetector(SignalDictionary dictionary, Thresholds thresholds) {
    signals = new Signals(dictionary);
    bitErrors = new BitErrors(dictionary);
    inErrors = dictionary.ordinal("port.in_errors");
    limit =
        new RateLimit(
            thresholds.number("uncorrectable-codewords.errors-per-bit") / 10,
            WORST,
            STRAYS,
            CEILING);
    lanes = new LaneErrors(dictionary);
    counters = NAMES.stream().mapToInt(dictionary::ordinal).toArray();
  }

  /**
   * What is remembered of a port.
   *
   * @param memories one per counter, in bits of exposure
   * @param oper state at the last poll
   * @param lane the lane that stood out last; -1 without one
   * @param ratio errors a bit before FEC when codewords were lost last; negative where it was not
   *     told
   * @param packets whether packets were lost then
   */
  record State(List<RateMemory> memories, int oper, int lane, double ratio, boolean packets) {}

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
        List.of(RateMemory.EMPTY, RateMemory.EMPTY, RateMemory.EMPTY),
        PortView.UNKNOWN,
        -1,
        UNKNOWN,
        false);
  }

  @Override
  public Step<State> step(State state, SignalWindow window, DetectContext context) {
    PortView port = new PortView(signals, window, context);
    boolean disturbed = port.isDisturbed(state.oper());
    double speed = port.speed() > 0 ? port.speed() : FASTEST;
    List<RateMemory> memories = new ArrayList<>(counters.length);
    boolean lost = false;
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
                  limit,
                  SPAN));
      lost |= count > 0;
    }
    int lane = disturbed ? state.lane() : lanes.outlier(port, state.lane());
    double ratio = lost ? ratio(port) : state.ratio();
    boolean packets = lost ? port.growth(inErrors) > 0 : state.packets();
    State next = new State(memories, port.oper(), lane, ratio, packets);
    return new Step<>(next, findings(next, port, speed));
  }

  private double ratio(PortView port) {
    double ratio =
        bitErrors.ratio(port.window, port.context.device(), port.context.port(), port.speed());
    return Double.isNaN(ratio) ? UNKNOWN : ratio;
  }

  /** Whether noise of the ratio that was measured does not lose codewords. */
  private static boolean isInBursts(State state, PortView port) {
    return state.ratio() >= 0
        && state.ratio() < GOOD * BerLimits.ofCode(port.speed(), port.context.port());
  }

  private static Cause cause(State state, PortView port) {
    if (state.lane() >= 0) {
      return Cause.PHY_LANE;
    }
    return isInBursts(state, port) || (state.ratio() < 0 && state.packets())
        ? Cause.PACKET_LOSS
        : Cause.PHY_LINK;
  }

  private static String manner(State state, PortView port) {
    return isInBursts(state, port)
        ? ", in bursts: %s errors per bit before FEC".formatted(Figures.rate(state.ratio()))
        : "";
  }

  private List<Finding> findings(State state, PortView port, double speed) {
    List<Finding> findings = new ArrayList<>();
    for (int index = 0; index < counters.length; index++) {
      RateMemory memory = state.memories().get(index);
      double nats = memory.nats(limit);
      if (nats > WORTH_SAYING) {
        boolean oneLane = state.lane() >= 0;
        Subject where = oneLane ? Subject.lane(port.window.port(), state.lane()) : port.port();
        String orMore = port.isCensored(counters[index]) ? " or more" : "";
        findings.add(
            new Finding(
                ID,
                port.link(),
                cause(state, port),
                port.evidence(
                    Family.PHY,
                    NAMES.get(index),
                    where,
                    Figures.count(memory.seen())
                        + orMore
                        + " "
                        + WORDS.get(index)
                        + " in "
                        + Figures.time(memory.seenExposure() / speed)
                        + manner(state, port),
                    "at most %s in 12 min at %s"
                        .formatted(
                            Figures.count(limit.error() * speed * TWELVE_MINUTES),
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
