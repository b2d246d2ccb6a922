package io.fabrichealth.collective.recorder;

import io.fabrichealth.collective.EntryState;
import io.fabrichealth.collective.FlightRecorder;
import io.fabrichealth.collective.GroupStatus;
import io.fabrichealth.collective.Operation;
import io.fabrichealth.collective.ProcessGroup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gathers what a dump says, in whatever order and form it says it, and makes the recorder of it.
 * One dump each; for one thread.
 */
public final class RecorderAssembly {
  private final RecorderValues shared;
  private final FlightRecorder.Builder builder;
  private final List<NamedGroup> groups = new ArrayList<>();
  private final Map<NamedGroup, Integer> groupNumbers = new HashMap<>();
  private final Map<String, ProcessGroup> configured = new LinkedHashMap<>();
  private final List<GroupStatus> statuses = new ArrayList<>();
  private final List<Operation> operations = new ArrayList<>();
  private final Map<Operation, Integer> operationNumbers = new HashMap<>();
  private final List<List<String>> stacks = new ArrayList<>();
  private final Map<List<String>, Integer> stackNumbers = new HashMap<>();
  private int entries;

  private record NamedGroup(String name, String description) {}

  public RecorderAssembly(RecorderValues shared, int rank, String source) {
    this.shared = shared;
    builder = new FlightRecorder.Builder(rank, source);
  }

  public void version(String version) {
    builder.version(shared.shared(version));
  }

  /**
   * The number of the group that an entry names.
   *
   * @param localId names it where the dump is too old to name groups
   */
  public int group(@Nullable String name, @Nullable String description, long localId) {
    NamedGroup group =
        new NamedGroup(
            shared.shared(name == null ? Long.toString(localId) : name),
            shared.shared(description == null ? "" : description));
    Integer number = groupNumbers.putIfAbsent(group, groups.size());
    if (number != null) {
      return number;
    }
    groups.add(group);
    return groups.size() - 1;
  }

  /**
   * A group of the dump's configuration.
   *
   * @param ranks as the dump writes them: {@code [0, 1, 2]}
   */
  public void configure(String name, String description, String ranks) {
    configured.put(name, new ProcessGroup(name, description, shared.ranks(ranks)));
  }

  public void status(String localId, long enqueued, long started, long completed) {
    long id = number(localId);
    if (id >= 0 && id <= Integer.MAX_VALUE) {
      statuses.add(new GroupStatus((int) id, enqueued, started, completed));
    }
  }

  /** The number of an operation; a new one each time for equal ones is right as well, but large. */
  public int operation(
      String profilingName,
      List<List<Long>> inputSizes,
      List<String> inputTypes,
      List<List<Long>> outputSizes,
      List<String> outputTypes) {
    Operation operation =
        ProfilingName.operation(profilingName, inputSizes, inputTypes, outputSizes, outputTypes);
    Integer number = operationNumbers.putIfAbsent(operation, operations.size());
    if (number != null) {
      return number;
    }
    operations.add(shared.shared(operation));
    return operations.size() - 1;
  }

  /** The number of a stack; -1 of an empty one. */
  public int stack(List<String> frames) {
    if (frames.isEmpty()) {
      return -1;
    }
    Integer number = stackNumbers.get(frames);
    if (number != null) {
      return number;
    }
    List<String> stack = shared.shared(List.copyOf(frames));
    stackNumbers.put(stack, stacks.size());
    stacks.add(stack);
    return stacks.size() - 1;
  }

  public static String frame(String function, String file, long line) {
    return function + " (" + file + ":" + line + ")";
  }

  /** Begins an entry; its sequences, times and state are told to what it returns. */
  public FlightRecorder.Builder entry(
      long recordId, long localGroupId, int group, int operation, int stack) {
    entries++;
    int localId = localGroupId >= 0 && localGroupId <= Integer.MAX_VALUE ? (int) localGroupId : -1;
    return builder.entry(recordId, localId, group, operation, stack);
  }

  public int entries() {
    return entries;
  }

  /** Whether anything was said at all. */
  public boolean isEmpty() {
    return entries == 0 && configured.isEmpty() && statuses.isEmpty();
  }

  /** The recorder; the reason says why it is not whole. */
  public DumpReading finish(long skipped, @Nullable String reason) {
    List<ProcessGroup> all = new ArrayList<>();
    Set<String> named = new HashSet<>();
    for (NamedGroup group : groups) {
      ProcessGroup known = configured.get(group.name);
      List<Integer> ranks = List.of();
      if (known != null && isSame(known.description(), group.description)) {
        ranks = known.ranks();
        named.add(group.name);
      }
      all.add(shared.shared(new ProcessGroup(group.name, group.description, ranks)));
    }
    for (ProcessGroup group : configured.values()) {
      if (!named.contains(group.name())) {
        all.add(shared.shared(group));
      }
    }
    builder.tables(all, operations, stacks).statuses(statuses).whole(reason == null);
    return new DumpReading(builder.build(), skipped, reason);
  }

  private static boolean isSame(String description, String other) {
    return description.isEmpty() || other.isEmpty() || description.equals(other);
  }

  /** Of the words that dumps have of their entries' progress. */
  public static EntryState state(@Nullable String word) {
    return switch (word) {
      case "scheduled" -> EntryState.SCHEDULED;
      case "started" -> EntryState.STARTED;
      case "completed" -> EntryState.COMPLETED;
      case null, default -> EntryState.UNKNOWN;
    };
  }

  /** Milliseconds as nanoseconds; absent where they are no time. */
  public static long durationNanos(double milliseconds) {
    return milliseconds >= 0 && milliseconds < 1e12
        ? Math.round(milliseconds * 1e6)
        : FlightRecorder.ABSENT;
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException notANumber) {
      return -1;
    }
  }
}
