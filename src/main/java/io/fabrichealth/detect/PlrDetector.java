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
 * Errors that the physical layer hides by sending again (PLR of NVIDIA's links): nothing is lost,
 * packets only come late.
 *
 * <p><b>What it catches:</b> a link whose FEC leaves codewords over, while no error counter of
 * packets moves.
 *
 * <p><b>What it compares:</b> codes that arrived broken, and codes or events of sending again, with
 * the codes that passed meanwhile: 1e-9 is too much. Two memories, of 5 minutes and of a day.
 *
 * <p><b>When it stays silent:</b> a few at once; intervals in which the link went down or came up;
 * ports without these counters. Congestion makes no link send again.
 *
 * <p><b>How it clears:</b> about 10 minutes after the last one.
 *
 * <p><b>Settings:</b> {@code plr.*}.
 *
 * <p><b>Source:</b> ppcnt group of PLR counters ({@code plr_rcv_codes}, {@code plr_rcv_code_err},
 * {@code plr_xmit_retry_codes}, {@code plr_xmit_retry_events}); NVIDIA field BER thresholds V06,
 * effective error ratio of links with PLR.
 */
public final class PlrDetector implements Detector<PlrDetector.State> {
  private static final String ID = "plr";
  private static final Span SPAN = new Span(Duration.ofMinutes(5), Duration.ofHours(24));
  private static final double WORST = .1;
  private static final double STRAYS = .5;
  private static final double CEILING = 35;
  private static final double WORTH_SAYING = 1;

  /** Bits of a code, where the port does not count the codes: RS(272,257). */
  private static final double CODE_BITS = 2720;

  private static final List<String> NAMES =
      List.of("plr.received_code_errors", "plr.retransmitted_codes", "plr.retransmission_events");
  private static final List<String> WORDS =
      List.of("codes arrived broken", "codes were sent again", "times codes were sent again");

  private final Signals signals;
  private final int received;
  private final int[] counters;
  private final RateLimit limit;

  public PlrDetector(SignalDictionary dictionary, Thresholds thresholds) {
    signals = new Signals(dictionary);
    received = dictionary.ordinal("plr.received_codes");
    counters = NAMES.stream().mapToInt(dictionary::ordinal).toArray();
    limit = new RateLimit(thresholds.number("plr.codes-again") / 10, WORST, STRAYS, CEILING);
  }

  /**
   * What is remembered of a port.
   *
   * @param memories one per counter, in codes of exposure; empty while the port has none of them
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
    return new State(List.of(), PortView.UNKNOWN);
  }

  @Override
  public Step<State> step(State state, SignalWindow window, DetectContext context) {
    PortView port = new PortView(signals, window, context);
    boolean isFirst = state.memories().isEmpty();
    if (isFirst && !hasAny(window)) {
      return Step.silent(state.oper() == port.oper() ? state : new State(List.of(), port.oper()));
    }
    boolean disturbed = port.isDisturbed(state.oper());
    List<RateMemory> memories = new ArrayList<>(counters.length);
    List<Finding> findings = new ArrayList<>();
    for (int index = 0; index < counters.length; index++) {
      double count = disturbed ? Double.NaN : port.growth(counters[index]);
      boolean read = !Double.isNaN(count);
      RateMemory before = isFirst ? RateMemory.EMPTY : state.memories().get(index);
      RateMemory memory =
          before.next(
              read ? count : 0,
              read ? codes(port, counters[index]) : 0,
              port.nowNanos(),
              limit,
              SPAN);
      memories.add(memory);
      double nats = memory.nats(limit);
      if (nats > WORTH_SAYING) {
        findings.add(finding(port, index, memory, nats));
      }
    }
    return new Step<>(new State(memories, port.oper()), findings);
  }

  private boolean hasAny(SignalWindow window) {
    for (int counter : counters) {
      if (window.hasDelta(counter, 0)) {
        return true;
      }
    }
    return false;
  }

  private double codes(PortView port, int counter) {
    double counted = port.growth(received);
    return counted > 0 ? counted : port.seconds(counter) * Math.max(port.speed(), 0) / CODE_BITS;
  }

  private Finding finding(PortView port, int index, RateMemory memory, double nats) {
    return new Finding(
        ID,
        port.link(),
        Cause.PHY_LINK,
        port.evidence(
            Family.PHY,
            NAMES.get(index),
            port.port(),
            "%s %s, of %s (%s)"
                .formatted(
                    Figures.count(memory.seen()),
                    WORDS.get(index),
                    Figures.count(memory.seenExposure()),
                    Figures.rate(memory.seen() / Math.max(1, memory.seenExposure()))),
            "at most " + Figures.rate(limit.error()),
            Reference.LIMIT,
            nats,
            memory.sinceNanos()),
        PortView.instant(memory.sinceNanos()));
  }
}
