package io.fabrichealth.detect;

import io.fabrichealth.detect.RateMemory.Span;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import java.time.Duration;

/**
 * Links that go down and come back.
 *
 * <p><b>What it catches:</b> two outages or more within an hour, or several in a day, also those
 * too short for a poll to see where the port counts them.
 *
 * <p><b>What it compares:</b> outages per time with one in about a year; the longest and the sum of
 * them with 7.5 s, after which the transport of a collective gives up (time-out 18): that adds
 * weight. Outages are counted by the port's own counter, or else as changes of state between polls.
 * Each end judges what it sees itself.
 *
 * <p><b>When it stays silent:</b> a single outage is at most suspect, for somebody may have moved a
 * cable. Outages count for nothing while either end is set down, within two minutes of a reset of
 * the counters (a reboot), and while more than half of the links in use of one end's device are
 * down too. A link that is down for two minutes does not flap, it is down.
 *
 * <p><b>How it clears:</b> the two memories have time constants of 2 hours and a day: one to two
 * hours after a short series of outages. The counts stay in the state.
 *
 * <p><b>Settings:</b> none.
 *
 * <p><b>Source:</b> Gamma posterior of the flap rate; NCCL's time-out formula 4.096 us * 2^18 * 7;
 * flap statistics of published fleets.
 */
public final class FlapsDetector implements Detector<FlapsDetector.State> {
  private static final String ID = "flaps";
  private static final RateLimit LIMIT = new RateLimit(3e-8, 1, 3e-4, 20);
  private static final Span SPAN = new Span(Duration.ofHours(2), Duration.ofHours(24));
  private static final double TRANSPORT_TIMEOUT_SECONDS = 7.5;
  private static final double TIMEOUT_NATS = 3;
  private static final double SINGLE = 1.3;
  private static final double SINGLE_NATS = 7.5;
  private static final double DOWN_NATS = 4;
  private static final double DOWN_SECONDS = 120;
  private static final double SETTLE_SECONDS = 120;
  private static final double WORTH_SAYING = 1;

  private final Signals signals;

  public FlapsDetector(SignalDictionary dictionary) {
    signals = new Signals(dictionary);
  }

  /**
   * What is remembered of a port.
   *
   * @param outages with seconds as their exposure
   * @param oper state at the last poll
   * @param pending outages seen as changes of state that the counter has yet to show
   * @param downSinceNanos when the present outage was first seen; 0 while up
   * @param downSeconds length of the present outage: by the counter of time spent down where there
   *     is one, else from poll to poll, at least that
   * @param longestSeconds longest outage of this series, at least
   * @param totalSeconds sum of the outages of this series, at least
   * @param settledNanos until when outages are those of a reboot
   * @param history outages ever counted; never forgotten
   */
  record State(
      RateMemory outages,
      int oper,
      double pending,
      long downSinceNanos,
      double downSeconds,
      double longestSeconds,
      double totalSeconds,
      long settledNanos,
      double history) {}

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
    return new State(RateMemory.EMPTY, PortView.UNKNOWN, 0, 0, 0, 0, 0, 0, 0);
  }

  @Override
  public Step<State> step(State state, SignalWindow window, DetectContext context) {
    PortView port = new PortView(signals, window, context);
    State next = next(state, port);
    double nats = nats(next, port);
    return nats > WORTH_SAYING ? Step.of(next, finding(next, port, nats)) : Step.silent(next);
  }

  private State next(State state, PortView port) {
    long now = port.nowNanos();
    int oper = port.oper() == PortView.UNKNOWN ? state.oper() : port.oper();
    boolean wentDown = state.oper() == PortView.UP && oper == PortView.DOWN;
    double counted = port.growth(signals.linkDowned);
    boolean hasCounter = !Double.isNaN(counted);
    double seen = wentDown ? 1 : 0;
    double events = hasCounter ? counted + (counted == 0 ? state.pending() : 0) : seen;
    double pending = hasCounter && counted == 0 ? seen : 0;
    long settled =
        port.isRebooted() ? now + Math.round(SETTLE_SECONDS * 1e9) : state.settledNanos();
    if (events + pending > 0 && isExcused(port, settled)) {
      events = 0;
      pending = 0;
    }
    RateMemory outages =
        state.outages().next(events, elapsedSeconds(state, port), now, LIMIT, SPAN);
    boolean running = outages.sinceNanos() != 0;
    long downSince =
        oper != PortView.DOWN ? 0 : state.downSinceNanos() == 0 ? now : state.downSinceNanos();
    double grown = port.growth(signals.downMilliseconds) / 1000;
    double lasted =
        grown > 0
            ? (events > 0 ? 0 : state.downSeconds()) + grown / Math.max(1, events)
            : downSince == 0 ? 0 : Math.max(state.downSeconds(), (now - downSince) / 1e9);
    double added = grown > 0 ? grown : lasted == 0 && !(grown >= 0) ? state.downSeconds() : 0;
    return new State(
        outages,
        oper,
        pending,
        downSince,
        lasted,
        running ? Math.max(state.longestSeconds(), lasted) : 0,
        running ? state.totalSeconds() + added : 0,
        settled,
        state.history() + events);
  }

  private double elapsedSeconds(State state, PortView port) {
    long before = state.outages().atNanos();
    return before == 0
        ? port.seconds(signals.linkDowned)
        : Math.max(0, port.nowNanos() - before) / 1e9;
  }

  private static boolean isExcused(PortView port, long settledNanos) {
    return port.nowNanos() < settledNanos
        || port.isAdminDown()
        || port.isPeerAdminDown()
        || port.isDeviceWide();
  }

  private static double nats(State state, PortView port) {
    RateMemory outages = state.outages();
    double recent = outages.recentNats(LIMIT);
    double worst = Math.max(state.longestSeconds(), state.totalSeconds());
    boolean returned = state.oper() != PortView.DOWN || outages.seen() > 1;
    if (recent > 0 && returned && worst >= TRANSPORT_TIMEOUT_SECONDS) {
      recent += TIMEOUT_NATS;
    }
    if (outages.recent() < SINGLE) {
      recent = Math.min(recent, SINGLE_NATS);
    }
    double nats = Math.max(recent, outages.nats(LIMIT));
    boolean stays =
        state.downSinceNanos() != 0
            && (port.nowNanos() - state.downSinceNanos()) / 1e9 >= DOWN_SECONDS;
    return stays ? Math.min(nats, DOWN_NATS) : nats;
  }

  private static Finding finding(State state, PortView port, double nats) {
    RateMemory outages = state.outages();
    double longest = state.longestSeconds();
    String observed =
        "%s %s in %s%s"
            .formatted(
                Figures.count(outages.seen()),
                outages.seen() == 1 ? "outage" : "outages",
                Figures.time((port.nowNanos() - outages.sinceNanos()) / 1e9),
                longest > 0 ? ", longest " + Figures.time(longest) + " or more" : "");
    return new Finding(
        ID,
        port.link(),
        Cause.LINK_FLAP,
        port.evidence(
            Family.EVENT,
            Double.isNaN(port.growth(port.signals.linkDowned))
                ? "port.oper_up"
                : "port.link_downed",
            port.port(),
            observed,
            "none; a transport gives up after 7.5 s",
            Reference.LIMIT,
            nats,
            outages.sinceNanos()),
        PortView.instant(outages.sinceNanos()));
  }
}
