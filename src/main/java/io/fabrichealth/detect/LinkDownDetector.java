package io.fabrichealth.detect;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;

/**
 * Links that are down and should be up.
 *
 * <p><b>What it catches:</b> a port that is down although it is enabled at both ends and wired.
 *
 * <p><b>What it compares:</b> the state of the port with what it should be. It is sure at the
 * second poll, or at the first where the other end is down too.
 *
 * <p><b>When it stays silent:</b> where either end is set down; at half-links, where nothing says
 * that somebody should be there; for five minutes while more than half of the links of one end's
 * device that are in use are down, or while that device, which was read before, does not answer: it
 * may be starting.
 *
 * <p><b>How it clears:</b> at the first poll that finds the port up.
 *
 * <p><b>Settings:</b> {@code link-down.starting-seconds}.
 *
 * <p><b>Source:</b> ifOperStatus and ifAdminStatus (RFC 2863), port state of InfiniBand.
 */
public final class LinkDownDetector implements Detector<LinkDownDetector.State> {
  private static final String ID = "link-down";
  private static final double FIRST_POLL_NATS = 4;
  private static final double BOTH_ENDS_NATS = 8;
  private static final double SURE_NATS = 12;
  private static final State UP = new State(0, 0);

  private final Signals signals;
  private final double startingSeconds;

  public LinkDownDetector(SignalDictionary dictionary, Thresholds thresholds) {
    signals = new Signals(dictionary);
    startingSeconds = thresholds.number("link-down.starting-seconds");
  }

  /**
   * What is remembered of a port.
   *
   * @param polls how many in a row found it down, counted to 2
   * @param sinceNanos when it was first seen down; 0 while it is up
   */
  record State(int polls, long sinceNanos) {}

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
    return UP;
  }

  @Override
  public Step<State> step(State state, SignalWindow window, DetectContext context) {
    PortView port = new PortView(signals, window, context);
    int oper = port.oper();
    if (oper == PortView.UP || context.link().isHalf() || (state.polls() == 0 && oper < 0)) {
      return Step.silent(UP);
    }
    if (port.isAdminDown() || port.isPeerAdminDown()) {
      return Step.silent(UP);
    }
    State next = oper == PortView.DOWN ? more(state, port) : state;
    double lasted = (port.nowNanos() - next.sinceNanos()) / 1e9;
    boolean mayBeStarting =
        lasted < startingSeconds && (port.isDeviceWide() || isPeerSilent(next, port));
    return mayBeStarting ? Step.silent(next) : Step.of(next, finding(next, port, lasted));
  }

  /** Whether the other end was up when it was last read, and is not read any more. */
  private static boolean isPeerSilent(State state, PortView port) {
    SignalWindow peer = port.peer();
    return state.polls() > 1
        && peer != null
        && port.peerOper() != PortView.DOWN
        && peer.readNanos() < state.sinceNanos();
  }

  private static State more(State state, PortView port) {
    return state.polls() == 0 ? new State(1, port.nowNanos()) : new State(2, state.sinceNanos());
  }

  private static Finding finding(State state, PortView port, double lasted) {
    boolean bothEnds = port.peerOper() == PortView.DOWN;
    return new Finding(
        ID,
        port.link(),
        Cause.LINK_DOWN,
        port.evidence(
            Family.EVENT,
            "port.oper_up",
            port.port(),
            "down at "
                + (bothEnds ? "both ends" : port.window.port().id())
                + (lasted > 0 ? " for " + Figures.time(lasted) : ""),
            "up, as enabled",
            Reference.LIMIT,
            state.polls() > 1 ? SURE_NATS : bothEnds ? BOTH_ENDS_NATS : FIRST_POLL_NATS,
            state.sinceNanos()),
        PortView.instant(state.sinceNanos()));
  }
}
