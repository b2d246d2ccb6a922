package io.fabrichealth.detect;

import io.fabrichealth.detect.RateMemory.Span;
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
 * the port has room: a bad cable, a bad port, a wrong MTU.
 *
 * <p><b>What it compares:</b> errors and discards with the packets of the port in the same
 * direction: 1e-6 for errors, 1e-5 for discards. Few packets make weak evidence. Errors are
 * remembered for 5 minutes and for a day, discards for 5 minutes.
 *
 * <p><b>When it stays silent:</b> discards while the port is at 70 % of its speed or more, while
 * packets are marked (ECN) or the port is paused are congestion; so are those of a port whose load
 * is not known. A handful of discards comes with every start; incoming ones (frames of unknown
 * protocols) are let pass up to one in 10 seconds. Intervals in which the link went down or came up
 * do not count, and neither do resets.
 *
 * <p><b>How it clears:</b> about 10 minutes after the last loss.
 *
 * <p><b>Settings:</b> none.
 *
 * <p><b>Source:</b> ifInErrors, ifOutErrors, ifInDiscards, ifOutDiscards (RFC 2863); loss rates of
 * corrupting and congested links (CorrOpt, SIGCOMM 2017).
 */
public final class PacketLossDetector implements Detector<PacketLossDetector.State> {
  private static final String ID = "packet-loss";
  private static final Span SPAN = new Span(Duration.ofMinutes(5), Duration.ofHours(24));
  private static final double WORTH_SAYING = 1;

  /** What is counted, and how much of it is too much. */
  private enum Loss {
    IN_ERRORS("port.in_errors", "packets arrived broken", new RateLimit(1e-7, .5, .3, 35)),
    OUT_ERRORS("port.out_errors", "packets could not be sent", new RateLimit(1e-7, .5, .3, 35)),
    IN_DISCARDS(
        "port.in_discards", "incoming packets were thrown away", new RateLimit(1e-6, .5, 30, 35)),
    OUT_DISCARDS(
        "port.out_discards", "outgoing packets were thrown away", new RateLimit(1e-6, .5, 1, 35));

    private final String signal;
    private final String words;
    private final RateLimit limit;

    Loss(String signal, String words, RateLimit limit) {
      this.signal = signal;
      this.words = words;
      this.limit = limit;
    }

    boolean isIncoming() {
      return this == IN_ERRORS || this == IN_DISCARDS;
    }

    boolean isExplained(PortView port) {
      return switch (this) {
        case IN_ERRORS, OUT_ERRORS -> false;
        case IN_DISCARDS -> Congestion.explainsIn(port);
        case OUT_DISCARDS -> Congestion.explainsOut(port);
      };
    }

    double nats(RateMemory memory) {
      return switch (this) {
        case IN_ERRORS, OUT_ERRORS -> memory.nats(limit);
        case IN_DISCARDS, OUT_DISCARDS -> memory.recentNats(limit);
      };
    }
  }

  private static final List<Loss> LOSSES = List.of(Loss.values());

  private final Signals signals;
  private final int[] counters;

  public PacketLossDetector(SignalDictionary dictionary) {
    signals = new Signals(dictionary);
    counters = LOSSES.stream().mapToInt(loss -> dictionary.ordinal(loss.signal)).toArray();
  }

  /**
   * What is remembered of a port.
   *
   * @param memories errors in and out, discards in and out, with packets as their exposure
   * @param oper state at the last poll
   */
  record State(List<RateMemory> memories, int oper) {}

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
        PortView.UNKNOWN);
  }

  @Override
  public Step<State> step(State state, SignalWindow window, DetectContext context) {
    PortView port = new PortView(signals, window, context);
    boolean disturbed = port.isDisturbed(state.oper());
    List<RateMemory> memories = new ArrayList<>(LOSSES.size());
    List<Finding> findings = new ArrayList<>();
    for (Loss loss : LOSSES) {
      double count = disturbed ? Double.NaN : port.growth(counters[loss.ordinal()]);
      double packets = port.growth(loss.isIncoming() ? signals.inPackets : signals.outPackets);
      boolean counts =
          !Double.isNaN(count) && !Double.isNaN(packets) && !(count > 0 && loss.isExplained(port));
      RateMemory memory =
          state
              .memories()
              .get(loss.ordinal())
              .next(
                  counts ? count : 0,
                  counts ? packets + count : 0,
                  port.nowNanos(),
                  loss.limit,
                  SPAN);
      memories.add(memory);
      double nats = loss.nats(memory);
      if (nats > WORTH_SAYING) {
        findings.add(finding(port, loss, memory, nats));
      }
    }
    return new Step<>(new State(memories, port.oper()), findings);
  }

  private static Finding finding(PortView port, Loss loss, RateMemory memory, double nats) {
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
            "at most " + Figures.rate(loss.limit.error()),
            Reference.LIMIT,
            nats,
            memory.sinceNanos()),
        PortView.instant(memory.sinceNanos()));
  }
}
