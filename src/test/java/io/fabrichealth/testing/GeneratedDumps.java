package io.fabrichealth.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes the flight recorder dumps of a job of any size in which one rank hangs, as PyTorch writes
 * them with completion reports (schema 2.10). The job is laid out tensor first, then data, then
 * pipeline; each step has tensor and pipeline traffic forth and back, and a reduction over data
 * replicas and one over all. A rank stops where it waits for one that has stopped.
 *
 * <pre>
 * java -cp ... io.fabrichealth.testing.GeneratedDumps DIRECTORY RANKS ENTRIES HUNG_RANK
 * </pre>
 */
public final class GeneratedDumps {
  private static final long START = 1_790_000_000_000_000_000L;
  private static final int DEPTH = 36;
  private static final int LAYERS = 4;

  /** A stage receives, goes through its layers, and sends. */
  private static final int SEND_AFTER_RECEIVE = LAYERS + 1;

  private static final long STEP_NANOS = 1_000_000_000L;

  private final int ranks;
  private final int tensor;
  private final int data;
  private final int pipeline;
  private final int entries;
  private final int hung;
  private final List<Call> step = new ArrayList<>();
  private final Map<Call, List<Object>> stacks = new HashMap<>();
  private final int[] stopsBefore;
  private final int[] waitsIn;

  /** One call of a step. */
  private record Call(String kind, String operation, List<Object> input, List<Object> output) {
    boolean isPeer() {
      return operation.startsWith("send") || operation.startsWith("recv");
    }
  }

  /**
   * @param ranks a power of two from 16
   * @param entries each rank's recorder holds; those of the oldest steps are lost
   * @param hung the rank that does not come to its second tensor reduction of the last step
   */
  public GeneratedDumps(int ranks, int entries, int hung) {
    this.ranks = ranks;
    this.entries = entries;
    this.hung = hung;
    tensor = ranks >= 256 ? 8 : 2;
    pipeline = ranks >= 256 ? 8 : 2;
    data = ranks / tensor / pipeline;
    for (String direction : List.of("forward", "backward")) {
      step.add(new Call("pp", "recv " + direction, List.of(), sizes(4096, 1, 5120)));
      for (int layer = 0; layer < LAYERS; layer++) {
        step.add(new Call("tp", "all_reduce", sizes(4096, 1, 5120), sizes(4096, 1, 5120)));
      }
      step.add(new Call("pp", "send " + direction, sizes(4096, 1, 5120), List.of()));
    }
    step.add(
        new Call("dp", "_reduce_scatter_base", sizes(268_435_456), sizes(268_435_456L / data)));
    step.add(new Call("default_pg", "all_reduce", sizes(1), sizes(1)));
    step.forEach(call -> stacks.put(call, stack(call)));
    stopsBefore = new int[ranks];
    waitsIn = new int[ranks];
    spread();
  }

  public static void main(String[] arguments) throws IOException {
    GeneratedDumps dumps =
        new GeneratedDumps(
            Integer.parseInt(arguments[1]),
            Integer.parseInt(arguments[2]),
            Integer.parseInt(arguments[3]));
    dumps.writeTo(Path.of(arguments[0]));
  }

  public void writeTo(Path directory) throws IOException {
    Files.createDirectories(directory);
    for (int rank = 0; rank < ranks; rank++) {
      Files.write(directory.resolve("comm_lib_trace_rank_" + rank), dump(rank));
    }
  }

  /** The pickle of one rank. */
  public byte[] dump(int rank) {
    Map<String, Object> groups = new LinkedHashMap<>();
    for (String kind : List.of("default_pg", "tp", "dp", "pp")) {
      String name = name(kind, rank);
      groups.put(
          name, ordered("name", name, "desc", kind, "ranks", members(kind, rank).toString()));
    }
    Counts counts = new Counts();
    List<Object> recorded = recorded(rank, counts);
    return PickleWriter.pickle(
        ordered(
            "version",
            "2.10",
            "pg_config",
            groups,
            "comm_lib_version",
            "2.27.3",
            "pg_status",
            counts.statuses(),
            "entries",
            recorded));
  }

  private List<Object> recorded(int rank, Counts counts) {
    int fewest = step.size() - 2;
    int steps = entries / fewest + 3;
    List<Object> all = new ArrayList<>();
    int record = 0;
    for (int number = 0; number < steps; number++) {
      boolean isLast = number == steps - 1;
      for (int at = 0; at < step.size(); at++) {
        Call call = step.get(at);
        boolean isReached = !isLast || reaches(rank, at);
        if (isCalled(call, rank) && isReached) {
          boolean isComplete = !isLast || at < waitsIn[rank];
          all.add(entry(rank, call, record++, time(number, at, rank), isComplete, counts));
        }
      }
    }
    return all.subList(Math.max(0, all.size() - entries), all.size());
  }

  private Map<String, Object> entry(
      int rank, Call call, int record, long created, boolean isComplete, Counts counts) {
    String kind = call.kind();
    int localGroup = List.of("default_pg", "tp", "dp", "pp").indexOf(kind);
    long operation = counts.operation(localGroup, isComplete);
    long peers = call.isPeer() ? counts.peers(localGroup) : counts.peerCount(localGroup);
    long sequence = call.isPeer() ? counts.sequence(localGroup) : counts.next(localGroup);
    long ended = created + 2_000_000L;
    Map<String, Object> entry =
        ordered(
            "frames", stacks.get(call),
            "record_id", record,
            "pg_id", localGroup,
            "process_group", new Object[] {name(kind, rank), kind},
            "thread_name", "python3",
            "thread_id", "140154004425600",
            "collective_seq_id", sequence,
            "p2p_seq_id", peers,
            "op_id", operation,
            "profiling_name", "nccl:" + profilingName(call, rank),
            "time_created_ns", created);
    if (isComplete) {
      entry.put("duration_ms", 1.25 + (record % 7) / 16.0);
    }
    entry.put("input_sizes", call.input());
    entry.put("input_dtypes", call.input().isEmpty() ? List.of() : List.of("BFloat16"));
    entry.put("output_sizes", call.output());
    entry.put("output_dtypes", call.output().isEmpty() ? List.of() : List.of("BFloat16"));
    entry.put("state", isComplete ? "completed" : "scheduled");
    entry.put("time_discovered_started_ns", isComplete ? created + 1_000_000L : null);
    entry.put("time_discovered_completed_ns", isComplete ? ended : null);
    entry.put("retired", isComplete);
    entry.put("timeout_ms", 600_000);
    entry.put("is_p2p", call.isPeer());
    return entry;
  }

  /** Who waits, and in which call of the last step: until nobody more comes to wait. */
  private void spread() {
    Arrays.fill(stopsBefore, step.size());
    Arrays.fill(waitsIn, step.size());
    stopsBefore[hung] = 2;
    boolean isSettled = false;
    while (!isSettled) {
      isSettled = true;
      for (int rank = 0; rank < ranks; rank++) {
        for (int at = 0; at < Math.min(waitsIn[rank], stopsBefore[rank]); at++) {
          if (isCalled(step.get(at), rank) && !isJoined(at, rank)) {
            waitsIn[rank] = at;
            isSettled = false;
          }
        }
      }
    }
  }

  private boolean isJoined(int at, int rank) {
    Call call = step.get(at);
    if (call.operation().startsWith("send")) {
      return true;
    }
    if (call.isPeer()) {
      int sender = members("pp", rank).get(peer(call, stage(rank)));
      return reaches(sender, at + SEND_AFTER_RECEIVE);
    }
    return members(call.kind(), rank).stream().allMatch(member -> reaches(member, at));
  }

  private boolean reaches(int rank, int at) {
    return at < stopsBefore[rank] && at <= waitsIn[rank];
  }

  private boolean isCalled(Call call, int rank) {
    int peer = call.isPeer() ? peer(call, stage(rank)) : 0;
    return peer >= 0 && peer < pipeline;
  }

  private static int peer(Call call, int stage) {
    boolean isForward = call.operation().endsWith("forward");
    boolean isSend = call.operation().startsWith("send");
    return isForward == isSend ? stage + 1 : stage - 1;
  }

  private String profilingName(Call call, int rank) {
    if (!call.isPeer()) {
      return call.operation();
    }
    int stage = stage(rank);
    return call.operation().startsWith("send")
        ? "send " + stage + "->" + peer(call, stage)
        : "recv " + stage + "<-" + peer(call, stage);
  }

  private int stage(int rank) {
    return rank / (tensor * data);
  }

  private List<Integer> members(String kind, int rank) {
    List<Integer> members = new ArrayList<>();
    for (int other = 0; other < ranks; other++) {
      boolean isMember =
          switch (kind) {
            case "tp" -> other / tensor == rank / tensor;
            case "dp" -> other % tensor == rank % tensor && stage(other) == stage(rank);
            case "pp" -> other % (tensor * data) == rank % (tensor * data);
            default -> true;
          };
      if (isMember) {
        members.add(other);
      }
    }
    return members;
  }

  private String name(String kind, int rank) {
    return switch (kind) {
      case "tp" -> String.valueOf(1 + rank / tensor * tensor);
      case "dp" -> String.valueOf(1 + ranks + stage(rank) * tensor * data + rank % tensor);
      case "pp" -> String.valueOf(1 + 2 * ranks + rank % (tensor * data));
      default -> "0";
    };
  }

  /** As deep as those of a large framework. */
  private static List<Object> stack(Call call) {
    List<Object> frames = new ArrayList<>();
    for (int depth = 0; depth < DEPTH; depth++) {
      String function = depth == 0 ? call.operation() : call.kind() + "_function_" + depth;
      frames.add(
          new PickleWriter.Remembered(
              ordered(
                  "name", function,
                  "filename", "/opt/venv/lib/python3.11/site-packages/framework/part" + depth % 7,
                  "line", 100 + depth)));
    }
    return List.copyOf(frames);
  }

  private static long time(int step, int call, int rank) {
    return START + step * STEP_NANOS + call * 40_000_000L + (rank * 7919L) % 1_000 * 100L;
  }

  private static List<Object> sizes(long... dimensions) {
    List<Object> size = new ArrayList<>();
    for (long dimension : dimensions) {
      size.add(dimension);
    }
    return List.of(size);
  }

  private static Map<String, Object> ordered(Object... pairs) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put((String) pairs[i], pairs[i + 1]);
    }
    return map;
  }

  /** Of one rank, each of its groups. */
  private static final class Counts {
    private final long[] operations = new long[4];
    private final long[] completed = {-1, -1, -1, -1};
    private final long[] sequences = new long[4];
    private final long[] peers = new long[4];

    private long operation(int group, boolean isComplete) {
      long operation = ++operations[group];
      if (isComplete) {
        completed[group] = operation;
      }
      return operation;
    }

    private long next(int group) {
      return ++sequences[group];
    }

    private long sequence(int group) {
      return sequences[group];
    }

    private long peers(int group) {
      return ++peers[group];
    }

    private long peerCount(int group) {
      return peers[group];
    }

    private Map<String, Object> statuses() {
      Map<String, Object> statuses = new TreeMap<>();
      for (int group = 0; group < operations.length; group++) {
        statuses.put(
            String.valueOf(group),
            ordered(
                "last_enqueued_collective", operations[group],
                "last_started_collective", -1,
                "last_completed_collective", completed[group]));
      }
      return statuses;
    }
  }
}
