package io.fabrichealth.detect;

import io.fabrichealth.detect.PacketBalance.Loss;
import io.fabrichealth.detect.statistics.Budget;
import io.fabrichealth.detect.statistics.ReadingNoise;
import io.fabrichealth.detect.statistics.Trail;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.PortId;
import org.jspecify.annotations.Nullable;

/**
 * Packets that leave one end of a link and do not arrive at the other, without any counter that
 * says so.
 *
 * <p><b>What it catches:</b> silent loss on the wire, in either direction, from the packet counters
 * of both ends alone: 1e-3 within ten minutes of steady traffic.
 *
 * <p><b>What it compares:</b> for each direction the sum of all packets sent less the sum of those
 * received, brought to one instant, over the sum sent: its slope now with its slope before. Lost
 * packets that are counted (errors, discards) and pause frames are taken off. What the two ends are
 * read apart makes one direction seem to lose exactly what the other seems to gain, so the two are
 * added in proportion to their traffic, and the error falls from seconds of traffic to
 * milliseconds. Where only one direction carries traffic, nothing is said until more is missing
 * than any difference of reading can explain.
 *
 * <p><b>When it stays silent:</b> about a share that is missing from the start, below a floor: the
 * ends may count different things; about steps below the least loss; for as long as one end is not
 * read; about what is not several times the largest error that was seen lately, or does not go on
 * all the time. Readings while the traffic changes are left out, for then what was sent between two
 * of them is not known. It begins anew after an outage, and when the traffic stays different.
 *
 * <p><b>How it clears:</b> when what is sent arrives again for long enough to tell.
 *
 * <p><b>Settings:</b> {@code link-conservation.*}; the threshold follows from the budget.
 *
 * <p><b>Source:</b> conservation of packets: ifHCOutUcastPkts and the like of one end against
 * ifHCInUcastPkts of the other (RFC 2863).
 */
public final class LinkConservationDetector implements Detector<LinkConservationDetector.State> {
  private static final String ID = "link-conservation";
  private static final double WORTH_SAYING = 1;
  private static final long LONGEST_INTERVAL_NANOS = 40_000_000_000L;

  /** Samples between two judgements: a slope does not change from one poll to the next. */
  private static final int JUDGED_EVERY = 4;

  /** Points from which on the usual traffic is known. */
  private static final int LEAST_POINTS = 4;

  /** Readings in a row of other traffic than before, from which on it is the usual one. */
  private static final int MOST_UNSTEADY = 4;

  private final Signals signals;
  private final PacketTotals totals;
  private final PacketBalance balance;
  private final Budget budget;
  private final double steady;

  public LinkConservationDetector(SignalDictionary dictionary, Thresholds thresholds) {
    signals = new Signals(dictionary);
    totals = new PacketTotals(dictionary);
    balance =
        new PacketBalance(
            thresholds.number(ID + ".healthy-ratio"),
            thresholds.number(ID + ".least-loss"),
            thresholds.number(ID + ".floor"),
            thresholds.number(ID + ".floor-packets-per-second"),
            thresholds.number(ID + ".skew-seconds"));
    steady = thresholds.number(ID + ".steady");
    budget = Detectors.budget(thresholds);
  }

  /**
   * What is remembered of a link, at its first end; nothing at the other one.
   *
   * @param atNanos when this end was last read; 0 before the first time
   * @param sent packets of this end by then
   * @param received the same
   * @param mark changes when a counter of this end begins anew
   * @param peerNanos when the other end was read, of the last reading that was used
   * @param peerMark changes when a counter of the other end begins anew
   * @param pair sent and received of this end, then of the other, at that moment
   * @param trail sums, to the other end and then from it: sent, and sent but not received; seconds
   * @param noise of what is missing in both directions together
   * @param waits samples since it was last judged
   * @param doubted growth up to the last reading, if it does not fit and waits for the next one
   * @param unsteady readings in a row that were left out since the traffic changed
   * @param oper state of this end at the last poll
   * @param loss what was last found; nothing where nothing was
   * @param sinceNanos since when it is lost
   */
  record State(
      long atNanos,
      double sent,
      double received,
      long mark,
      long peerNanos,
      long peerMark,
      double[] pair,
      Trail trail,
      ReadingNoise noise,
      int waits,
      double[] doubted,
      int unsteady,
      int oper,
      Loss loss,
      long sinceNanos) {

    /** This end was read, and no pair came of it. */
    State read(long now, double sentNow, double receivedNow, int operNow) {
      return leftOut(now, sentNow, receivedNow, operNow, noise, doubted, unsteady);
    }

    /** The same, since the reading is doubted or the traffic changed. */
    State leftOut(
        long now,
        double sentNow,
        double receivedNow,
        int operNow,
        ReadingNoise noiseNow,
        double[] doubtedNow,
        int unsteadyNow) {
      return new State(
          now,
          sentNow,
          receivedNow,
          mark,
          peerNanos,
          peerMark,
          pair,
          trail,
          noiseNow,
          waits,
          doubtedNow,
          unsteadyNow,
          operNow,
          loss,
          sinceNanos);
    }

    /** A counter began anew: what passed since the last reading is not known, but for that. */
    State joined(
        long now, double sentNow, double receivedNow, long markNow, long peerMarkNow, int operNow) {
      return new State(
          now,
          sentNow,
          receivedNow,
          markNow,
          0,
          peerMarkNow,
          NONE,
          trail,
          noise,
          waits,
          NONE,
          unsteady,
          operNow,
          loss,
          sinceNanos);
    }

    /** Begins anew; what is known to be lost is lost until it can be seen to arrive again. */
    State anew(
        long now,
        double sentNow,
        double receivedNow,
        long markNow,
        long peerMarkNow,
        int operNow,
        boolean isKnown) {
      return new State(
          now,
          sentNow,
          receivedNow,
          markNow,
          0,
          peerMarkNow,
          NONE,
          EMPTY,
          noise,
          0,
          NONE,
          0,
          operNow,
          isKnown ? loss : Loss.NONE,
          isKnown ? sinceNanos : 0);
    }
  }

  private static final double[] NONE = new double[0];
  private static final Trail EMPTY = Trail.begin(5, 16);
  private static final State INITIAL =
      new State(
          0,
          0,
          0,
          0,
          0,
          0,
          NONE,
          EMPTY,
          ReadingNoise.UNKNOWN,
          0,
          NONE,
          0,
          PortView.UNKNOWN,
          Loss.NONE,
          0);

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
  public Step<State> step(State state, SignalWindow window, DetectContext context) {
    PortId peer = context.link().peerOf(window.port());
    if (peer == null || !context.link().ends().getFirst().equals(window.port())) {
      return Step.silent(state);
    }
    if (!totals.isRead(window)) {
      return said(state, context, window);
    }
    PortView port = new PortView(signals, window, context);
    SignalWindow other = context.window(peer);
    double sent = totals.sent(window);
    double received = totals.received(window);
    long now = window.readNanos();
    if (port.isDisturbed(state.oper()) || now <= state.atNanos() || other == null) {
      return said(
          state.anew(
              now,
              sent,
              received,
              totals.mark(window),
              other == null ? 0 : totals.mark(other),
              port.oper(),
              other != null && budget.isReached(state.loss().nats())),
          context,
          window);
    }
    long mark = totals.mark(window);
    long peerMark = totals.mark(other);
    if (mark != state.mark() || peerMark != state.peerMark()) {
      return said(state.joined(now, sent, received, mark, peerMark, port.oper()), context, window);
    }
    State next = sampled(state, window, other, sent, received, port.oper());
    return said(judged(next, now), context, window);
  }

  /** With the other end's last reading, if it lies between the last two readings of this end. */
  private State sampled(
      State state,
      SignalWindow window,
      SignalWindow other,
      double sent,
      double received,
      int oper) {
    long now = window.readNanos();
    long then = other.readNanos();
    boolean useful =
        state.atNanos() > 0
            && then > state.peerNanos()
            && then >= state.atNanos()
            && then <= now
            && now - state.atNanos() <= LONGEST_INTERVAL_NANOS
            && totals.isRead(other);
    if (!useful) {
      return state.read(now, sent, received, oper);
    }
    if (isUnsteady(
        state, sent - state.sent(), received - state.received(), now - state.atNanos())) {
      return state.unsteady() < MOST_UNSTEADY
          ? state.leftOut(
              now, sent, received, oper, state.noise(), state.doubted(), state.unsteady() + 1)
          : state.anew(
              now,
              sent,
              received,
              state.mark(),
              state.peerMark(),
              oper,
              budget.isReached(state.loss().nats()));
    }
    double share = (double) (then - state.atNanos()) / (now - state.atNanos());
    double[] pair = {
      state.sent() + share * (sent - state.sent()),
      state.received() + share * (received - state.received()),
      totals.sent(other),
      totals.received(other)
    };
    Trail trail = state.trail();
    ReadingNoise noise = state.noise();
    if (state.pair().length == pair.length) {
      double out = pair[0] - state.pair()[0];
      double back = pair[2] - state.pair()[2];
      double[] growth = {
        out,
        out - (pair[3] - state.pair()[3]),
        back,
        back - (pair[1] - state.pair()[1]),
        (then - state.peerNanos()) / 1e9
      };
      double[] before = state.doubted();
      boolean fits = fits(trail, noise, growth);
      if (!fits && before.length == 0) {
        ReadingNoise doubting =
            noise.doubting(PacketBalance.difference(trail, growth), PacketBalance.rate(trail));
        return state.leftOut(now, sent, received, oper, doubting, growth, 0);
      }
      if (!fits) {
        // What is off once comes back; what is off twice is so.
        noise = learned(noise, trail, before);
        trail = trail.plus(before);
        for (int column = 0; column < growth.length; column++) {
          growth[column] -= before[column];
        }
      }
      noise = learned(noise, trail, growth);
      trail = trail.plus(growth);
    }
    return new State(
        now,
        sent,
        received,
        state.mark(),
        then,
        state.peerMark(),
        pair,
        trail,
        noise,
        state.waits() + 1,
        NONE,
        0,
        oper,
        state.loss(),
        state.sinceNanos());
  }

  private static boolean fits(Trail trail, ReadingNoise noise, double... growth) {
    return !noise.isOutlier(PacketBalance.difference(trail, growth), growth[PacketBalance.SECONDS]);
  }

  private static ReadingNoise learned(ReadingNoise noise, Trail trail, double... growth) {
    double difference = PacketBalance.difference(trail, growth);
    return Double.isNaN(difference)
        ? noise
        : noise.plus(difference, growth[PacketBalance.SECONDS], PacketBalance.rate(trail));
  }

  /**
   * Whether the traffic changed: what lies between two readings is worked out as if it had not, and
   * a job that stops and starts would look like packets that come and go. What was sent and
   * received over all remains comparable, so that only readings within the change are left out.
   */
  private boolean isUnsteady(State state, double out, double back, long nanos) {
    Trail trail = state.trail();
    double seconds = trail.growth(PacketBalance.SECONDS);
    if (trail.points() < LEAST_POINTS || !(seconds > 0)) {
      return false;
    }
    double meanOut = trail.growth(0) / seconds;
    double meanBack = trail.growth(2) / seconds;
    return isOff(out / nanos * 1e9, meanOut) || isOff(back / nanos * 1e9, meanBack);
  }

  private boolean isOff(double rate, double mean) {
    return mean > 0 && (rate > steady * mean || rate * steady < mean);
  }

  private State judged(State state, long now) {
    if (state.waits() < JUDGED_EVERY) {
      return state;
    }
    Loss known = state.loss();
    boolean over =
        budget.evidence(known.nats()) > WORTH_SAYING
            && balance.isOver(known, state.trail(), state.noise());
    Loss loss =
        over
            ? Loss.NONE
            : balance.loss(state.trail(), state.noise(), budget.isReached(known.nats()));
    if (!over && budget.isReached(known.nats()) && loss.nats() < known.nats()) {
      // What was before the loss is forgotten in time, the loss is not.
      double seconds = (now - state.sinceNanos()) / 1e9;
      loss = known.goingOn(seconds / known.seconds());
    }
    return new State(
        state.atNanos(),
        state.sent(),
        state.received(),
        state.mark(),
        state.peerNanos(),
        state.peerMark(),
        state.pair(),
        over ? EMPTY : state.trail(),
        state.noise(),
        0,
        state.doubted(),
        state.unsteady(),
        state.oper(),
        loss,
        loss.nats() <= 0 ? 0 : now - Math.round(loss.seconds() * 1e9));
  }

  private Step<State> said(State state, DetectContext context, SignalWindow window) {
    Loss loss = state.loss();
    double nats = budget.evidence(loss.nats());
    if (nats <= WORTH_SAYING) {
      return Step.silent(state);
    }
    PortId here = window.port();
    PortId there = context.link().peerOf(here);
    boolean back = loss.direction() == PacketBalance.BACK;
    PortView port = new PortView(signals, window, context);
    String way =
        loss.direction() == PacketBalance.EITHER || there == null
            ? "in one of the directions"
            : "from %s to %s"
                .formatted(back ? there.id() : here.id(), back ? here.id() : there.id());
    return Step.of(
        state,
        new Finding(
            ID,
            port.link(),
            Cause.PACKET_LOSS,
            port.evidence(
                Family.LOSS,
                back ? "port.in_packets" : "port.out_packets",
                port.port(),
                "%s of %s packets did not arrive %s (%s)"
                    .formatted(
                        Figures.count(loss.lost()),
                        Figures.count(loss.passed()),
                        way,
                        Figures.rate(loss.ratio())),
                "%s as before".formatted(Figures.rate(Math.max(0, loss.before()))),
                Reference.HISTORY,
                nats,
                state.sinceNanos()),
            PortView.instant(state.sinceNanos())));
  }

  /** What was found at this port, in nats before the price of looking so often. */
  static double statistic(@Nullable State state) {
    return state == null ? 0 : state.loss().nats();
  }
}
