package io.fabrichealth.detect;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.SeenPort;

/**
 * Ends of a link that do not correct errors in the same way, or not as planned.
 *
 * <p><b>What it catches:</b> an active FEC mode that differs from that of the other end or of the
 * plan: the link comes up on some platforms and then loses all margin, or none of its frames pass.
 *
 * <p><b>What it compares:</b> the active modes as the devices tell them with their ports, and the
 * planned one, while both ends are up and at two polls in a row.
 *
 * <p><b>When it stays silent:</b> where an end does not tell its mode; while an end is not known to
 * be up, since a port without a signal tells its default; RS(544,514) and its interleaved form are
 * one, for devices do not tell them apart.
 *
 * <p><b>How it clears:</b> at the first poll that finds the modes alike.
 *
 * <p><b>Settings:</b> none.
 *
 * <p><b>Source:</b> IEEE 802.3 clauses 74, 91, 119.
 */
public final class FecMismatchDetector implements Detector<FecMismatchDetector.State> {
  private static final String ID = "fec-mismatch";
  private static final State NOTHING = new State(0, 0);
  private static final double FIRST_POLL_NATS = 4;
  private static final double PLAN_NATS = 10;
  private static final double ENDS_NATS = 12;

  private final Signals signals;

  public FecMismatchDetector(SignalDictionary dictionary) {
    signals = new Signals(dictionary);
  }

  /**
   * What is remembered of a port.
   *
   * @param polls how many in a row found another mode, counted to 2
   * @param sinceNanos when it was first seen; 0 while all is well
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
    return NOTHING;
  }

  @Override
  public Step<State> step(State state, SignalWindow window, DetectContext context) {
    FecMode own = active(window.port(), context);
    if (own == FecMode.UNKNOWN) {
      return Step.silent(NOTHING);
    }
    PortId peerId = context.link().peerOf(window.port());
    FecMode peer = peerId == null ? FecMode.UNKNOWN : active(peerId, context);
    boolean differsFromPeer = differ(own, peer);
    if (!differsFromPeer && !differ(own, context.port().fec())) {
      return Step.silent(NOTHING);
    }
    PortView port = new PortView(signals, window, context);
    if (port.oper() != PortView.UP || port.peerOper() == PortView.DOWN) {
      return Step.silent(NOTHING);
    }
    State next =
        state.polls() == 0 ? new State(1, port.nowNanos()) : new State(2, state.sinceNanos());
    FecMode expected = differsFromPeer ? peer : context.port().fec();
    double sure = differsFromPeer ? ENDS_NATS : PLAN_NATS;
    return Step.of(
        next,
        new Finding(
            ID,
            port.link(),
            Cause.FEC_MISMATCH,
            port.evidence(
                Family.EVENT,
                "fec",
                port.port(),
                own.name(),
                expected.name() + (differsFromPeer ? ", as at the other end" : ", as planned"),
                differsFromPeer ? Reference.PEERS : Reference.LIMIT,
                next.polls() > 1 ? sure : FIRST_POLL_NATS,
                next.sinceNanos()),
            PortView.instant(next.sinceNanos())));
  }

  private static FecMode active(PortId port, DetectContext context) {
    SeenPort seen = context.fabric().seen().port(port);
    return seen == null ? FecMode.UNKNOWN : plain(seen.fec());
  }

  private static boolean differ(FecMode one, FecMode other) {
    return other != FecMode.UNKNOWN && one != plain(other);
  }

  private static FecMode plain(FecMode mode) {
    return mode == FecMode.RS544_2X ? FecMode.RS544 : mode;
  }
}
