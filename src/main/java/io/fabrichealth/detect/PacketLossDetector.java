package io.fabrichealth.detect;

import io.fabrichealth.detect.RateMemory.Span;
import io.fabrichealth.detect.statistics.Budget;
import io.fabrichealth.detect.statistics.CusumBank;
import io.fabrichealth.detect.statistics.FadingCounts;
import io.fabrichealth.detect.statistics.GammaPosterior;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Packets that a port loses and counts.
 *
 * <p><b>What it catches:</b> frames that arrive broken, and packets that are thrown away although
 * the port has room: a bad cable, a bad port, a wrong MTU. On InfiniBand: received errors and
 * discards of the PMA.
 *
 * <p><b>What it compares:</b> errors and discards with the packets of the port in the same
 * direction, against a limit: 1e-6 for errors, 1e-5 for discards; errors are remembered for 5
 * minutes and for a day, discards for 5 minutes. Below the limit, down to a tenth of it, broken
 * frames are compared with how often the port and ports of its kind received them before: by
 * cumulative sums, whose threshold follows from the budget, and in which a burst counts as few.
 *
 * <p><b>When it stays silent:</b> discards while the port is at 70 % of its speed or more, while
 * packets are marked (ECN) or the port is paused are congestion; so are those of a port whose load
 * is not known. Where nobody counts marks, a port counts as full from 30 %, and one to a host, to
 * which many may send at once, from 5 %: polls blur bursts. A host that drops for want of buffers
 * is no link. A handful of discards comes with every start; incoming ones (frames of unknown
 * protocols) are let pass up to one in 10 seconds. Intervals in which the link went down or came up
 * do not count, and neither do resets and counters that stand at their end.
 *
 * <p><b>How it clears:</b> about 10 minutes after the last loss.
 *
 * <p><b>Settings:</b> {@code packet-loss.*}; the threshold follows from the budget.
 *
 * <p><b>Source:</b> ifInErrors, ifOutErrors, ifInDiscards, ifOutDiscards (RFC 2863); PortRcvErrors,
 * PortXmitDiscards (IBTA 16.1.3.5); loss rates of corrupting and congested links (CorrOpt, SIGCOMM
 * 2017).
 */
public final class PacketLossDetector implements Detector<PacketLossDetector.State> {
  private static final String ID = "packet-loss";
  private static final Span SPAN = new Span(Duration.ofMinutes(5), Duration.ofHours(24));
  private static final double WORTH_SAYING = 1;
  private static final double WORST = .5;

  /** The surprise, in nats, that a memory can hold. */
  private static final double CEILING = 35;

  /** Broken frames of one poll that the cumulative sums count, since they come in bursts. */
  private static final double MOST_OF_A_POLL = 5;

  /** The rate of broken frames below which changes do not count, and what is taken before any. */
  private static final double SHARE_OF_LIMIT = .1;

  private static final double USUAL_SHARE = .01;

  /** What is counted, and what of it every start and every day brings. */
  private enum Loss {
    IN_ERRORS("port.in_errors", "ib.receive_errors", "packets arrived broken", .3),
    OUT_ERRORS("port.out_errors", "", "packets could not be sent", .3),
    IN_DISCARDS("port.in_discards", "", "incoming packets were thrown away", 30),
    OUT_DISCARDS(
        "port.out_discards", "ib.transmit_discards", "outgoing packets were thrown away", 1);

    private final String signal;
    private final String other;
    private final String words;
    private final double strays;

    Loss(String signal, String other, String words, double strays) {
      this.signal = signal;
      this.other = other;
      this.words = words;
      this.strays = strays;
    }

    boolean isIncoming() {
      return this == IN_ERRORS || this == IN_DISCARDS;
    }

    boolean isError() {
      return this == IN_ERRORS || this == OUT_ERRORS;
    }
  }

  private static final List<Loss> LOSSES = List.of(Loss.values());

  private final Signals signals;
  private final int[] counters;
  private final int[] others;
  private final RateLimit[] limits;
  private final Congestion congestion;
  private final ScreenDetector screen;
  private final Budget budget;
  private final double errorLimit;

  public PacketLossDetector(
      SignalDictionary dictionary, Thresholds thresholds, ScreenDetector screen) {
    signals = new Signals(dictionary);
    counters = LOSSES.stream().mapToInt(loss -> dictionary.ordinal(loss.signal)).toArray();
    others =
        LOSSES.stream()
            .mapToInt(loss -> loss.other.isEmpty() ? -1 : dictionary.ordinal(loss.other))
            .toArray();
    errorLimit = thresholds.number(ID + ".errors-per-packet");
    double discardLimit = thresholds.number(ID + ".discards-per-packet");
    limits =
        LOSSES.stream()
            .map(loss -> limit(loss, loss.isError() ? errorLimit : discardLimit))
            .toArray(RateLimit[]::new);
    congestion = new Congestion(thresholds);
    this.screen = screen;
    budget = Detectors.budget(thresholds);
  }

  private static RateLimit limit(Loss loss, double error) {
    return new RateLimit(error / 10, WORST, loss.strays, CEILING);
  }

  /**
   * What is remembered of a port.
   *
   * @param memories errors in and out, discards in and out, with packets as their exposure
   * @param errors broken frames received, on both scales
   * @param rise of these above what was usual
   * @param readNanos of the last poll; 0 before the first
   * @param oper state at the last poll
   */
  record State(
      List<RateMemory> memories, FadingCounts errors, CusumBank rise, long readNanos, int oper) {}

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
        List.of(RateMemory.EMPTY, RateMemory.EMPTY, RateMemory.EMPTY, RateMemory.EMPTY),
        FadingCounts.EMPTY,
        CusumBank.EMPTY,
        0,
        PortView.UNKNOWN);
  }

  @Override
  public Step<State> step(State state, SignalWindow window, DetectContext context) {
    PortView port = new PortView(signals, window, context);
    boolean disturbed = port.isDisturbed(state.oper());
    List<RateMemory> memories = new ArrayList<>(LOSSES.size());
    List<Finding> findings = List.of();
    FadingCounts errors = state.errors();
    CusumBank rise = state.rise();
    for (Loss loss : LOSSES) {
      double count = disturbed ? Double.NaN : count(port, loss);
      double packets = port.growth(loss.isIncoming() ? signals.inPackets : signals.outPackets);
      boolean counts =
          !Double.isNaN(count) && !Double.isNaN(packets) && !(count > 0 && isExplained(port, loss));
      RateLimit limit = limits[loss.ordinal()];
      RateMemory memory = state.memories().get(loss.ordinal());
      double exposure = counts ? packets + count : 0;
      memory = memory.next(counts ? count : 0, exposure, port.nowNanos(), limit, SPAN);
      memories.add(memory);
      double nats = loss.isError() ? memory.nats(limit) : memory.recentNats(limit);
      if (loss == Loss.IN_ERRORS && counts) {
        double seconds =
            state.readNanos() == 0 ? 0 : (window.readNanos() - state.readNanos()) / 1e9;
        double usual = usual(errors, port);
        rise = rise.plus(Math.min(count, MOST_OF_A_POLL), usual * exposure);
        errors = errors.plus(count, exposure, seconds);
        findings = risen(findings, port, errors, rise, usual);
      }
      if (nats > WORTH_SAYING) {
        findings = with(findings, finding(port, loss, memory, nats));
      }
    }
    return new Step<>(new State(memories, errors, rise, window.readNanos(), port.oper()), findings);
  }

  /** Of the first of its counters that the port has. */
  private double count(PortView port, Loss loss) {
    double count = port.growth(counters[loss.ordinal()]);
    int other = others[loss.ordinal()];
    return Double.isNaN(count) && other >= 0 ? port.growth(other) : count;
  }

  private boolean isExplained(PortView port, Loss loss) {
    return switch (loss) {
      case IN_ERRORS, OUT_ERRORS -> false;
      case IN_DISCARDS -> congestion.explainsIn(port);
      case OUT_DISCARDS -> congestion.explainsOut(port, port.leadsToHost());
    };
  }

  /** Broken frames by packet that this port had so far, and where it is new, its kind. */
  private double usual(FadingCounts errors, PortView port) {
    double least = errorLimit * USUAL_SHARE;
    GammaPosterior cohort =
        port.context
            .state(screen)
            .cohort(
                port.context.port(), new GammaPosterior(SHARE_OF_LIMIT, SHARE_OF_LIMIT / least));
    return Math.max(least, errors.pastAfter(cohort).mean());
  }

  private List<Finding> risen(
      List<Finding> findings, PortView port, FadingCounts errors, CusumBank rise, double usual) {
    double evidence = budget.evidence(rise.nats());
    if (evidence <= WORTH_SAYING
        || errors.recent() < SHARE_OF_LIMIT * errorLimit * errors.recentExposure()) {
      return findings;
    }
    long since = port.nowNanos() - Math.round(FadingCounts.RECENT_SECONDS * 1e9);
    return with(
        findings,
        new Finding(
            ID,
            port.link(),
            Cause.PACKET_LOSS,
            port.evidence(
                Family.LOSS,
                Loss.IN_ERRORS.signal,
                port.port(),
                "%s of the packets arrive broken (%s in 5 min)"
                    .formatted(
                        Figures.rate(errors.recent() / errors.recentExposure()),
                        Figures.count(errors.recent())),
                Figures.rate(usual) + " as before",
                Reference.HISTORY,
                evidence,
                since),
            PortView.instant(since)));
  }

  private static List<Finding> with(List<Finding> findings, Finding more) {
    List<Finding> all = new ArrayList<>(findings);
    all.add(more);
    return all;
  }

  private Finding finding(PortView port, Loss loss, RateMemory memory, double nats) {
    String observed =
        "%s of %s %s (%s)"
            .formatted(
                Figures.count(memory.seen()),
                Figures.count(memory.seenExposure()),
                loss.words,
                Figures.rate(memory.seen() / Math.max(1, memory.seenExposure())));
    return new Finding(
        ID,
        port.link(),
        Cause.PACKET_LOSS,
        port.evidence(
            Family.LOSS,
            loss.signal,
            port.port(),
            observed,
            "at most " + Figures.rate(limits[loss.ordinal()].error()),
            Reference.LIMIT,
            nats,
            memory.sinceNanos()),
        PortView.instant(memory.sinceNanos()));
  }
}
