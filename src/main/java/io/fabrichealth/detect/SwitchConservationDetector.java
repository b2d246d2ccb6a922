package io.fabrichealth.detect;

import io.fabrichealth.detect.statistics.Budget;
import io.fabrichealth.detect.statistics.SlopeStep;
import io.fabrichealth.detect.statistics.Trail;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Packets that go into a switch and do not come out, without any counter that says so.
 *
 * <p><b>What it catches:</b> a switch that drops silently: 1e-3 within minutes, from the packet
 * counters of its ports alone.
 *
 * <p><b>What it compares:</b> the sum of what all its ports received less the sum of what they
 * sent, less all that is counted as lost, over the sum received; of unicast packets where the
 * device separates them. Its slope now is compared with the one before, and judged by how much it
 * varies from poll to poll: floods, mirrors and control traffic make it anything but zero in
 * healthy switches, and unsteady in some.
 *
 * <p><b>When it stays silent:</b> of hosts, and of switches of whose packets a large share begins
 * or ends in them; of a switch with a port in the fabric that a poll does not read, since what goes
 * through it cannot be told; of a share that is missing from the start; for a minute after one of
 * its links went down or came up, since routes lag behind cables; and while the ends of one of its
 * links take frames of different sizes, of which those too large are counted at no port, or a cable
 * is in another port than planned; and about what lasts less than two minutes. It begins anew when
 * the ports that are read change and when a counter does.
 *
 * <p><b>How it clears:</b> when what comes in goes out again for long enough to tell.
 *
 * <p><b>Settings:</b> {@code switch-conservation.*}; the threshold follows from the budget.
 *
 * <p><b>Source:</b> conservation of packets over ifHCInUcastPkts and ifHCOutUcastPkts (RFC 2863).
 */
public final class SwitchConservationDetector
    implements DeviceDetector<SwitchConservationDetector.State> {
  private static final String ID = "switch-conservation";
  private static final double WORTH_SAYING = 1;
  private static final int LEAST_PORTS = 2;
  private static final int LATELY = 8;
  private static final double OVER = .3;
  private static final double MANY_PACKETS = 40;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final double ONE_PACKET = 1;

  /** How long after a change of its links a switch is not judged. */
  private static final long RESTLESS_NANOS = 60_000_000_000L;

  /** Parts of the time since a loss began of which each must show it, how much, and of how long. */
  private static final int PARTS = 4;

  private static final double LASTING = .5;
  private static final int LEAST_POLLS = 8;

  /** Shorter than that, packets without a way are lost behind any cable that is pulled. */
  private static final double LEAST_LASTING_SECONDS = 120;

  /** Column of the trail that holds the time. */
  private static final int SECONDS = 2;

  private final int operUp;
  private final int linkDowned;
  private final PacketTotals all;
  private final PacketTotals unicast;
  private final double least;
  private final double own;
  private final Budget budget;

  public SwitchConservationDetector(SignalDictionary dictionary, Thresholds thresholds) {
    operUp = dictionary.ordinal("port.oper_up");
    linkDowned = dictionary.ordinal("port.link_downed");
    all = new PacketTotals(dictionary);
    unicast = PacketTotals.ofUnicast(dictionary);
    least = thresholds.number(ID + ".least-loss");
    own = thresholds.number(ID + ".own-traffic");
    budget = Detectors.budget(thresholds);
  }

  /**
   * What is remembered of a switch.
   *
   * @param collector that reads it
   * @param ports which ports were read, as a number that changes with them and when a counter
   *     begins anew
   * @param received sum over them by the last poll
   * @param sent the same
   * @param trail sums: received, and received but not sent; seconds
   * @param loss what was last found
   * @param sinceNanos since when packets are lost; 0 while none are
   * @param readNanos when all ports were last read; 0 before
   * @param links which of the links are up, as a number that changes with them
   * @param restlessNanos until when the switch is not judged since they changed
   */
  record State(
      String collector,
      long ports,
      double received,
      double sent,
      Trail trail,
      Loss loss,
      long sinceNanos,
      long readNanos,
      long links,
      long restlessNanos) {

    /** After packets that tell something. */
    State after(
        double receivedNow, double sentNow, Trail trailNow, Loss lossNow, long since, long now) {
      return new State(
          collector,
          ports,
          receivedNow,
          sentNow,
          trailNow,
          lossNow,
          since,
          now,
          links,
          restlessNanos);
    }

    /** After packets that tell nothing. */
    State passing(double receivedNow, double sentNow, long now, long linksNow, long until) {
      return new State(
          collector, ports, receivedNow, sentNow, trail, loss, sinceNanos, now, linksNow, until);
    }
  }

  /**
   * What a switch loses.
   *
   * @param nats log-likelihood ratio, before the price of looking so often; 0 where there is none
   * @param before share that was missing before
   * @param ratio share that is lost
   * @param passed packets since it began
   * @param enough packets in which it was found, and in which its end can be seen
   */
  record Loss(double nats, double before, double ratio, double passed, double enough) {
    static final Loss NONE = new Loss(0, 0, 0, 0, 0);
  }

  /** How long a loss is still said while the ports are not all read. */
  private static final long KEPT_NANOS = 600_000_000_000L;

  private static final Trail EMPTY = Trail.begin(3, 24);
  private static final State INITIAL = new State("", 0, 0, 0, EMPTY, Loss.NONE, 0, 0, 0, 0);

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
    return INITIAL;
  }

  @Override
  public Step<State> step(State state, DeviceView view) {
    if (view.device().role() == Role.HOST) {
      return Step.silent(INITIAL);
    }
    PacketTotals totals = totals(view.read());
    if (totals == null) {
      return unread(state, view);
    }
    long ports = 0;
    int count = 0;
    double received = 0;
    double sent = 0;
    long links = 0;
    Set<PortId> seen = new HashSet<>();
    for (SignalWindow window : view.read()) {
      if (totals.isKnown(window)) {
        seen.add(window.port());
        ports += (window.port().hashCode() + totals.mark(window)) * GOLDEN;
        count++;
        received += totals.arrived(window);
        sent += totals.sentAtMost(window);
        links += (window.port().hashCode() + links(view, window)) * GOLDEN;
      }
    }
    if (count < LEAST_PORTS || !readsAll(view, seen)) {
      return unread(state, view);
    }
    boolean sameReader = state.collector().equals(view.collector());
    if (ports != state.ports() || !sameReader) {
      boolean goesOn = sameReader && budget.isReached(state.loss().nats());
      Loss loss = goesOn ? state.loss() : Loss.NONE;
      long since = goesOn ? state.sinceNanos() : 0;
      return said(
          new State(
              view.collector(),
              ports,
              received,
              sent,
              EMPTY,
              loss,
              since,
              PortView.nanos(view.at()),
              links,
              state.restlessNanos()),
          view);
    }
    long now = PortView.nanos(view.at());
    long until = links == state.links() ? state.restlessNanos() : now + RESTLESS_NANOS;
    if (now < until || hasWrongLink(view, seen)) {
      return said(state.passing(received, sent, now, links, until), view);
    }
    return judged(state, view, received, sent);
  }

  /** A number that changes when the link of a port goes down or comes up, at whichever end. */
  private long links(DeviceView view, SignalWindow window) {
    Link link = view.fabric().linkAt(window.port());
    PortId peer = link == null ? null : link.peerOf(window.port());
    SignalWindow other = peer == null ? null : view.window(peer);
    PortId seen = view.fabric().seen().peer(window.port());
    return changes(window)
        + (other == null ? 0 : changes(other) * GOLDEN)
        + (seen == null ? 0 : seen.hashCode());
  }

  private long changes(SignalWindow window) {
    // An end that was not read this time is as it was.
    long isDown = window.value(operUp, 0) == 0 ? 1 : 0;
    return isDown + (window.elements(linkDowned) > 0 ? 2 * window.total(linkDowned, 0) : 0);
  }

  /** Whether one of its links is another than planned, or takes smaller frames at one end. */
  private static boolean hasWrongLink(DeviceView view, Set<PortId> ports) {
    for (PortId port : ports) {
      Link link = view.fabric().linkAt(port);
      if (link == null) {
        continue;
      }
      PortId seen = view.fabric().seen().peer(port);
      PortId planned = link.peerOf(port);
      if (seen != null && planned != null && !seen.equals(planned)) {
        return true;
      }
      for (PortId end : link.ends()) {
        for (Finding finding : view.findings(end)) {
          if (finding.cause() == Cause.MTU_MISMATCH) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Not all ports were read, or by another collector: what was found holds for a while. */
  private Step<State> unread(State state, DeviceView view) {
    if (!state.collector().equals(view.collector())
        || PortView.nanos(view.at()) - state.readNanos() < KEPT_NANOS) {
      return said(state, view);
    }
    return Step.silent(INITIAL);
  }

  private Step<State> said(State state, DeviceView view) {
    double evidence = budget.evidence(state.loss().nats());
    return evidence <= WORTH_SAYING
        ? Step.silent(state)
        : Step.of(state, finding(view, state.loss(), evidence, state.sinceNanos()));
  }

  private @Nullable PacketTotals totals(List<SignalWindow> windows) {
    boolean any = false;
    for (SignalWindow window : windows) {
      if (unicast.isRead(window)) {
        return unicast;
      }
      any |= all.isRead(window);
    }
    return any ? all : null;
  }

  /**
   * Whether every port that the fabric knows was read: but for those, packets come and go unseen.
   */
  private static boolean readsAll(DeviceView view, Set<PortId> seen) {
    String device = view.device().name();
    for (Link link : view.fabric().linksOf(device)) {
      for (PortId end : link.ends()) {
        if (end.device().equals(device) && !seen.contains(end)) {
          return false;
        }
      }
    }
    return true;
  }

  private Step<State> judged(State state, DeviceView view, double received, double sent) {
    double in = received - state.received();
    double out = sent - state.sent();
    if (!(in > 0)) {
      return said(state, view);
    }
    Trail trail =
        state.trail().plus(in, in - out, (PortView.nanos(view.at()) - state.readNanos()) / 1e9);
    double[] passed = new double[trail.length()];
    double[] missing = new double[trail.length()];
    for (int at = 0; at < passed.length; at++) {
      passed[at] = trail.value(at, 0);
      missing[at] = trail.value(at, 1);
    }
    SlopeStep step = SlopeStep.ofWalk(passed, missing, trail.sizes(), ONE_PACKET);
    double lasted =
        step.at() < 0
            ? 0
            : trail.value(passed.length - 1, SECONDS) - trail.value(step.at(), SECONDS);
    // Routes that change lose once.
    boolean lasts =
        lasted >= LEAST_LASTING_SECONDS
            && passed.length - 1 - step.at() >= LEAST_POLLS
            && SlopeStep.goesOn(
                passed, missing, step.at(), step.before(), step.loss(), PARTS, LASTING);
    Loss loss = loss(state, step, lasts, passed, missing);
    long now = PortView.nanos(view.at());
    if (loss == null) {
      return Step.silent(state.after(received, sent, EMPTY, Loss.NONE, 0, now));
    }
    long since = loss.nats() <= 0 ? 0 : state.sinceNanos() == 0 ? now : state.sinceNanos();
    return said(state.after(received, sent, trail, loss, since, now), view);
  }

  /** What is lost now; null where what was lost is not lost any more. */
  private @Nullable Loss loss(
      State state, SlopeStep step, boolean lasts, double[] passed, double[] missing) {
    int last = passed.length - 1;
    Loss known = state.loss();
    if (budget.evidence(known.nats()) > WORTH_SAYING && isOver(known, passed, missing)) {
      return null;
    }
    boolean judgeable = Math.abs(step.before()) <= own && step.loss() >= least;
    if (budget.isReached(known.nats()) && !(judgeable && step.nats() >= known.nats())) {
      // What was before the loss is forgotten in time, the loss is not.
      double more = Math.max(0, passed[last] - passed[last - 1]);
      return new Loss(
          known.nats(), known.before(), known.ratio(), known.passed() + more, known.enough());
    }
    if (!judgeable || step.nats() <= 0 || !lasts) {
      return Loss.NONE;
    }
    double enough =
        budget.isReached(known.nats()) ? Math.min(known.enough(), step.passed()) : step.passed();
    return new Loss(step.nats(), step.before(), step.loss(), step.passed(), enough);
  }

  /** Whether of the last packets, of which many would be lost, next to none is. */
  private static boolean isOver(Loss known, double[] passed, double[] missing) {
    int last = passed.length - 1;
    for (int at = last - LATELY; at >= 0; at--) {
      double lately = passed[last] - passed[at];
      double due = known.ratio() * lately;
      if (due > MANY_PACKETS && lately >= known.enough()) {
        return missing[last] - missing[at] - Math.max(0, known.before()) * lately < OVER * due;
      }
    }
    return false;
  }

  private Finding finding(DeviceView view, Loss loss, double nats, long since) {
    Subject subject = Subject.ofSwitch(view.device().name());
    return new Finding(
        ID,
        subject,
        Cause.SWITCH_PACKET_LOSS,
        new Evidence(
            Family.LOSS,
            "port.in_packets",
            subject,
            "%s of %s packets that came in did not go out (%s)"
                .formatted(
                    Figures.count(loss.ratio() * loss.passed()),
                    Figures.count(loss.passed()),
                    Figures.rate(loss.ratio())),
            Figures.rate(loss.before()) + " as before",
            Reference.HISTORY,
            nats,
            PortView.instant(since),
            view.at(),
            view.collector() + " " + view.device().name()),
        PortView.instant(since));
  }
}
