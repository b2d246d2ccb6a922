package io.fabrichealth.detect;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hosts that pause their switch.
 *
 * <p><b>What it catches:</b> a receiver that is slower than its link (PCIe, memory, a wedged HCA):
 * it holds the switch's port up with pause frames, and everything that wants to pass there waits.
 * The host is to blame; its link is sound.
 *
 * <p><b>What it compares:</b> the share of time for which the switch's port was paused, by priority
 * (or for which the host paused it, as the host counts), with 30 % in two polls: a healthy host
 * pauses for less than 1 %, and bursts that fill its buffers last milliseconds, so that they do not
 * fill a third of two polls. Packets that the HCA dropped for want of buffers add to it.
 *
 * <p><b>When it stays silent:</b> a switch that pauses a switch is a victim or congested; a port at
 * 95 % of its speed or more is not held up, unless the HCA ran out of buffers; a ratio above 1.1 is
 * no ratio; intervals in which the link went down or came up do not count. Frames without their
 * duration are weak evidence: a frame may pause for anything up to 65,535 quanta.
 *
 * <p><b>How it clears:</b> after two or three polls below 10 %, or ten minutes after the last poll
 * that could be judged.
 *
 * <p><b>Settings:</b> none.
 *
 * <p><b>Source:</b> IEEE 802.1Qbb; root and victim by the direction of pause.
 */
public final class PfcPauseDetector implements Detector<PfcPauseDetector.State> {
  private static final String ID = "pfc-pause";
  private static final double SLOW = .3;
  private static final double LITTLE = .1;
  private static final double HEALTHY = .01;
  private static final double NO_RATIO = 1.1;
  private static final double FULL = .95;
  private static final long REMEMBERED_NANOS = 600_000_000_000L;
  private static final int SURE = 2;
  private static final int MOST = 3;
  private static final double ONE_POLL_NATS = 4;
  private static final double SURE_NATS = 10;
  private static final double FRAMES_NATS = 3;
  private static final double BUFFER_NATS = 3;
  private static final double QUANTA_BITS = 65_535.0 * 512;

  private final Signals signals;
  private final int rxFrames;
  private final int txFrames;

  public PfcPauseDetector(SignalDictionary dictionary) {
    signals = new Signals(dictionary);
    rxFrames = dictionary.ordinal("pfc.rx_pause_frames");
    txFrames = dictionary.ordinal("pfc.tx_pause_frames");
  }

  /**
   * What is remembered of a port.
   *
   * @param score grows by one with each bad poll and falls by one with each good one, 0 to 3
   * @param ratio of the last bad poll
   * @param byFrames whether the ratio is only the most that the frames allow
   * @param outOfBuffer packets that the HCA dropped since the score is above 0
   * @param oper state at the last poll
   * @param sinceNanos since when the score is above 0; 0 while it is not
   * @param judgedNanos time of the last poll that could be judged; 0 before the first
   */
  record State(
      int score,
      double ratio,
      boolean byFrames,
      double outOfBuffer,
      int oper,
      long sinceNanos,
      long judgedNanos) {

    State withRatio(double bad, boolean isByFrames) {
      return new State(score, bad, isByFrames, outOfBuffer, oper, sinceNanos, judgedNanos);
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
    return new State(0, 0, false, 0, PortView.UNKNOWN, 0, 0);
  }

  @Override
  public Step<State> step(State state, SignalWindow window, DetectContext context) {
    PortView port = new PortView(signals, window, context);
    String host = host(context, window.port());
    if (host == null) {
      return Step.silent(initial());
    }
    boolean atHost = host.equals(window.port().device());
    State next = next(state, port, atHost);
    return next.score() == 0
        ? Step.silent(next)
        : new Step<>(next, findings(next, port, host, atHost));
  }

  /** The host that this port belongs to or faces; null between switches. */
  private static @Nullable String host(DetectContext context, PortId port) {
    if (context.device().role() == Role.HOST) {
      return port.device();
    }
    PortId peer = context.link().peerOf(port);
    Device other = peer == null ? null : context.fabric().device(peer.device());
    return other != null && other.role() == Role.HOST ? other.name() : null;
  }

  private State next(State state, PortView port, boolean atHost) {
    int microseconds = atHost ? signals.txPauseMicroseconds : signals.rxPauseMicroseconds;
    double ratio = port.pauseRatio(microseconds);
    boolean byFrames = Double.isNaN(ratio);
    if (byFrames) {
      ratio = mostByFrames(port, atHost ? txFrames : rxFrames);
    }
    if (Double.isNaN(ratio) || (!byFrames && ratio > NO_RATIO) || port.isDisturbed(state.oper())) {
      boolean isOld = port.nowNanos() - state.judgedNanos() > REMEMBERED_NANOS;
      return next(state, isOld ? 0 : state.score(), 0, state.judgedNanos(), port);
    }
    double dropped = outOfBuffer(port, atHost);
    double load = port.utilisation(atHost ? signals.inOctets : signals.outOctets);
    boolean full = load >= FULL && dropped == 0;
    if (ratio >= SLOW && !full) {
      State bad = state.withRatio(Math.min(1, ratio), byFrames);
      return next(bad, Math.min(MOST, state.score() + 1), dropped, port.nowNanos(), port);
    }
    boolean good = ratio < LITTLE || full;
    int score = good ? Math.max(0, state.score() - 1) : state.score();
    return next(state, score, dropped, port.nowNanos(), port);
  }

  private static State next(
      State state, int score, double dropped, long judgedNanos, PortView port) {
    long since = score == 0 ? 0 : state.sinceNanos() == 0 ? port.nowNanos() : state.sinceNanos();
    double sum = score == 0 ? 0 : state.outOfBuffer() + dropped;
    return new State(score, state.ratio(), state.byFrames(), sum, port.oper(), since, judgedNanos);
  }

  private double mostByFrames(PortView port, int frames) {
    double seconds = port.seconds(frames);
    return seconds > 0 && port.speed() > 0
        ? port.growth(frames) * QUANTA_BITS / port.speed() / seconds
        : Double.NaN;
  }

  private double outOfBuffer(PortView port, boolean atHost) {
    SignalWindow host = atHost ? port.window : port.peer();
    return host == null ? 0 : host.deltaSum(signals.outOfBuffer);
  }

  private List<Finding> findings(State state, PortView port, String host, boolean atHost) {
    double sure = state.byFrames() ? FRAMES_NATS : SURE_NATS;
    double nats = state.score() >= SURE ? sure : Math.min(sure, ONE_POLL_NATS);
    String signal =
        state.byFrames()
            ? atHost ? "pfc.tx_pause_frames" : "pfc.rx_pause_frames"
            : atHost ? "pfc.tx_pause_microseconds" : "pfc.rx_pause_microseconds";
    String observed =
        (state.byFrames() ? "frames that may pause up to " : "paused ")
            + Figures.percent(state.ratio())
            + " of the time";
    List<Finding> findings = new ArrayList<>();
    findings.add(
        finding(
            host,
            port.evidence(
                Family.PAUSE,
                signal,
                port.link(),
                observed,
                "less than " + Figures.percent(HEALTHY),
                Reference.LIMIT,
                nats,
                state.sinceNanos()),
            state));
    if (state.score() >= SURE && state.outOfBuffer() > 0) {
      findings.add(
          finding(
              host,
              port.evidence(
                  Family.LOSS,
                  "roce.out_of_buffer",
                  port.link(),
                  Figures.count(state.outOfBuffer())
                      + (state.outOfBuffer() == 1 ? " packet" : " packets")
                      + " dropped for want of buffers",
                  "none",
                  Reference.LIMIT,
                  BUFFER_NATS,
                  state.sinceNanos()),
              state));
    }
    return findings;
  }

  private static Finding finding(String host, Evidence evidence, State state) {
    return new Finding(
        ID,
        Subject.host(host),
        Cause.SLOW_RECEIVER,
        evidence,
        PortView.instant(state.sinceNanos()));
  }
}
