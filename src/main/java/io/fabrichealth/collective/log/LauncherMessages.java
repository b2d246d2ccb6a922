package io.fabrichealth.collective.log;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What launchers say of the processes: torchelastic's blocks and its signals, Slurm's and Open
 * MPI's lines of tasks that ended by a signal.
 */
final class LauncherMessages {
  private static final int MOST = 1 << 17;
  private static final int LONGEST_BLOCK = 200;
  private static final Pattern FIELD =
      Pattern.compile(
          "\\s*(?:(?<head>\\[\\d{1,7}\\]:)|(?<root>Root Cause \\(first observed failure\\):)"
              + "|time\\s*: (?<time>\\d{4}-\\d\\d-\\d\\d_\\d\\d:\\d\\d:\\d\\d)"
              + "|host\\s*: (?<host>\\S{1,255})"
              + "|rank\\s*: (?<rank>\\d{1,7}) \\(local_rank: \\d{1,7}\\)"
              + "|exitcode\\s*: (?<code>-?\\d{1,9}) \\(pid: (?<pid>\\d{1,10})\\).*"
              + "|(?<end>={20,}))\\s*");
  private static final Pattern EXCEPTION =
      Pattern.compile(
          "\\s*(?:traceback : )?\\s*((?:[\\w.]{1,200}\\.)?[A-Z]\\w{1,100}(?:Error|Exception):"
              + " .{1,400})");
  private static final Pattern SIGNALLED =
      Pattern.compile(
          "Sending process (\\d{1,10}) closing signal|Unable to shutdown process (\\d{1,10})");
  private static final Pattern TASK =
      Pattern.compile(
          "srun: error: (?<node>\\S{1,255}): tasks? (?<task>\\d{1,7}): "
              + "(?<how>Killed|Segmentation fault|Bus error|Aborted|Out Of Memory)");
  private static final Pattern MPI =
      Pattern.compile(
          "process rank (?<rank>\\d{1,7}) with PID (?<pid>\\d{1,10}) on node (?<node>\\S{1,255})"
              + " exited on signal (?<signal>\\d{1,2})");
  private static final Map<String, Integer> SIGNALS =
      Map.of(
          "Killed",
          -9,
          "Out Of Memory",
          -9,
          "Segmentation fault",
          -11,
          "Bus error",
          -7,
          "Aborted",
          -6);

  private final Map<String, Block> open = new HashMap<>();
  private final Map<Integer, ProcessExit> exits = new LinkedHashMap<>();
  private final Set<Integer> signalled = new HashSet<>();
  private long leftOut;

  /** The lines of one process, as they come. */
  private static final class Block {
    private final long begin;
    private boolean isRoot;
    private @Nullable Instant time;
    private String host = "";
    private int rank = Speaker.UNKNOWN;
    private int code;
    private int pid;
    private String error = "";

    Block(long begin, boolean isRoot) {
      this.begin = begin;
      this.isRoot = isRoot;
    }
  }

  boolean isOpen() {
    return !open.isEmpty();
  }

  /** The launcher's list of failures begins, if it has not. */
  void begins(String key, long line) {
    if (open.size() < MOST) {
      open.putIfAbsent(key, new Block(line, false));
    }
  }

  void line(String key, String text, long line) {
    Matcher signal = SIGNALLED.matcher(text);
    while (signal.find()) {
      if (signalled.size() < MOST) {
        signalled.add(
            (int) Long.parseLong(signal.group(1) == null ? signal.group(2) : signal.group(1)));
      }
    }
    task(text, line);
    Block block = open.get(key);
    if (block != null) {
      inBlock(key, block, text, line);
    }
  }

  private void task(String text, long line) {
    Matcher task = TASK.matcher(text);
    if (task.find()) {
      add(
          new ProcessExit(
              Integer.parseInt(task.group("task")),
              task.group("node"),
              0,
              SIGNALS.getOrDefault(task.group("how"), 0),
              false,
              false,
              "",
              null,
              line));
    }
    Matcher mpi = MPI.matcher(text);
    if (mpi.find()) {
      add(
          new ProcessExit(
              Integer.parseInt(mpi.group("rank")),
              mpi.group("node"),
              (int) Long.parseLong(mpi.group("pid")),
              -Integer.parseInt(mpi.group("signal")),
              true,
              false,
              "",
              null,
              line));
    }
  }

  private void inBlock(String key, Block block, String text, long line) {
    Matcher field = FIELD.matcher(text);
    if (!field.matches()) {
      Matcher exception = EXCEPTION.matcher(text);
      if (exception.matches()) {
        block.error = ErrorText.shortened(exception.group(1));
      } else if (line - block.begin > LONGEST_BLOCK) {
        close(key, block);
      }
      return;
    }
    if (field.group("head") != null) {
      close(key, block);
      open.put(key, new Block(line, block.isRoot));
    } else if (field.group("root") != null) {
      close(key, block);
      open.put(key, new Block(line, true));
    } else if (field.group("end") != null) {
      close(key, block);
    } else if (field.group("time") != null) {
      block.time = timeOf(field.group("time"));
    } else if (field.group("host") != null) {
      block.host = field.group("host");
    } else if (field.group("rank") != null) {
      block.rank = Integer.parseInt(field.group("rank"));
    } else {
      block.code = Integer.parseInt(field.group("code"));
      block.pid = (int) Long.parseLong(field.group("pid"));
    }
  }

  private void close(String key, Block block) {
    open.remove(key);
    if (block.rank != Speaker.UNKNOWN) {
      add(
          new ProcessExit(
              block.rank,
              block.host,
              block.pid,
              block.code,
              block.isRoot,
              false,
              block.error,
              block.time,
              block.begin));
    }
  }

  private void add(ProcessExit exit) {
    if (exits.size() >= MOST) {
      leftOut++;
    } else {
      exits.put(exit.rank(), exit);
    }
  }

  /** One a rank, the last: a job that was started again ends by its last end. */
  List<ProcessExit> exits() {
    List.copyOf(open.entrySet()).forEach(left -> close(left.getKey(), left.getValue()));
    List<ProcessExit> all = new ArrayList<>();
    for (ProcessExit exit : exits.values()) {
      all.add(
          new ProcessExit(
              exit.rank(),
              exit.host(),
              exit.pid(),
              exit.exitCode(),
              exit.isFirst(),
              exit.pid() != 0 && signalled.contains(exit.pid()),
              exit.error(),
              exit.time(),
              exit.line()));
    }
    return all;
  }

  private static @Nullable Instant timeOf(String text) {
    try {
      return LocalDateTime.parse(text.replace('_', 'T')).toInstant(ZoneOffset.UTC);
    } catch (DateTimeException unreadable) {
      return null;
    }
  }

  long leftOut() {
    return leftOut;
  }
}
