package io.fabrichealth.detect;

import io.fabrichealth.detect.HotEgress.Hot;
import io.fabrichealth.detect.HotEgress.Load;
import io.fabrichealth.detect.statistics.Budget;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A switch that spreads its flows badly over the links it may choose from.
 *
 * <p><b>What it catches:</b> uplinks that stay idle though flows enough went by to use them all
 * (polarisation: one hash in two tiers, or one that ignores what tells flows apart), uplinks that
 * were used and are left by flows that go on elsewhere, and an uplink that is full for minutes
 * while another is idle (collision).
 *
 * <p><b>What it compares:</b> how unlikely the idle links are if each flow chose its link by lot:
 * with {@code n} flows over {@code k} links, {@code m} stay idle by luck with probability {@code
 * C(k,m) (1-m/k)^n}. The number of flows is not known, but no flow is faster than the port it came
 * in by: at least as many flows go up as ports are needed to bring in that load. Flows are drawn
 * anew whenever the load broke off (a job ended); the counts of all draws add up. Of links that the
 * flows left, a port counts for the connections that a collective library opens at least, but for
 * no more than the unevenness of the loads before allows. Largest over mean is not looked at: 2.6
 * is what 8 flows over 8 links have by luck. Links must be left for 5 minutes; for two polls where
 * so many are that luck is beyond question (the threshold of the budget); and the group sends as
 * much as before. A full link must be so for 3 minutes; for three polls where it marks packets, or
 * sends at 93 % of its speed while nobody counts marks, and is six spreads above its like. Of one
 * that marks 1 % of them, 60 % of the line rate are full: the queue fills in bursts.
 *
 * <p><b>When it stays silent:</b> links that are down, or that receive nothing either (drained),
 * are no choice. Few flows that fell together, once, are luck. A link that was left only counts
 * while the load of the group went on as before and it still receives. A full link whose like are
 * as loaded is congestion without a better path, one that is slower than planned a symptom of that;
 * one whose like carry what they always did is a hot spot, which is said of the port.
 *
 * <p><b>How it clears:</b> a polarised group when an idle link is used again; a full link at the
 * second poll in which it is not.
 *
 * <p><b>Settings:</b> {@code ecmp.*}, and {@code ecn.*} for what is full.
 *
 * <p><b>Source:</b> the multinomial distribution; RFC 2992 on hashing to paths.
 */
public final class EcmpDetector implements DeviceDetector<EcmpDetector.State> {
  private static final String ID = "ecmp";
  private static final double NATS = 10;
  private static final double WORTH_SAYING = 1;

  /** Part of the load by which it may differ from what it was and be the same traffic. */
  private static final double ALIKE_TOTAL = .3;

  private static final double USUAL_SECONDS = 300;
  private static final double BROKE_OFF = .5;
  private static final double ALIKE = .75;
  private static final double IDLE = .02;
  private static final double LESS = .7;
  private static final double WELL_LOADED = .75;
  private static final long OLD_NANOS = 3_600_000_000_000L;

  private final HotEgress egress;
  private final Budget budget;
  private final double minSeconds;
  private final double left;
  private final double used;
  private final double leftSeconds;
  private final double learnedSeconds;
  private final double minLoad;
  private final double flowsOfPort;

  public EcmpDetector(SignalDictionary dictionary, Thresholds thresholds) {
    egress = new HotEgress(new PauseReader(dictionary), thresholds);
    budget = Detectors.budget(thresholds);
    minSeconds = thresholds.number("ecn.lasting-seconds");
    left = thresholds.number("ecmp.left-share");
    used = thresholds.number("ecmp.used-share");
    leftSeconds = thresholds.number("ecmp.left-seconds");
    learnedSeconds = thresholds.number("ecmp.learned-seconds");
    minLoad = thresholds.number("ecmp.least-load");
    flowsOfPort = thresholds.number("ecmp.flows-of-a-port");
  }

  /**
   * What is remembered of a switch.
   *
   * @param ports names of its uplinks, in order
   * @param up which of them are up
   * @param hot those that send at their limit
   * @param usual what each usually sends, a share of its speed; NaN until it is known
   * @param usualIn what it usually receives
   * @param learnedNanos since when that is learned; 0 before
   * @param leftNanos since when a link is left by its flows; 0 while it is not
   * @param idle whether it was idle in all draws
   * @param flows at least so many were drawn while they were
   * @param drawNanos when the flows of now were drawn; 0 while the load is broken off
   * @param isCounted whether this draw is part of {@code flows}
   * @param atNanos time of the last poll
   */
  record State(
      String[] ports,
      boolean[] up,
      List<Hot> hot,
      double[] usual,
      double[] usualIn,
      long learnedNanos,
      long[] leftNanos,
      boolean[] idle,
      double flows,
      long drawNanos,
      boolean isCounted,
      long atNanos) {

    static State of(String[] ports) {
      double[] unknown = new double[ports.length];
      Arrays.fill(unknown, Double.NaN);
      return new State(
          ports,
          new boolean[ports.length],
          List.of(),
          unknown,
          unknown.clone(),
          0,
          new long[ports.length],
          new boolean[ports.length],
          0,
          0,
          false,
          0);
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
    return State.of(new String[0]);
  }

  @Override
  public Step<State> step(State state, DeviceView view) {
    if (view.device().role() == Role.HOST) {
      return Step.silent(state);
    }
    List<PortId> ports = Uplinks.of(view.fabric(), view.device());
    if (ports.size() < 2) {
      return Step.silent(state.ports().length == 0 ? state : initial());
    }
    String[] names = ports.stream().map(PortId::port).toArray(String[]::new);
    State known = Arrays.equals(names, state.ports()) ? state : State.of(names);
    List<Load> loads = new ArrayList<>(ports.size());
    for (PortId port : ports) {
      Link link = view.fabric().linkAt(port);
      loads.add(egress.load(view, port, link == null ? null : link.peerOf(port)));
    }
    Group group = new Group(known, view, loads);
    State next = group.next();
    return new Step<>(next, group.findings(next));
  }

  /** The uplinks of one switch at one poll. */
  private final class Group {
    private final State last;
    private final DeviceView view;
    private final List<Load> loads;
    private final long nowNanos;
    private final boolean[] up;
    private final boolean[] isChoice;
    private int choices;
    private int unread;
    private double total;
    private double usualTotal;

    Group(State last, DeviceView view, List<Load> loads) {
      this.last = last;
      this.view = view;
      this.loads = loads;
      nowNanos = PortView.nanos(view.at());
      up = new boolean[loads.size()];
      isChoice = new boolean[loads.size()];
      for (int index = 0; index < loads.size(); index++) {
        Load load = loads.get(index);
        up[index] = load.up();
        unread += load.up() && Double.isNaN(load.out()) ? 1 : 0;
        isChoice[index] = !Double.isNaN(load.out());
        choices += isChoice[index] ? 1 : 0;
        total += isChoice[index] ? load.out() : 0;
        usualTotal += isChoice[index] ? last.usual()[index] : 0;
      }
    }

    private double fair() {
      return choices == 0 ? 0 : total / choices;
    }

    State next() {
      List<Hot> hot = egress.next(last.hot(), loads, true, nowNanos);
      boolean isOld = nowNanos - last.atNanos() > OLD_NANOS;
      if (unread > 0) {
        return with(hot, last);
      }
      boolean runs = fair() >= minLoad;
      boolean breaksOff = !runs || (usualTotal > 0 && total < BROKE_OFF * usualTotal);
      if (breaksOff || isOld || choices < 2 || !Arrays.equals(up, last.up())) {
        return drawnAnew(hot, runs);
      }
      long[] leftNanos = new long[loads.size()];
      boolean isAnyLeft = false;
      for (int index = 0; index < loads.size(); index++) {
        if (isLeft(index)) {
          leftNanos[index] = last.leftNanos()[index] == 0 ? nowNanos : last.leftNanos()[index];
          isAnyLeft = true;
        }
      }
      long drawn = last.drawNanos() == 0 ? nowNanos : last.drawNanos();
      boolean counts = !last.isCounted() && nowNanos - drawn >= minSeconds * 1e9;
      boolean[] idle = idle(counts);
      boolean wasIdle = isAny(last.idle());
      double flows =
          !isAny(idle) ? 0 : counts ? (wasIdle ? last.flows() : 0) + leastFlows() : last.flows();
      boolean freeze = isAnyLeft || !hot.isEmpty();
      return new State(
          last.ports(),
          up,
          hot,
          freeze ? last.usual() : usual(last.usual(), true),
          freeze ? last.usualIn() : usual(last.usualIn(), false),
          last.learnedNanos() == 0 ? nowNanos : last.learnedNanos(),
          leftNanos,
          idle,
          flows,
          drawn,
          last.isCounted() || counts,
          nowNanos);
    }

    private State with(List<Hot> hot, State of) {
      return hot.equals(of.hot())
          ? of
          : new State(
              of.ports(),
              of.up(),
              hot,
              of.usual(),
              of.usualIn(),
              of.learnedNanos(),
              of.leftNanos(),
              of.idle(),
              of.flows(),
              of.drawNanos(),
              of.isCounted(),
              of.atNanos());
    }

    /** What was usual is past; which links stayed idle is not. */
    private State drawnAnew(List<Hot> hot, boolean runs) {
      State fresh = State.of(last.ports());
      return new State(
          last.ports(),
          up,
          hot,
          fresh.usual(),
          fresh.usualIn(),
          0,
          fresh.leftNanos(),
          last.idle(),
          last.flows(),
          runs ? nowNanos : 0,
          false,
          nowNanos);
    }

    private double[] usual(double[] before, boolean out) {
      double weight = Math.min(1, (nowNanos - last.atNanos()) / 1e9 / USUAL_SECONDS);
      double[] usual = new double[before.length];
      for (int index = 0; index < usual.length; index++) {
        Load load = loads.get(index);
        double now = out ? load.out() : load.in();
        usual[index] =
            Double.isNaN(now)
                ? before[index]
                : Double.isNaN(before[index])
                    ? now
                    : before[index] + weight * (now - before[index]);
      }
      return usual;
    }

    /** Was used, is not any more though the group's load goes on, and still receives. */
    private boolean isLeft(int index) {
      Load load = loads.get(index);
      double usual = last.usual()[index];
      boolean isLearned =
          last.leftNanos()[index] != 0
              || (last.learnedNanos() != 0
                  && nowNanos - last.learnedNanos() >= learnedSeconds * 1e9);
      return isLearned
          && !load.heldUp()
          && load.out() <= left * fair()
          && load.out() <= BROKE_OFF * usual
          && usual >= used * usualTotal / choices
          && load.in() >= BROKE_OFF * last.usualIn()[index];
    }

    /** Those that were idle in all draws: of this one once it has lasted, else as they were. */
    private boolean[] idle(boolean counts) {
      boolean[] idle = last.idle().clone();
      boolean first = !isAny(idle);
      for (int index = 0; index < idle.length; index++) {
        Load load = loads.get(index);
        boolean isIdle = load.out() <= IDLE * fair() && load.in() >= minLoad && !load.heldUp();
        idle[index] = isIdle && (idle[index] || (first && counts));
      }
      return idle;
    }

    /**
     * What comes in by each port that is no uplink, bit/s; of an unread one all that it can.
     *
     * @param least share of its speed below which a port does not count
     */
    private List<Double> sources(double least) {
      List<Double> sources = new ArrayList<>();
      for (Link link : view.fabric().linksOf(view.device().name())) {
        PortId own = Uplinks.ownEnd(link, view.device());
        if (!isUplink(own)) {
          Load load = egress.load(view, own, link.peerOf(own));
          double in = Double.isNaN(load.in()) ? 1 : load.in();
          if (in > 0 && in >= least) {
            sources.add(in * speedOf(own));
          }
        }
      }
      return sources;
    }

    /** So many at least: no flow is faster than the port that it came in by. */
    private double leastFlows() {
      List<Double> sources = sources(0);
      double speed = 0;
      for (Load load : loads) {
        speed = Math.max(speed, speedOf(load.port()));
      }
      sources.sort((one, other) -> Double.compare(other, one));
      double rest = total * speed;
      double flows = 0;
      for (double source : sources) {
        if (rest <= 0) {
          break;
        }
        rest -= source;
        flows++;
      }
      return flows;
    }

    private double speedOf(PortId port) {
      return EndReading.speed(egress.signals, view.window(port), view.fabric().port(port));
    }

    private boolean isUplink(PortId port) {
      return loads.stream().anyMatch(load -> load.port().equals(port));
    }

    // --- judgement

    List<Finding> findings(State next) {
      List<Finding> findings = new ArrayList<>();
      for (Hot hot : next.hot()) {
        int index = Arrays.asList(last.ports()).indexOf(hot.port());
        if (index >= 0 && isFull(hot, loads.get(index)) && !isEvenlyLoaded(index)) {
          findings.add(full(next, index, hot));
        }
      }
      Finding polarised = polarised(next);
      if (polarised != null && findings.stream().noneMatch(Group::isRoute)) {
        findings.add(polarised);
      }
      return findings;
    }

    private boolean isFull(Hot hot, Load load) {
      boolean isLong = egress.isLasting(hot, load, true, minSeconds);
      return isLong && (egress.isTelling(load) || HotEgress.standsOut(load, loads))
          || egress.isBeyondLuck(hot, load, loads);
    }

    private static boolean isRoute(Finding finding) {
      return finding.cause() == Cause.ROUTE_COLLISION;
    }

    /** No other has room, or all of them together do not. */
    private boolean isEvenlyLoaded(int hot) {
      double least = Double.POSITIVE_INFINITY;
      for (int index = 0; index < loads.size(); index++) {
        if (index != hot && isChoice[index]) {
          least = Math.min(least, loads.get(index).out());
        }
      }
      return !(least < ALIKE * loads.get(hot).out()) || fair() >= WELL_LOADED;
    }

    private Finding full(State next, int index, Hot hot) {
      Load load = loads.get(index);
      int spare = -1;
      for (int other = 0; other < loads.size(); other++) {
        if (other != index && isChoice[other] && isSpare(next, other)) {
          spare = other;
        }
      }
      if (spare < 0) {
        return EcnDetector.congestion(ID, view, load, hot);
      }
      String observed =
          "%s %s while %s sends at %s"
              .formatted(
                  load.port().id(),
                  EcnDetector.full(load, hot),
                  loads.get(spare).port().id(),
                  Figures.percent(loads.get(spare).out()));
      return route(
          Cause.ROUTE_COLLISION,
          observed,
          "flows side by side",
          load.port(),
          NATS,
          hot.sinceNanos(),
          List.of(load.port(), loads.get(spare).port()));
    }

    /** Idle, or left by what it used to carry. */
    private boolean isSpare(State next, int index) {
      double out = loads.get(index).out();
      double usual = next.usual()[index];
      return out <= minLoad || (usual >= minLoad && out <= LESS * usual);
    }

    private @Nullable Finding polarised(State next) {
      List<PortId> lefts = lefts(next, 0);
      double nats = natsOfLeft(lefts.size());
      if (!budget.isReached(nats)) {
        lefts = lefts(next, leftSeconds * 1e9);
        nats = natsOfLeft(lefts.size());
      }
      if (nats > WORTH_SAYING && isAsMuchAsBefore(next)) {
        String observed =
            "the flows left %s for other links %s ago, though it still receives"
                .formatted(names(lefts), Figures.time((nowNanos - leftSince(next)) / 1e9));
        return route(
            Cause.ROUTE_POLARISATION,
            observed,
            "links share the load",
            lefts.getFirst(),
            Math.min(NATS, nats),
            leftSince(next),
            lefts);
      }
      List<PortId> idle = new ArrayList<>();
      for (int index = 0; index < loads.size(); index++) {
        if (next.idle()[index]) {
          idle.add(loads.get(index).port());
        }
      }
      if (idle.isEmpty() || idle.size() >= choices) {
        return null;
      }
      nats = FlowLuck.nats(next.flows(), choices, idle.size());
      if (nats <= WORTH_SAYING) {
        return null;
      }
      String observed =
          "%s idle while %s flows or more chose among %d links"
              .formatted(
                  idle.size() == 1 ? idle.getFirst().id() + " is" : idle.size() + " links are",
                  Figures.count(next.flows()),
                  choices);
      return route(
          Cause.ROUTE_POLARISATION,
          observed,
          "all links used",
          idle.getFirst(),
          nats,
          next.drawNanos(),
          idle);
    }

    /** Links that are left for longer than that, as of more than one poll. */
    private List<PortId> lefts(State next, double nanos) {
      List<PortId> lefts = new ArrayList<>();
      for (int index = 0; index < loads.size(); index++) {
        long from = next.leftNanos()[index];
        if (from != 0 && from < nowNanos && nowNanos - from >= nanos) {
          lefts.add(loads.get(index).port());
        }
      }
      return lefts;
    }

    private long leftSince(State next) {
      return Arrays.stream(next.leftNanos()).filter(from -> from != 0).min().orElse(nowNanos);
    }

    /** The same traffic by other links, not other traffic. */
    private boolean isAsMuchAsBefore(State next) {
      double before = Arrays.stream(next.usual()).filter(usual -> !Double.isNaN(usual)).sum();
      return Math.abs(total - before) <= ALIKE_TOTAL * before;
    }

    /** Few flows that were drawn anew leave a link now and then; many do not. */
    private double natsOfLeft(int lefts) {
      if (lefts == 0 || lefts >= choices) {
        return 0;
      }
      double likely =
          Math.min(flowsOfPort * sources(minLoad).size(), FlowLuck.mostFlows(last.usual()));
      double flows = Math.max(leastFlows(), likely);
      return FlowLuck.nats(flows, choices, lefts);
    }

    private static String names(List<PortId> ports) {
      return String.join(", ", ports.stream().map(PortId::id).toList());
    }

    private Finding route(
        Cause cause,
        String observed,
        String expected,
        PortId at,
        double nats,
        long sinceNanos,
        List<PortId> touched) {
      List<Subject> members = new ArrayList<>();
      for (PortId port : touched) {
        Link link = view.fabric().linkAt(port);
        if (link != null) {
          members.add(Subject.of(link));
        }
      }
      Device device = view.device();
      return new Finding(
          ID,
          new Subject(SubjectType.ROUTE, device.name()),
          cause,
          new Evidence(
              Family.PAUSE,
              "port.out_octets",
              Subject.of(at),
              observed,
              expected,
              Reference.PEERS,
              nats,
              PortView.instant(sinceNanos),
              view.at(),
              view.collector() + " " + device.name()),
          PortView.instant(sinceNanos),
          members);
    }
  }

  private static boolean isAny(boolean[] flags) {
    for (boolean flag : flags) {
      if (flag) {
        return true;
      }
    }
    return false;
  }
}
