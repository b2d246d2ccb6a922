package io.fabrichealth.collective;

import java.util.Arrays;
import java.util.List;

/**
 * What one rank recorded of its collectives (PyTorch's flight recorder), by columns: a job leaves
 * millions of entries, and an object each would not fit.
 *
 * <p>Entries stand in the order in which the rank issued them. Times are nanoseconds since 1970 by
 * the rank's own host's clock, which nobody set by the others'.
 */
public final class FlightRecorder {
  /** A number or time that the dump does not hold. */
  public static final long ABSENT = Long.MIN_VALUE;

  private final int rank;
  private final String source;
  private final String version;
  private final List<ProcessGroup> groups;
  private final List<GroupStatus> statuses;
  private final List<Operation> operations;
  private final List<List<String>> stacks;
  private final int size;
  private final boolean isWhole;
  private final long[] recordIds;
  private final int[] localGroupIds;
  private final int[] groupOf;
  private final int[] operationOf;
  private final int[] stackOf;
  private final long[] collectiveSequences;
  private final long[] pointToPointSequences;
  private final long[] operationIds;
  private final long[] created;
  private final long[] started;
  private final long[] completed;
  private final long[] durations;
  private final byte[] flags;

  private FlightRecorder(Builder from) {
    rank = from.rank;
    source = from.source;
    version = from.version;
    groups = List.copyOf(from.groups);
    statuses = List.copyOf(from.statuses);
    operations = List.copyOf(from.operations);
    stacks = List.copyOf(from.stacks);
    size = from.size;
    isWhole = from.isWhole;
    recordIds = Arrays.copyOf(from.recordIds, size);
    localGroupIds = Arrays.copyOf(from.localGroupIds, size);
    groupOf = Arrays.copyOf(from.groupOf, size);
    operationOf = Arrays.copyOf(from.operationOf, size);
    stackOf = Arrays.copyOf(from.stackOf, size);
    collectiveSequences = Arrays.copyOf(from.collectiveSequences, size);
    pointToPointSequences = Arrays.copyOf(from.pointToPointSequences, size);
    operationIds = Arrays.copyOf(from.operationIds, size);
    created = Arrays.copyOf(from.created, size);
    started = Arrays.copyOf(from.started, size);
    completed = Arrays.copyOf(from.completed, size);
    durations = Arrays.copyOf(from.durations, size);
    flags = Arrays.copyOf(from.flags, size);
  }

  public int rank() {
    return rank;
  }

  /** Where it was read from, for people. */
  public String source() {
    return source;
  }

  /** The schema's version, {@code 2.9}. */
  public String version() {
    return version;
  }

  /** Every group that the rank names: in its configuration, or in an entry. */
  public List<ProcessGroup> groups() {
    return groups;
  }

  public List<GroupStatus> statuses() {
    return statuses;
  }

  /** The distinct operations. */
  public List<Operation> operations() {
    return operations;
  }

  /** The number of entries. */
  public int size() {
    return size;
  }

  /**
   * False where the dump was cut off or in parts not understood: what lacks may have been there.
   */
  public boolean isWhole() {
    return isWhole;
  }

  public long recordId(int entry) {
    return recordIds[entry];
  }

  /** The rank's own number of the group. */
  public int localGroupId(int entry) {
    return localGroupIds[entry];
  }

  /** Index in {@link #groups()}. */
  public int groupIndex(int entry) {
    return groupOf[entry];
  }

  public ProcessGroup group(int entry) {
    return groups.get(groupOf[entry]);
  }

  /** Index in {@link #operations()}. */
  public int operationIndex(int entry) {
    return operationOf[entry];
  }

  public Operation operation(int entry) {
    return operations.get(operationOf[entry]);
  }

  /** Python frames, innermost first, as {@code function (file:line)}; empty where not recorded. */
  public List<String> stack(int entry) {
    return stackOf[entry] < 0 ? List.of() : stacks.get(stackOf[entry]);
  }

  /** Number in the group; those of one coalesced group share it. */
  public long collectiveSequence(int entry) {
    return collectiveSequences[entry];
  }

  public long pointToPointSequence(int entry) {
    return pointToPointSequences[entry];
  }

  public long operationId(int entry) {
    return operationIds[entry];
  }

  public long createdNanos(int entry) {
    return created[entry];
  }

  /** When the recorder noticed that it had started. */
  public long startedNanos(int entry) {
    return started[entry];
  }

  /** When the recorder noticed that it was complete. */
  public long completedNanos(int entry) {
    return completed[entry];
  }

  /** On the GPU; {@link #ABSENT} where it was not timed. */
  public long durationNanos(int entry) {
    return durations[entry];
  }

  public EntryState state(int entry) {
    return STATES[flags[entry] & Builder.STATE];
  }

  public boolean isPointToPoint(int entry) {
    return (flags[entry] & Builder.POINT_TO_POINT) != 0;
  }

  /** Whether the recorder looks at it no more: it need not have succeeded. */
  public boolean isRetired(int entry) {
    return (flags[entry] & Builder.RETIRED) != 0;
  }

  /** Whether it had ended when this was written, so far as the writer tells; it may have failed. */
  public boolean hasEnded(int entry) {
    return isRetired(entry) || state(entry) == EntryState.COMPLETED || completed[entry] != ABSENT;
  }

  private static final EntryState[] STATES = EntryState.values();

  /** Gathers the entries of one rank, in any order of calls between {@link #entry} and the next. */
  public static final class Builder {
    private static final int STATE = 3;
    private static final int POINT_TO_POINT = 4;
    private static final int RETIRED = 8;
    private static final int FIRST = 256;

    private final int rank;
    private final String source;
    private String version = "";
    private List<ProcessGroup> groups = List.of();
    private List<GroupStatus> statuses = List.of();
    private List<Operation> operations = List.of();
    private List<List<String>> stacks = List.of();
    private int size;
    private boolean isWhole = true;
    private long[] recordIds = new long[FIRST];
    private int[] localGroupIds = new int[FIRST];
    private int[] groupOf = new int[FIRST];
    private int[] operationOf = new int[FIRST];
    private int[] stackOf = new int[FIRST];
    private long[] collectiveSequences = new long[FIRST];
    private long[] pointToPointSequences = new long[FIRST];
    private long[] operationIds = new long[FIRST];
    private long[] created = new long[FIRST];
    private long[] started = new long[FIRST];
    private long[] completed = new long[FIRST];
    private long[] durations = new long[FIRST];
    private byte[] flags = new byte[FIRST];

    public Builder(int rank, String source) {
      this.rank = rank;
      this.source = source;
    }

    public Builder version(String value) {
      version = value;
      return this;
    }

    /** The tables that the entries' indices point into. */
    public Builder tables(
        List<ProcessGroup> ofGroups, List<Operation> ofOperations, List<List<String>> ofStacks) {
      groups = ofGroups;
      operations = ofOperations;
      stacks = ofStacks;
      return this;
    }

    public Builder statuses(List<GroupStatus> values) {
      statuses = values;
      return this;
    }

    public Builder whole(boolean value) {
      isWhole = value;
      return this;
    }

    /**
     * Begins an entry.
     *
     * @param stack index, or -1 where there is none
     */
    public Builder entry(long recordId, int localGroupId, int group, int operation, int stack) {
      if (size == recordIds.length) {
        grow();
      }
      recordIds[size] = recordId;
      localGroupIds[size] = localGroupId;
      groupOf[size] = group;
      operationOf[size] = operation;
      stackOf[size] = stack;
      collectiveSequences[size] = ABSENT;
      pointToPointSequences[size] = ABSENT;
      operationIds[size] = ABSENT;
      created[size] = ABSENT;
      started[size] = ABSENT;
      completed[size] = ABSENT;
      durations[size] = ABSENT;
      flags[size] = (byte) EntryState.UNKNOWN.ordinal();
      size++;
      return this;
    }

    public Builder sequences(long collective, long pointToPoint, long operationId) {
      collectiveSequences[size - 1] = collective;
      pointToPointSequences[size - 1] = pointToPoint;
      operationIds[size - 1] = operationId;
      return this;
    }

    /** In nanoseconds; {@link #ABSENT} where not known. */
    public Builder times(long createdAt, long startedAt, long completedAt, long duration) {
      created[size - 1] = createdAt;
      started[size - 1] = startedAt;
      completed[size - 1] = completedAt;
      durations[size - 1] = duration;
      return this;
    }

    public Builder state(EntryState state, boolean isPointToPoint, boolean isRetired) {
      flags[size - 1] =
          (byte)
              (state.ordinal() | (isPointToPoint ? POINT_TO_POINT : 0) | (isRetired ? RETIRED : 0));
      return this;
    }

    public FlightRecorder build() {
      return new FlightRecorder(this);
    }

    private void grow() {
      int longer = size * 2;
      recordIds = Arrays.copyOf(recordIds, longer);
      localGroupIds = Arrays.copyOf(localGroupIds, longer);
      groupOf = Arrays.copyOf(groupOf, longer);
      operationOf = Arrays.copyOf(operationOf, longer);
      stackOf = Arrays.copyOf(stackOf, longer);
      collectiveSequences = Arrays.copyOf(collectiveSequences, longer);
      pointToPointSequences = Arrays.copyOf(pointToPointSequences, longer);
      operationIds = Arrays.copyOf(operationIds, longer);
      created = Arrays.copyOf(created, longer);
      started = Arrays.copyOf(started, longer);
      completed = Arrays.copyOf(completed, longer);
      durations = Arrays.copyOf(durations, longer);
      flags = Arrays.copyOf(flags, longer);
    }
  }

  @Override
  public String toString() {
    return "rank %d, %d entries of %s".formatted(rank, size, source);
  }
}
