package io.fabrichealth.latency;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What probes told of late: sums by flow, kept in slices of time, the oldest of which is forgotten
 * as time goes on. Holds a bounded number of flows; probes of more are counted, not kept. Time is
 * that of the samples. Not for use by several threads.
 */
public final class ProbeWindow {
  private static final int SLICES = 12;

  private final long sliceNanos;
  private final int mostFlows;
  private final Deque<Slice> slices = new ArrayDeque<>();
  private long refused;

  /**
   * @param span how far back it reaches, to a twelfth of itself
   * @param mostFlows flows kept in each twelfth
   */
  public ProbeWindow(Duration span, int mostFlows) {
    if (span.compareTo(Duration.ofMillis(SLICES)) < 0 || mostFlows < 1) {
      throw new IllegalArgumentException("span " + span + " and " + mostFlows + " flows");
    }
    sliceNanos = span.toNanos() / SLICES;
    this.mostFlows = mostFlows;
  }

  /** Adds a sample; one that is older than the window is counted as refused. */
  public void add(Instant at, ProbeSample sample) {
    Slice slice = slice(at);
    ProbeFlow flow = ProbeFlow.of(sample);
    Totals totals = slice == null ? null : slice.flows.get(flow);
    if (slice != null && totals == null && slice.flows.size() < mostFlows) {
      totals = new Totals();
      slice.flows.put(flow, totals);
    }
    if (totals == null) {
      refused++;
      return;
    }
    totals.add(sample);
  }

  /** Forgets what is older than the window at that time. */
  public void advance(Instant now) {
    long number = number(now);
    while (!slices.isEmpty() && slices.peekFirst().number <= number - SLICES) {
      slices.removeFirst();
    }
  }

  private @Nullable Slice slice(Instant at) {
    long number = number(at);
    Slice last = slices.peekLast();
    if (last == null || number > last.number) {
      Slice slice = new Slice(number);
      slices.addLast(slice);
      advance(at);
      return slice;
    }
    for (Iterator<Slice> backwards = slices.descendingIterator(); backwards.hasNext(); ) {
      Slice slice = backwards.next();
      if (slice.number <= number) {
        // A straggler of a slice in which nothing came is as good as one of the slice before.
        return slice;
      }
    }
    return null;
  }

  private long number(Instant at) {
    return Math.floorDiv(
        Math.addExact(Math.multiplyExact(at.getEpochSecond(), 1_000_000_000L), at.getNano()),
        sliceNanos);
  }

  /** Probes that were not kept: too old, or of one flow too many. */
  public long refused() {
    return refused;
  }

  /** The sums of each flow over the window, in the order in which flows came. */
  public Map<ProbeFlow, Totals> flows() {
    Map<ProbeFlow, Totals> flows = new LinkedHashMap<>();
    for (Slice slice : slices) {
      slice.flows.forEach(
          (flow, totals) -> flows.computeIfAbsent(flow, key -> new Totals()).add(totals));
    }
    return flows;
  }

  private static final class Slice {
    private final long number;
    private final Map<ProbeFlow, Totals> flows = new LinkedHashMap<>();

    private Slice(long number) {
      this.number = number;
    }
  }

  /** Sums of one flow. */
  public static final class Totals {
    private long sent;
    private long lost;
    private double leastMicros = Double.NaN;

    private void add(ProbeSample sample) {
      sent += sample.sent();
      lost += sample.lost();
      ProbeSample.RoundTrip rtt = sample.rtt();
      if (rtt != null) {
        least(Double.isFinite(rtt.min()) ? rtt.min() : rtt.median());
      }
    }

    private void add(Totals other) {
      sent += other.sent;
      lost += other.lost;
      least(other.leastMicros);
    }

    private void least(double micros) {
      if (micros > 0 && !(leastMicros <= micros)) {
        leastMicros = micros;
      }
    }

    public long sent() {
      return sent;
    }

    public long lost() {
      return lost;
    }

    /** The shortest round trip, microseconds; NaN where none was timed. */
    public double leastMicros() {
      return leastMicros;
    }
  }
}
