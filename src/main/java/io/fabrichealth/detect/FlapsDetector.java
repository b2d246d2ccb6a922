package io.fabrichealth.detect;

import io.fabrichealth.detect.OutageWatch.Before;
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
 * <p><b>What it catches:</b> one outage that outlasts the transport of a collective, two or more
 * within an hour, several in a day, and links that do it again and again within a month; also
 * outages too short for a poll to see, where the port counts them or the time it spent down.
 *
 * <p><b>What it compares:</b> outages per time with one in about a year (a Gamma posterior over two
 * hours, a day and 30 days); the longest and the sum of them with the time after which a transport
 * gives up. Where no counter tells how long an outage was, the polls of both ends bound it, and the
 * weight is that of the probability that it was too long. Each end judges what it sees itself.
 *
 * <p><b>When it stays silent:</b> a single short outage is at most suspect, and a single one of
 * more than two minutes less than that: somebody moved a cable. Outages count for nothing while
 * either end is set down, within two minutes of a reset of the counters at either end (a reboot),
 * while more than half of the links in use of one end's device are down too, while the other end's
 * device does not answer, and where the link comes back at a lower speed: it negotiated. It waits
 * with its judgement until the other end was read after the outage. What only one end counts is a
 * fault of its counting. A link that is down for two minutes does not flap, it is down.
 *
 * <p><b>How it clears:</b> the memories have time constants of 2 hours and a day: one to two hours
 * after a short series of outages. The month only adds weight to what is new. The counts stay in
 * the state.
 *
 * <p><b>Settings:</b> {@code flaps.transport-timeout-seconds}, {@code flaps.outages-per-year}.
 *
 * <p><b>Source:</b> Gamma posterior of the flap rate; NCCL's time-out formula 4.096 us * 2^18 * 7;
 * flap statistics of published fleets; the penalty that is shown is that of RFC 2439 (1,000 an
 * outage, half-life 15 minutes).
 */
public final class FlapsDetector implements Detector<FlapsDetector.State> {
  private static final String ID = "flaps";
  private static final Span ACTIVE = new Span(Duration.ofHours(2), Duration.ofHours(24));
  private static final Span MONTH = new Span(Duration.ofHours(24), Duration.ofDays(30));
  private static final double YEAR_SECONDS = 365.25 * 86_400;
  private static final double TIMEOUT_NATS = 5;
  private static final double LIKELY_TIMEOUT = .6;
  private static final double SUM_NATS = 2;
  private static final double SINGLE = 1.3;
  private static final double SINGLE_NATS = 7.5;
  private static final double DOUBTFUL_NATS = 4;
  private static final double STAYS_SECONDS = 120;
  private static final double WORTH_SAYING = 1;
  private static final double WORTH_TELLING_SECONDS = 1;

  /** What is left of one outage after one time constant of two hours. */
  private static final double TODAY = .37;

  private static final double PENALTY = 1000;
  private static final double PENALTY_HALF_LIFE_SECONDS = 900;
  private static final double PENALTY_REUSE = 750;

  private final Signals signals;
  private final OutageWatch watch;
  private final RateLimit limit;
  private final double timeoutSeconds;

  public FlapsDetector(SignalDictionary dictionary, Thresholds thresholds) {
    signals = new Signals(dictionary);
    watch = new OutageWatch(signals);
    limit = new RateLimit(thresholds.number("flaps.outages-per-year") / YEAR_SECONDS, 1, 3e-4, 20);
    timeoutSeconds = thresholds.number("flaps.transport-timeout-seconds");
  }

  /**
   * What is remembered of a port.
   *
   * @param active outages of hours and of a day, with seconds as their exposure
   * @param month outages of 30 days
   * @param series what the outages of {@code active} were like
   * @param outage one that is not judged yet
   * @param before how the port was at the last poll
   * @param sinceNanos time of the first poll
   * @param downSinceNanos when the present outage was first seen; 0 while up
   * @param history outages ever counted; never forgotten
   */
  record State(
      RateMemory active,
      RateMemory month,
      Series series,
      Outage outage,
      Before before,
      long sinceNanos,
      long downSinceNanos,
      double history) {

    boolean isEventful() {
      return outage.exists() || active.atNanos() != 0 || downSinceNanos != 0;
    }
  }

  /**
   * A series of outages.
   *
   * @param sinceNanos when the first was noticed
   * @param longestSeconds the longest of them, at least
   * @param totalSeconds the sum of them, at least
   * @param timeoutShare probability that one of them outlasted a transport
   * @param denied how many the other end did not see, though it counts them
   * @param leadSeconds how much earlier than the other end this one went down the last time
   * @param penalty for display, as of the last outage
   */
  record Series(
      long sinceNanos,
      double longestSeconds,
      double totalSeconds,
      double timeoutShare,
      double denied,
      double leadSeconds,
      double penalty) {
    static final Series NONE = new Series(0, 0, 0, 0, 0, 0, 0);
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
    return new State(
        RateMemory.EMPTY, RateMemory.EMPTY, Series.NONE, Outage.NONE, Before.NOTHING, 0, 0, 0);
  }

  @Override
  public Step<State> step(State state, SignalWindow window, DetectContext context) {
    PortView port = new PortView(signals, window, context);
    Outage outage = watch.next(state.outage(), state.before(), port);
    Before before = watch.next(state.before(), port, !outage.exists());
    boolean isDown = before.oper() == PortView.DOWN;
    if (before == state.before() && !outage.exists() && !isDown && !state.isEventful()) {
      return Step.silent(state);
    }
    State next = next(state, outage, before, port);
    double nats = nats(next, port);
    return nats > WORTH_SAYING ? Step.of(next, finding(next, port, nats)) : Step.silent(next);
  }

  private State next(State state, Outage outage, Before before, PortView port) {
    long now = port.nowNanos();
    boolean isJudged = outage.exists() && watch.isReady(outage, port);
    double events = isJudged && !outage.excused() ? outage.events() : 0;
    RateMemory active = active(state, outage, events, now);
    boolean isRunning = active.sinceNanos() != 0;
    long since = state.sinceNanos() == 0 ? now : state.sinceNanos();
    return new State(
        isRunning ? active : RateMemory.EMPTY,
        events > 0
            ? state
                .month()
                .next(events, seconds(since, state.month(), outage, now), now, limit, MONTH)
            : state.month(),
        events > 0 ? series(state, outage, port) : isRunning ? state.series() : Series.NONE,
        isJudged ? Outage.NONE : outage,
        isJudged ? watch.next(before, port, true) : before,
        since,
        before.oper() != PortView.DOWN
            ? 0
            : state.downSinceNanos() == 0 ? now : state.downSinceNanos(),
        state.history() + events);
  }

  private RateMemory active(State state, Outage outage, double events, long now) {
    RateMemory active = state.active();
    if (active.atNanos() == 0 && events == 0) {
      return active;
    }
    double elapsed = seconds(state.sinceNanos(), active, outage, now);
    double exposure =
        active.atNanos() == 0 ? Math.min(elapsed, ACTIVE.recent().toSeconds()) : elapsed;
    return active.next(events, exposure, now, limit, ACTIVE);
  }

  /** What the memory has not seen yet, of all the time since the first poll. */
  private static double seconds(long sinceNanos, RateMemory memory, Outage outage, long now) {
    long first = sinceNanos == 0 ? outage.upNanos() : sinceNanos;
    long from = memory.atNanos() == 0 ? first : memory.atNanos();
    return Math.max(0, now - from) / 1e9;
  }

  private Series series(State state, Outage outage, PortView port) {
    Series series = state.active().sinceNanos() == 0 ? Series.NONE : state.series();
    double events = outage.events();
    boolean denied = watch.isDenied(outage, state.before(), port);
    return new Series(
        series.sinceNanos() == 0 ? outage.beganNanos() : series.sinceNanos(),
        Math.max(series.longestSeconds(), outage.seconds()),
        series.totalSeconds() + outage.seconds() * events,
        Math.max(series.timeoutShare(), denied ? 0 : outage.shareBeyond(timeoutSeconds)),
        series.denied() + (denied ? events : 0),
        outage.leadSeconds() == 0 ? series.leadSeconds() : outage.leadSeconds(),
        penalty(series, state.active(), port.nowNanos()) + events * PENALTY);
  }

  private static double penalty(Series series, RateMemory active, long now) {
    double seconds = Math.max(0, now - active.eventNanos()) / 1e9;
    return series.penalty() * Math.pow(2, -seconds / PENALTY_HALF_LIFE_SECONDS);
  }

  private double nats(State state, PortView port) {
    RateMemory active = state.active();
    if (active.sinceNanos() == 0) {
      return 0;
    }
    Series series = state.series();
    boolean isSingle = active.recent() < SINGLE;
    double recent = active.recentNats(limit);
    if (recent > 0) {
      recent += Math.log1p(series.timeoutShare() * Math.expm1(TIMEOUT_NATS));
      recent += series.timeoutShare() < 1 && !isSingle && breaksInSum(series) ? SUM_NATS : 0;
    }
    if (isSingle && series.timeoutShare() < LIKELY_TIMEOUT) {
      recent = Math.min(recent, SINGLE_NATS);
    }
    boolean isMoved = active.seen() < 2 && series.longestSeconds() >= STAYS_SECONDS;
    double nats = Math.max(recent, limit.nats(active.past(), active.pastExposure()));
    if (active.recent() >= TODAY) {
      nats = Math.max(nats, limit.nats(state.month().past(), state.month().pastExposure()));
    }
    boolean stays =
        state.downSinceNanos() != 0
            && (port.nowNanos() - state.downSinceNanos()) / 1e9 >= STAYS_SECONDS;
    boolean isDoubtful = stays || isMoved || series.denied() * 2 > active.seen();
    return isDoubtful ? Math.min(nats, DOUBTFUL_NATS) : nats;
  }

  private boolean breaksInSum(Series series) {
    return series.totalSeconds() >= timeoutSeconds;
  }

  private Finding finding(State state, PortView port, double nats) {
    long since = state.series().sinceNanos();
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
            observed(state, port),
            "none; a transport gives up after " + Figures.time(timeoutSeconds),
            Reference.LIMIT,
            nats,
            since),
        PortView.instant(since));
  }

  private static String observed(State state, PortView port) {
    RateMemory active = state.active();
    Series series = state.series();
    double month = state.month().past();
    double penalty = penalty(series, active, port.nowNanos());
    StringBuilder text = new StringBuilder();
    text.append(Figures.count(active.seen()))
        .append(active.seen() == 1 ? " outage in " : " outages in ")
        .append(Figures.time((port.nowNanos() - series.sinceNanos()) / 1e9));
    if (series.longestSeconds() > 0) {
      text.append(", longest ").append(Figures.time(series.longestSeconds())).append(" or more");
    }
    if (Math.rint(month) > active.seen()) {
      text.append(", ").append(Figures.count(Math.rint(month))).append(" in 30 days");
    }
    if (series.denied() > 0) {
      text.append(", ").append(Figures.count(series.denied())).append(" unseen by the other end");
    }
    if (Math.abs(series.leadSeconds()) > WORTH_TELLING_SECONDS) {
      text.append(series.leadSeconds() > 0 ? ", this end first" : ", the other end first");
    }
    if (penalty >= PENALTY_REUSE) {
      text.append(", damping penalty ").append(Figures.count(Math.rint(penalty)));
    }
    return text.toString();
  }
}
