package io.fabrichealth.detect;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.EndsComparison;
import io.fabrichealth.topology.EndsComparison.End;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.SeenPort;
import org.jspecify.annotations.Nullable;

/**
 * Ports whose largest frame does not fit the other end or the plan.
 *
 * <p><b>What it catches:</b> a port that takes smaller frames than the other end sends, or than it
 * is planned to: large packets vanish there, small ones pass.
 *
 * <p><b>What it compares:</b> the MTU of both ends as {@link EndsComparison} does, and that of the
 * port with its plan, at two polls in a row.
 *
 * <p><b>When it stays silent:</b> where an end does not say its MTU; where the difference is the
 * header of layer 2 ({@link EndsComparison#HEADER_OCTETS}); where a switch takes more than a host
 * sends; where a device says the same on two thirds of its ports and it differs by no more than 256
 * octets: it counts in another way (9216, 9214, 9238, 9100). It takes an end at its last word while
 * it does not say its MTU.
 *
 * <p><b>How it clears:</b> at the first poll that finds the ends alike.
 *
 * <p><b>Settings:</b> {@code mtu-mismatch.convention-octets}.
 *
 * <p><b>Source:</b> ifMtu (RFC 2863) with or without header as vendors have it; IEEE 802.3, 802.1Q.
 */
public final class MtuMismatchDetector implements Detector<MtuMismatchDetector.State> {
  private static final String ID = "mtu-mismatch";
  private static final State NOTHING = new State(0, 0, 0, 0, 0, 0);
  private static final double FIRST_POLL_NATS = 4;
  private static final double SURE_NATS = 12;

  private final Signals signals;
  private final int mtu;
  private final double convention;

  public MtuMismatchDetector(SignalDictionary dictionary, Thresholds thresholds) {
    signals = new Signals(dictionary);
    mtu = dictionary.ordinal("port.mtu_bytes");
    convention = thresholds.number("mtu-mismatch.convention-octets");
  }

  /**
   * What is remembered of a port, in octets; 0 where not known.
   *
   * @param own as last said
   * @param peer what the other end last said
   * @param planned as planned when the three were compared
   * @param expected at least that is needed; 0 where the three fit
   * @param polls how many in a row found them not to fit, counted to 2
   * @param sinceNanos when that was first seen
   */
  record State(int own, int peer, int planned, int expected, int polls, long sinceNanos) {}

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
    PortId peer = context.link().peerOf(window.port());
    int own = known(read(window.port(), window, context), state.own());
    int others = peer == null ? 0 : known(read(peer, context.window(peer), context), state.peer());
    int planned = context.port().mtu();
    boolean isSame = own == state.own() && others == state.peer() && planned == state.planned();
    if (isSame && state.expected() == 0) {
      return Step.silent(state);
    }
    PortView port = new PortView(signals, window, context);
    int expected = expected(own, others, planned, peer, port);
    if (expected == 0 || port.isAdminDown() || port.isPeerAdminDown()) {
      return Step.silent(new State(own, others, planned, 0, 0, 0));
    }
    boolean isAgain = state.expected() != 0;
    State next =
        new State(
            own,
            others,
            planned,
            expected,
            isAgain ? 2 : 1,
            isAgain ? state.sinceNanos() : port.nowNanos());
    return Step.of(next, finding(next, port));
  }

  private static int known(int now, int before) {
    return now > 0 ? now : before;
  }

  /** By the last poll, else as the device last told its ports; 0 where it does not say. */
  private int read(PortId port, @Nullable SignalWindow window, DetectContext context) {
    double value = window == null ? Double.NaN : window.value(mtu, 0);
    if (value > 0 && value <= Integer.MAX_VALUE) {
      return (int) value;
    }
    SeenPort seen = context.fabric().seen().port(port);
    return seen == null ? 0 : seen.mtu();
  }

  /**
   * The octets that this end should take; 0 where what it takes fits, or where it is the larger.
   */
  private int expected(int own, int others, int planned, @Nullable PortId peer, PortView port) {
    if (own <= 0) {
      return 0;
    }
    PortId id = port.window.port();
    if (peer != null && others > own && clash(id, own, peer, others, port)) {
      boolean isConvention =
          others - own <= convention
              && isUsual(id, own, port.context)
              && isUsual(peer, others, port.context);
      if (!isConvention) {
        return others;
      }
    }
    boolean isBelowPlan = planned - own > EndsComparison.HEADER_OCTETS;
    return isBelowPlan && !(planned - own <= convention && isUsual(id, own, port.context))
        ? planned
        : 0;
  }

  private static boolean clash(PortId a, int mtuA, PortId b, int mtuB, PortView port) {
    return !EndsComparison.mismatches(end(a, mtuA, port), end(b, mtuB, port)).isEmpty();
  }

  private static End end(PortId id, int octets, PortView port) {
    Device device = port.context.fabric().device(id.device());
    Role role = device == null ? Role.SWITCH : device.role();
    return new End(id, role, 0, 0, FecMode.UNKNOWN, octets, null);
  }

  /** Whether most of the device's ports that say something, and two at least, say the same. */
  private boolean isUsual(PortId id, int octets, DetectContext context) {
    int alike = 0;
    int saying = 0;
    for (Link link : context.fabric().linksOf(id.device())) {
      for (PortId end : link.ends()) {
        if (end.device().equals(id.device())) {
          int said = read(end, context.window(end), context);
          saying += said > 0 ? 1 : 0;
          alike += said == octets ? 1 : 0;
        }
      }
    }
    return alike > 1 && alike * 3 >= saying * 2;
  }

  private static Finding finding(State state, PortView port) {
    boolean isPlan = state.expected() == state.planned();
    return new Finding(
        ID,
        port.link(),
        Cause.MTU_MISMATCH,
        port.evidence(
            Family.EVENT,
            "port.mtu_bytes",
            port.port(),
            "frames of up to " + Figures.count(state.own()) + " octets",
            Figures.count(state.expected()) + (isPlan ? ", as planned" : ", as the other end has"),
            isPlan ? Reference.LIMIT : Reference.PEERS,
            state.polls() > 1 ? SURE_NATS : FIRST_POLL_NATS,
            state.sinceNanos()),
        PortView.instant(state.sinceNanos()));
  }
}
