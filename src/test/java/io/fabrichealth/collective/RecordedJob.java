package io.fabrichealth.collective;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Plays a job of tensor and data parallel ranks that block in their collectives, and records it as
 * flight recorders do.
 */
final class RecordedJob {
  private static final long EPOCH_NANOS = 1_790_000_000_000_000_000L;
  private static final double NANOS_A_MILLI = 1e6;
  private static final double TRANSFER_MILLIS = 0.2;

  /** How much longer than planned a rank computes. */
  interface Delay {
    double millis(int rank, int step, int layer);
  }

  private final int ranks;
  private final int tensor;
  private int steps = 20;
  private double computeMillis = 5;
  private boolean isMeasured = true;
  private Delay delay = (rank, step, layer) -> 0;
  private double skewMillis;
  private double driftPerMillion;
  private int kept = Integer.MAX_VALUE;
  private int largerFrom = Integer.MAX_VALUE;
  private final Map<String, Long> sequences = new HashMap<>();

  RecordedJob(int ranks, int tensor) {
    this.ranks = ranks;
    this.tensor = tensor;
  }

  RecordedJob steps(int count) {
    steps = count;
    return this;
  }

  RecordedJob delay(Delay of) {
    delay = of;
    return this;
  }

  /** Nothing but when an operation was issued. */
  RecordedJob withoutEnds() {
    isMeasured = false;
    return this;
  }

  /** The second half of the ranks has another clock. */
  RecordedJob clocks(double apartMillis, double perMillion) {
    skewMillis = apartMillis;
    driftPerMillion = perMillion;
    return this;
  }

  /** The ring holds the last entries only. */
  RecordedJob lastEntries(int count) {
    kept = count;
    return this;
  }

  /** What is sent within a host is larger from that step on: other places of the program. */
  RecordedJob largerFrom(int step) {
    largerFrom = step;
    return this;
  }

  private record Entry(
      int group, int operation, long sequence, double created, double started, double ended) {}

  List<FlightRecorder> record() {
    SplittableRandom noise = new SplittableRandom(7);
    double[] now = new double[ranks];
    List<List<Entry>> entries = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      entries.add(new ArrayList<>());
    }
    for (int step = 0; step < steps; step++) {
      for (int layer = 0; layer < 4; layer++) {
        for (int rank = 0; rank < ranks; rank++) {
          double millis = computeMillis + delay.millis(rank, step, layer);
          now[rank] += millis * noise.nextDouble(0.95, 1.05);
        }
        for (int first = 0; first < ranks; first += tensor) {
          int operation = step < largerFrom ? 0 : 3;
          meet(entries, now, 1, operation, range(first, first + tensor, 1), "tp" + first);
        }
      }
      for (int lane = 0; lane < tensor; lane++) {
        meet(entries, now, 2, 1, range(lane, ranks, tensor), "dp" + lane);
      }
      meet(entries, now, 0, 2, range(0, ranks, 1), "world");
    }
    List<FlightRecorder> recorders = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      recorders.add(recorder(rank, entries.get(rank)));
    }
    return recorders;
  }

  private void meet(
      List<List<Entry>> entries,
      double[] now,
      int group,
      int operation,
      List<Integer> members,
      String name) {
    long sequence = sequences.merge(name, 1L, Long::sum);
    double last = members.stream().mapToDouble(rank -> now[rank]).max().orElseThrow();
    for (int rank : members) {
      double ended = last + TRANSFER_MILLIS;
      entries.get(rank).add(new Entry(group, operation, sequence, now[rank], now[rank], ended));
      now[rank] = ended + 0.05;
    }
  }

  private FlightRecorder recorder(int rank, List<Entry> all) {
    int lane = rank % tensor;
    int first = rank - lane;
    FlightRecorder.Builder builder =
        new FlightRecorder.Builder(rank, "made")
            .version("2.10")
            .tables(
                List.of(
                    new ProcessGroup("0", "default_pg", range(0, ranks, 1)),
                    new ProcessGroup("tp" + first, "tp", range(first, first + tensor, 1)),
                    new ProcessGroup("dp" + lane, "dp", range(lane, ranks, tensor))),
                List.of(reduce(4096), reduce(1 << 20), reduce(1), reduce(8192)),
                List.of());
    for (int i = Math.max(0, all.size() - kept); i < all.size(); i++) {
      Entry entry = all.get(i);
      builder
          .entry(i, entry.group(), entry.group(), entry.operation(), -1)
          .sequences(entry.sequence(), 0, entry.sequence())
          .times(
              clock(rank, entry.created()),
              isMeasured ? clock(rank, entry.started()) : FlightRecorder.ABSENT,
              isMeasured ? clock(rank, entry.ended()) : FlightRecorder.ABSENT,
              isMeasured
                  ? (long) ((entry.ended() - entry.started()) * NANOS_A_MILLI)
                  : FlightRecorder.ABSENT)
          .state(isMeasured ? EntryState.COMPLETED : EntryState.SCHEDULED, false, true);
    }
    return builder.build();
  }

  private long clock(int rank, double millis) {
    boolean isOff = rank >= ranks / 2;
    double by = isOff ? millis * (1 + driftPerMillion / 1e6) + skewMillis : millis;
    return EPOCH_NANOS + (long) (by * NANOS_A_MILLI);
  }

  private static Operation reduce(long elements) {
    return new Operation(
        "nccl",
        "all_reduce",
        -1,
        -1,
        List.of(List.of(elements)),
        List.of("Float"),
        List.of(List.of(elements)),
        List.of("Float"));
  }

  private static List<Integer> range(int from, int to, int step) {
    List<Integer> all = new ArrayList<>();
    for (int rank = from; rank < to; rank += step) {
      all.add(rank);
    }
    return all;
  }
}
