package io.fabrichealth.detect;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;

/**
 * Congestion that names itself.
 *
 * <p><b>What it catches:</b> a port whose queues are so full that it marks packets (ECN), or a host
 * that receives marked ones: traffic, not a fault.
 *
 * <p><b>What it compares:</b> the share of marked packets with 1e-3.
 *
 * <p>Beside the share of a host stands how many congestion notices (CNP) it sent for a marked
 * packet: none means that congestion control is off there, whatever the switches mark. Far less
 * than one is usual, since a flow gets one in 50 us at the most.
 *
 * <p><b>When it stays silent:</b> where nothing is marked or marks are not counted: ECN may be off,
 * so no marks are no sign of health.
 *
 * <p><b>How it clears:</b> at the first poll with fewer marks.
 *
 * <p><b>Settings:</b> none.
 *
 * <p><b>Source:</b> RFC 3168, DCQCN. What it says is a remark beside a link: the cause never marks
 * a link degraded, and fusion gives it no weight there. The same share tells packet-loss that
 * discards are congestion.
 */
public final class EcnShareDetector implements Detector<EcnShareDetector.State> {
  private static final String ID = "ecn-share";
  private static final double NATS = 2;

  private final Signals signals;

  public EcnShareDetector(SignalDictionary dictionary) {
    signals = new Signals(dictionary);
  }

  /**
   * What is remembered of a port.
   *
   * @param share of marked packets, as last read; 0 where it is of no interest
   * @param sinceNanos since when it is above the limit; 0 while it is not
   */
  record State(double share, long sinceNanos) {}

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
    return new State(0, 0);
  }

  @Override
  public Step<State> step(State state, SignalWindow window, DetectContext context) {
    PortView port = new PortView(signals, window, context);
    double share = port.markedShare();
    if (!(share >= Congestion.MARKED)) {
      return Step.silent(initial());
    }
    long since = state.sinceNanos() == 0 ? port.nowNanos() : state.sinceNanos();
    boolean bySwitch = !Double.isNaN(port.growth(signals.ecnMarked));
    return Step.of(
        new State(share, since),
        new Finding(
            ID,
            port.link(),
            Cause.CONGESTION,
            port.evidence(
                Family.PAUSE,
                bySwitch ? "ecn.marked_packets" : "roce.ecn_marked_packets",
                port.port(),
                Figures.percent(share) + " of the packets marked" + notices(port, bySwitch),
                "less than " + Figures.percent(Congestion.MARKED),
                Reference.LIMIT,
                NATS,
                since),
            PortView.instant(since)));
  }

  private String notices(PortView port, boolean bySwitch) {
    double sent = port.growth(signals.cnpSent);
    if (bySwitch || Double.isNaN(sent)) {
      return "";
    }
    double marked = port.growth(signals.hostEcnMarked);
    return sent == 0
        ? ", no congestion notice sent"
        : ", congestion notices sent for %s of them".formatted(Figures.percent(sent / marked));
  }
}
