package io.fabrichealth.simulate.world;

import io.fabrichealth.collective.Collective;
import io.fabrichealth.collective.Job;
import io.fabrichealth.collective.JobRank;
import io.fabrichealth.collective.ProcessGroup;
import io.fabrichealth.simulate.Draws;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * A training job as its ranks time it: in each step the ranks of a host work in turns with each
 * other, hand on what they have along a pipeline, reduce their gradients in rings, and meet.
 *
 * <p>Rank = host * rails + rail. The hosts are cut into stages; the hosts of a stage that have the
 * same rail form a ring.
 */
final class JobModel {
  static final String NAME = "train-7";

  /** Into which the hosts of a whole fabric are cut. */
  private static final int STAGES = 4;

  private static final int LAYERS = 8;
  private static final double LAYER_MICROS = 100_000;
  private static final double JITTER = .004;
  private static final double NOISE = .02;
  private static final double START_MICROS = 6;
  private static final double BYTES_A_MICRO = 45_000;
  private static final double NVLINK_BYTES_A_MICRO = 300_000;
  private static final long SMALL = 1 << 10;
  private static final long LARGE = 1L << 30;
  private static final long ACTIVATIONS = 64L << 20;
  private static final long TENSOR = 32L << 20;
  private static final int MEAN_OF = 30;

  private final Draws draws;
  private final List<JobRank> places;
  private final int rails;
  private final int stages;
  private final int ring;
  private final double[] extraMicros;
  private final double[] slowdown;
  private final double[] clockMicros;
  private final double[] drift;
  private int socketRank = -1;
  private boolean tellsDurations = true;
  private double done = 1_000;
  private long step = 1_000;
  private double stepMicros = LAYERS * LAYER_MICROS;

  /**
   * @param places of the ranks, in order
   * @param stages into which the hosts are cut
   */
  JobModel(Draws draws, List<JobRank> places, int rails, int stages) {
    this.draws = draws;
    this.places = List.copyOf(places);
    this.rails = rails;
    this.stages = stages;
    ring = places.size() / rails / stages;
    extraMicros = new double[places.size()];
    slowdown = new double[places.size()];
    Arrays.fill(slowdown, 1);
    clockMicros = new double[places.size()];
    drift = new double[places.size()];
  }

  /** One on all hosts of a fabric. */
  static JobModel onAllHosts(Site site, Draws draws) {
    int rails = site.shape().rails();
    List<JobRank> places = new ArrayList<>();
    for (PortModel port : site.hostPorts()) {
      int rank = places.size();
      places.add(new JobRank(rank, port.device().name(), rank % rails, port.name()));
    }
    return new JobModel(draws, places, rails, STAGES);
  }

  int ranks() {
    return places.size();
  }

  JobRank place(int rank) {
    return places.get(rank);
  }

  /** The rank computes so much longer in each step. */
  void delay(int rank, double millis) {
    extraMicros[rank] = millis * 1e3;
  }

  /** What goes through the rank's port takes so much longer. */
  void slow(int rank, double factor) {
    slowdown[rank] = factor;
  }

  /** The rank goes over TCP, so much slower. */
  void socket(int rank, double factor) {
    socketRank = rank;
    slowdown[rank] = factor;
  }

  /** The rank goes over RDMA again. */
  void rdma(int rank) {
    socketRank = -1;
    slowdown[rank] = 1;
  }

  /** The rank's clock is wrong, and runs away. */
  void clock(int rank, double millis, double perMillion) {
    clockMicros[rank] = millis * 1e3;
    drift[rank] = perMillion / 1e6;
  }

  void withoutDurations() {
    tellsDurations = false;
  }

  Job roster() {
    List<ProcessGroup> groups = new ArrayList<>();
    List<Integer> all = new ArrayList<>();
    for (int rank = 0; rank < ranks(); rank++) {
      all.add(rank);
    }
    groups.add(new ProcessGroup("world", "default_pg", all));
    for (int host = 0; host < ranks() / rails; host++) {
      groups.add(
          new ProcessGroup("tp" + host, "tp", all.subList(host * rails, (host + 1) * rails)));
    }
    for (int stage = 0; stage < stages; stage++) {
      for (int rail = 0; rail < rails; rail++) {
        groups.add(new ProcessGroup(ringName(stage, rail), "dp", ringOf(stage, rail)));
      }
    }
    for (int member = 0; member < ring && stages > 1; member++) {
      for (int rail = 0; rail < rails; rail++) {
        groups.add(new ProcessGroup(pipeName(member, rail), "pp", pipe(member, rail)));
      }
    }
    return new Job(NAME, places, groups);
  }

  private static String ringName(int stage, int rail) {
    return "dp%d.%d".formatted(stage, rail);
  }

  private static String pipeName(int member, int rail) {
    return "pp%d.%d".formatted(member, rail);
  }

  private List<Integer> ringOf(int stage, int rail) {
    List<Integer> members = new ArrayList<>();
    for (int member = 0; member < ring; member++) {
      members.add((stage * ring + member) * rails + rail);
    }
    return members;
  }

  private List<Integer> pipe(int member, int rail) {
    List<Integer> members = new ArrayList<>();
    for (int stage = 0; stage < stages; stage++) {
      members.add((stage * ring + member) * rails + rail);
    }
    return members;
  }

  /**
   * Goes on to a step that is recorded.
   *
   * @param seconds of virtual time since the last one
   * @param epochMicros when it begins
   */
  void step(double seconds, double epochMicros, Consumer<Collective> record) {
    done += Math.max(1, seconds * 1e6 / stepMicros);
    step = (long) done;
    stepMicros = play(epochMicros, record);
  }

  /** How long a step takes, the mean over some. */
  double meanStepMicros() {
    double sum = 0;
    for (int i = 0; i < MEAN_OF; i++) {
      sum += play(0, none -> {});
    }
    return sum / MEAN_OF;
  }

  private double play(double begin, Consumer<Collective> record) {
    double[] at = new double[ranks()];
    for (int layer = 0; layer < LAYERS; layer++) {
      for (int rank = 0; rank < at.length; rank++) {
        double work = LAYER_MICROS * (1 + draws.gaussian(0, JITTER)) + extraMicros[rank] / LAYERS;
        at[rank] += work;
      }
      for (int host = 0; host < ranks() / rails; host++) {
        Meeting tp = new Meeting("tp" + host, step * LAYERS + layer, TENSOR);
        for (int rail = 0; rail < rails; rail++) {
          tp.join(host * rails + rail);
        }
        tp.meet(at, TENSOR / NVLINK_BYTES_A_MICRO * noise() + START_MICROS);
        if (layer == 0) {
          record.accept(tp.record(begin));
        }
      }
    }
    send(at, begin, record);
    for (int stage = 0; stage < stages; stage++) {
      for (int rail = 0; rail < rails; rail++) {
        List<Integer> members = ringOf(stage, rail);
        reduce(members, ringName(stage, rail), 2 * step, SMALL, at, begin, record);
        reduce(members, ringName(stage, rail), 2 * step + 1, LARGE, at, begin, record);
      }
    }
    Meeting world = new Meeting("world", step, SMALL);
    for (int rank = 0; rank < ranks(); rank++) {
      world.join(rank);
    }
    world.meet(at, 2.0 * START_MICROS * (ranks() - 1) * noise());
    record.accept(world.record(begin));
    return at[0];
  }

  private double noise() {
    return Math.max(.5, 1 + draws.gaussian(0, NOISE));
  }

  private void send(double[] at, double begin, Consumer<Collective> record) {
    for (int member = 0; member < ring; member++) {
      for (int rail = 0; rail < rails; rail++) {
        List<Integer> pipe = pipe(member, rail);
        for (int stage = 0; stage + 1 < stages; stage++) {
          int from = pipe.get(stage);
          int to = pipe.get(stage + 1);
          double slow = Math.max(slowdown[from], slowdown[to]);
          double takes = (START_MICROS + ACTIVATIONS / BYTES_A_MICRO * slow) * noise();
          Collective.Builder sent =
              new Collective.Builder(NAME, pipeName(member, rail), step, "send")
                  .bytes(ACTIVATIONS)
                  .peer(to)
                  .transport(from == socketRank ? "SOCKET" : "RDMA");
          row(sent, from, begin, at[from], takes);
          record.accept(sent.build());
          at[from] += takes;
        }
      }
    }
  }

  private void reduce(
      List<Integer> members,
      String group,
      long sequence,
      long bytes,
      double[] at,
      double begin,
      Consumer<Collective> record) {
    Meeting meeting = new Meeting(group, sequence, bytes);
    double slow = 1;
    for (int rank : members) {
      meeting.join(rank);
      slow = Math.max(slow, slowdown[rank]);
    }
    double others = members.size() - 1;
    double takes =
        2 * others * START_MICROS + 2 * others / members.size() * bytes / BYTES_A_MICRO * slow;
    meeting.meet(at, takes * noise());
    record.accept(meeting.record(begin));
  }

  /** Ranks that wait for each other in an {@code all_reduce}. */
  private final class Meeting {
    private final String group;
    private final long sequence;
    private final long bytes;
    private final List<Integer> members = new ArrayList<>();
    private final List<Double> came = new ArrayList<>();
    private double ends;

    Meeting(String group, long sequence, long bytes) {
      this.group = group;
      this.sequence = sequence;
      this.bytes = bytes;
    }

    void join(int rank) {
      members.add(rank);
    }

    void meet(double[] at, double takes) {
      double last = 0;
      for (int rank : members) {
        came.add(at[rank]);
        last = Math.max(last, at[rank]);
      }
      ends = last + takes;
      for (int rank : members) {
        at[rank] = ends;
      }
    }

    Collective record(double begin) {
      Collective.Builder of =
          new Collective.Builder(NAME, group, sequence, "all_reduce")
              .bytes(bytes)
              .algorithm("RING", "SIMPLE")
              .channels(rails * 2);
      boolean isOfHost = group.startsWith("tp");
      of.transport(isOfHost ? "NVLINK" : "RDMA");
      if (!isOfHost && members.contains(socketRank)) {
        of.transport(socketRank, "SOCKET");
      }
      for (int i = 0; i < members.size(); i++) {
        row(of, members.get(i), begin, came.get(i), ends - came.get(i));
      }
      return of.build();
    }
  }

  private void row(Collective.Builder of, int rank, double begin, double at, double duration) {
    double off = clockMicros[rank] + drift[rank] * at;
    double measured = duration + draws.gaussian(0, .5);
    of.row(
        rank,
        Math.rint(begin + at + off),
        Math.rint(begin + at + off + 4),
        tellsDurations ? Math.max(1, Math.rint(measured * 10) / 10) : Double.NaN);
  }

  /** What is told once a rank came no more and the others gave up. */
  void timeOut(int hung, double epochMicros, Consumer<Collective> record) {
    int host = hung / rails;
    int stage = host / ring;
    long last = step + 1;
    waiting(
        "tp" + host, last * LAYERS, TENSOR, others(host * rails, rails, hung), epochMicros, record);
    for (int rail = 0; rail < rails; rail++) {
      List<Integer> waiting = new ArrayList<>(ringOf(stage, rail));
      waiting.removeIf(rank -> rank / rails == host);
      waiting(ringName(stage, rail), 2 * last, SMALL, waiting, epochMicros, record);
    }
    List<Integer> rest = new ArrayList<>();
    for (int rank = 0; rank < ranks(); rank++) {
      if (rank / rails / ring != stage) {
        rest.add(rank);
      }
    }
    waiting("world", last, SMALL, rest, epochMicros, record);
  }

  private static List<Integer> others(int from, int count, int hung) {
    List<Integer> others = new ArrayList<>();
    for (int rank = from; rank < from + count; rank++) {
      if (rank != hung) {
        others.add(rank);
      }
    }
    return others;
  }

  private void waiting(
      String group,
      long sequence,
      long bytes,
      List<Integer> ranks,
      double epochMicros,
      Consumer<Collective> record) {
    if (ranks.isEmpty()) {
      return;
    }
    Collective.Builder of =
        new Collective.Builder(NAME, group, sequence, "all_reduce")
            .bytes(bytes)
            .algorithm("RING", "SIMPLE")
            .timedOut(true);
    for (int rank : ranks) {
      double off = clockMicros[rank];
      of.row(rank, Math.rint(epochMicros + off), Double.NaN, Double.NaN);
    }
    record.accept(of.build());
  }
}
