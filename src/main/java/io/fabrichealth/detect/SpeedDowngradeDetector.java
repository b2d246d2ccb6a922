package io.fabrichealth.detect;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import java.util.function.ToLongFunction;

/**
 * Links that negotiated less than they should.
 *
 * <p><b>What it catches:</b> a link that is up with fewer lanes than planned ({@code
 * WIDTH_DOWNGRADE}), or with less speed on the same lanes ({@code SPEED_DOWNGRADE}); also one that
 * was so from the first poll on.
 *
 * <p><b>What it compares:</b> the negotiated speed with that of the plan, of the slower end; where
 * no speed is planned, with what the other end says. Sure at the second poll, or at the first where
 * the other end says the same.
 *
 * <p><b>When it stays silent:</b> while the port is down, since it then tells what it could do; at
 * a speed that the plan has too (a breakout that was planned); at more than the plan has. Devices
 * count lanes in different ways, so a width says nothing beside a full speed, and without a speed
 * only where the port had more lanes before.
 *
 * <p><b>How it clears:</b> at the first poll that finds the planned speed.
 *
 * <p><b>Settings:</b> {@code speed-downgrade.share-of-planned}.
 *
 * <p><b>Source:</b> ifHighSpeed (RFC 2863), active width and speed of InfiniBand ports.
 */
public final class SpeedDowngradeDetector implements Detector<SpeedDowngradeDetector.State> {
  private static final String ID = "speed-downgrade";
  private static final State NOTHING = new State(0, 0, 0, 0, false);
  private static final double FIRST_POLL_NATS = 4;
  private static final double SURE_NATS = 12;

  private final Signals signals;
  private final int width;
  private final double share;

  public SpeedDowngradeDetector(SignalDictionary dictionary, Thresholds thresholds) {
    signals = new Signals(dictionary);
    width = dictionary.ordinal("port.width_lanes");
    share = thresholds.number("speed-downgrade.share-of-planned");
  }

  /**
   * What is remembered of a port.
   *
   * @param polls how many in a row found it below the plan, counted to 2
   * @param speed as negotiated then; 0 where it was not read
   * @param lanes as negotiated then; 0 where it was not read
   * @param sinceNanos when it was first seen so
   * @param wasWide whether it ever had all planned lanes
   */
  record State(int polls, double speed, double lanes, long sinceNanos, boolean wasWide) {}

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
    PortView port = new PortView(signals, window, context);
    if (port.oper() != PortView.UP || context.link().isHalf()) {
      return Step.silent(well(state, state.wasWide()));
    }
    double speed = window.value(signals.speed, 0);
    double lanes = window.value(width, 0);
    if (!(speed > 0) && !(lanes > 0)) {
      return state.polls() == 0 ? Step.silent(state) : Step.of(state, finding(state, port));
    }
    double planned = planned(port, Port::speedBitsPerSecond);
    double plannedLanes = planned(port, Port::lanes);
    boolean isWide = plannedLanes > 0 && lanes >= plannedLanes;
    boolean isLow =
        speed > 0
            ? speed < share * expected(planned, port)
            : lanes < plannedLanes && state.wasWide();
    if (!isLow) {
      return Step.silent(well(state, state.wasWide() || isWide));
    }
    boolean isSame = state.polls() > 0;
    State next =
        new State(
            isSame || isSaidByPeer(planned, port) ? 2 : 1,
            speed > 0 ? speed : 0,
            lanes > 0 ? lanes : 0,
            isSame ? state.sinceNanos() : port.nowNanos(),
            state.wasWide() || isWide);
    return Step.of(next, finding(next, port));
  }

  private static State well(State state, boolean wasWide) {
    return state.polls() == 0 && state.wasWide() == wasWide
        ? state
        : new State(0, 0, 0, 0, wasWide);
  }

  /** What the slower end is planned to have; 0 where that is not known. */
  private static double planned(PortView port, ToLongFunction<Port> property) {
    double own = property.applyAsLong(port.context.port());
    PortId peerId = port.context.link().peerOf(port.window.port());
    Port peer = peerId == null ? null : port.context.fabric().port(peerId);
    double others = peer == null ? 0 : property.applyAsLong(peer);
    return own > 0 && others > 0 ? Math.min(own, others) : Math.max(own, others);
  }

  private double expected(double planned, PortView port) {
    if (planned > 0) {
      return planned;
    }
    double peer = peerSpeed(port);
    return peer > 0 ? peer : 0;
  }

  /** As negotiated at the other end in its own last poll, if it is up; NaN where not read. */
  private double peerSpeed(PortView port) {
    SignalWindow peer = port.peer();
    return peer == null || port.peerOper() != PortView.UP
        ? Double.NaN
        : peer.value(signals.speed, 0);
  }

  private boolean isSaidByPeer(double planned, PortView port) {
    return planned > 0 && peerSpeed(port) < share * planned;
  }

  private Finding finding(State state, PortView port) {
    double plannedLanes = planned(port, Port::lanes);
    boolean isNarrow = plannedLanes > 0 && state.lanes() > 0 && state.lanes() < plannedLanes;
    double planned = planned(port, Port::speedBitsPerSecond);
    return new Finding(
        ID,
        port.link(),
        isNarrow ? Cause.WIDTH_DOWNGRADE : Cause.SPEED_DOWNGRADE,
        port.evidence(
            Family.EVENT,
            state.speed() > 0 ? "port.speed_bits_per_second" : "port.width_lanes",
            port.port(),
            text(state.speed(), state.lanes()),
            text(expected(planned, port), plannedLanes)
                + (planned > 0 ? ", as planned" : ", as at the other end"),
            planned > 0 ? Reference.LIMIT : Reference.PEERS,
            state.polls() > 1 ? SURE_NATS : FIRST_POLL_NATS,
            state.sinceNanos()),
        PortView.instant(state.sinceNanos()));
  }

  private static String text(double speed, double lanes) {
    String width = lanes > 0 ? Figures.count(lanes) + (lanes == 1 ? " lane" : " lanes") : "";
    if (!(speed > 0)) {
      return width;
    }
    return Figures.speed(speed) + (lanes > 0 ? " on " + width : "");
  }
}
