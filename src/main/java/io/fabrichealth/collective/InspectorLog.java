package io.fabrichealth.collective;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What NCCL's Inspector plugin wrote of one process: of each communicator the first operations and
 * the last, for there may be millions.
 */
public final class InspectorLog {
  /** Of each communicator. */
  public static final int FIRST_KEPT = 64;

  /** Of each communicator, beside the first. */
  public static final int LAST_KEPT = 448;

  private static final int MOST_COMMUNICATORS = 1 << 12;

  private final Map<Key, Communicator> communicators = new LinkedHashMap<>();
  private long operations;
  private long leftOut;

  /** A process in a communicator. */
  public record Key(String host, int process, String id) {}

  /**
   * One operation.
   *
   * @param sequence in the communicator
   * @param operation as {@code torch.distributed} names it
   * @param bytes as {@link Collective#bytes()}
   * @param peer of a send or receive, -1 of anything else
   * @param atMicros when it was noted, since 1970
   */
  public record Timed(
      long sequence, String operation, long bytes, int peer, double micros, long atMicros) {}

  /** What one process told of one communicator. */
  static final class Communicator {
    final String name;
    final int rank;
    final int size;
    private final List<Timed> first = new ArrayList<>();
    private final Timed[] last = new Timed[LAST_KEPT];
    private long count;

    Communicator(String name, int rank, int size) {
      this.name = name;
      this.rank = rank;
      this.size = size;
    }

    private void add(Timed timed) {
      if (first.size() < FIRST_KEPT) {
        first.add(timed);
      } else {
        last[(int) (count++ % LAST_KEPT)] = timed;
      }
    }

    List<Timed> kept() {
      List<Timed> kept = new ArrayList<>(first);
      for (long at = Math.max(0, count - LAST_KEPT); at < count; at++) {
        kept.add(last[(int) (at % LAST_KEPT)]);
      }
      return kept;
    }
  }

  /**
   * Takes a line.
   *
   * @param name of the communicator, empty where not told
   * @param rank in the communicator
   * @param size of the communicator
   */
  public void add(Key key, String name, int rank, int size, Timed timed) {
    operations++;
    Communicator known = communicators.get(key);
    if (known == null && communicators.size() < MOST_COMMUNICATORS) {
      known = new Communicator(name, rank, size);
      communicators.put(key, known);
    }
    if (known == null) {
      leftOut++;
    } else {
      known.add(timed);
    }
  }

  /** The number of operations that were told. */
  public long operations() {
    return operations;
  }

  /** Those of communicators beyond what is followed. */
  public long leftOut() {
    return leftOut;
  }

  Map<Key, Communicator> communicators() {
    return communicators;
  }
}
