package io.fabrichealth.collective;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One collective of a job as its ranks timed it: a {@code collective} record of a capture.
 *
 * <p>Times are microseconds since 1970 by the rank's own host's clock, durations microseconds; NaN
 * where not known. A duration holds the wait for the other ranks.
 */
public final class Collective {
  private final String job;
  private final String group;
  private final long sequence;
  private final String operation;
  private final long bytes;
  private final @Nullable String algorithm;
  private final @Nullable String protocol;
  private final int channels;
  private final int peer;
  private final boolean isTimedOut;
  private final @Nullable String transport;
  private final Map<Integer, String> transports;
  private final int[] ranks;
  private final double[] enqueued;
  private final double[] started;
  private final double[] durations;

  private Collective(Builder from) {
    job = from.job;
    group = from.group;
    sequence = from.sequence;
    operation = from.operation;
    bytes = from.bytes;
    algorithm = from.algorithm;
    protocol = from.protocol;
    channels = from.channels;
    peer = from.peer;
    isTimedOut = from.isTimedOut;
    transport = from.transport;
    transports = Map.copyOf(from.transports);
    ranks = Arrays.copyOf(from.ranks, from.size);
    enqueued = Arrays.copyOf(from.enqueued, from.size);
    started = Arrays.copyOf(from.started, from.size);
    durations = Arrays.copyOf(from.durations, from.size);
  }

  public String job() {
    return job;
  }

  public String group() {
    return group;
  }

  /** Number in the group; gaps mean that it was not recorded, nothing else. */
  public long sequence() {
    return sequence;
  }

  /** As {@code torch.distributed} names it: {@code all_reduce}, {@code send}, ... */
  public String operation() {
    return operation;
  }

  public boolean isPointToPoint() {
    return operation.equals("send") || operation.equals("recv");
  }

  /** A rank's; 0 where not known. */
  public long bytes() {
    return bytes;
  }

  /** {@code RING}, {@code TREE}, ... */
  public @Nullable String algorithm() {
    return algorithm;
  }

  /** {@code SIMPLE}, {@code LL}, {@code LL128}. */
  public @Nullable String protocol() {
    return protocol;
  }

  /** 0 where not known. */
  public int channels() {
    return channels;
  }

  /** The other rank of a send or receive; -1 of anything else. */
  public int peer() {
    return peer;
  }

  /** Whether the ranks that are here waited in vain for those that are not. */
  public boolean isTimedOut() {
    return isTimedOut;
  }

  /** How a rank's data went: {@code RDMA}, {@code SOCKET}, {@code SHM}, {@code NVLINK}. */
  public @Nullable String transport(int rank) {
    String own = transports.get(rank);
    return own == null ? transport : own;
  }

  /** The one that stands for all ranks. */
  public @Nullable String transport() {
    return transport;
  }

  /** Those of ranks that differ. */
  public Map<Integer, String> transports() {
    return transports;
  }

  /** The number of ranks that reported. */
  public int size() {
    return ranks.length;
  }

  public int rank(int row) {
    return ranks[row];
  }

  public double enqueued(int row) {
    return enqueued[row];
  }

  public double started(int row) {
    return started[row];
  }

  public double duration(int row) {
    return durations[row];
  }

  /** Gathers the fields and rows of a collective. */
  public static final class Builder {
    private static final int FIRST = 8;

    private final String job;
    private final String group;
    private final long sequence;
    private final String operation;
    private long bytes;
    private @Nullable String algorithm;
    private @Nullable String protocol;
    private int channels;
    private int peer = -1;
    private boolean isTimedOut;
    private @Nullable String transport;
    private final Map<Integer, String> transports = new TreeMap<>();
    private int size;
    private int[] ranks = new int[FIRST];
    private double[] enqueued = new double[FIRST];
    private double[] started = new double[FIRST];
    private double[] durations = new double[FIRST];

    public Builder(String job, String group, long sequence, String operation) {
      this.job = job;
      this.group = group;
      this.sequence = sequence;
      this.operation = operation;
    }

    public Builder bytes(long value) {
      bytes = value;
      return this;
    }

    public Builder algorithm(@Nullable String name, @Nullable String protocolName) {
      algorithm = name;
      protocol = protocolName;
      return this;
    }

    public Builder channels(int count) {
      channels = count;
      return this;
    }

    public Builder peer(int rank) {
      peer = rank;
      return this;
    }

    public Builder timedOut(boolean value) {
      isTimedOut = value;
      return this;
    }

    public Builder transport(@Nullable String ofAll) {
      transport = ofAll;
      return this;
    }

    public Builder transport(int rank, String of) {
      transports.put(rank, of);
      return this;
    }

    /** A rank that reported; NaN for what it does not know. */
    public Builder row(int rank, double enqueuedAt, double startedAt, double duration) {
      if (size == ranks.length) {
        ranks = Arrays.copyOf(ranks, size * 2);
        enqueued = Arrays.copyOf(enqueued, size * 2);
        started = Arrays.copyOf(started, size * 2);
        durations = Arrays.copyOf(durations, size * 2);
      }
      ranks[size] = rank;
      enqueued[size] = enqueuedAt;
      started[size] = startedAt;
      durations[size++] = duration;
      return this;
    }

    /** Where ranks differ in their transport, each has its own. */
    public Collective build() {
      if (transport != null && !transports.isEmpty()) {
        for (int row = 0; row < size; row++) {
          transports.putIfAbsent(ranks[row], transport);
        }
        transport = null;
      }
      return new Collective(this);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Collective that
        && job.equals(that.job)
        && group.equals(that.group)
        && sequence == that.sequence
        && operation.equals(that.operation)
        && bytes == that.bytes
        && Objects.equals(algorithm, that.algorithm)
        && Objects.equals(protocol, that.protocol)
        && channels == that.channels
        && peer == that.peer
        && isTimedOut == that.isTimedOut
        && Objects.equals(transport, that.transport)
        && transports.equals(that.transports)
        && Arrays.equals(ranks, that.ranks)
        && Arrays.equals(enqueued, that.enqueued)
        && Arrays.equals(started, that.started)
        && Arrays.equals(durations, that.durations);
  }

  @Override
  public int hashCode() {
    return Objects.hash(job, group, sequence, operation, bytes);
  }

  @Override
  public String toString() {
    return "%s %d of %s in %s, %d ranks".formatted(operation, sequence, group, job, ranks.length);
  }
}
