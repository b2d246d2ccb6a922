package io.fabrichealth.collective;

import io.fabrichealth.collective.PlayedJob.Point;
import io.fabrichealth.collective.PlayedJob.Writer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** One rank of a played job: its program, how far it came, and its dump. */
final class PlayedRank {
  private static final long MILLISECOND = 1_000_000;

  final int rank;
  private final PlayedJob job;
  private final int stage;
  private final List<Object> program = new ArrayList<>();
  private final List<PlayedOperation> issued = new ArrayList<>();
  private final Map<String, Long> sequences = new HashMap<>();
  private final Map<String, Long> counts = new HashMap<>();
  private final Map<String, Long> operations = new HashMap<>();
  private final Map<String, Long> pairs = new HashMap<>();
  private int next;
  private long now;
  private int stopStep = -1;
  private Point stopPoint = Point.DATA;
  private int freezeStep = -1;
  private int wrongStep = -1;
  private Consumer<PlayedOperation> wrong = operation -> {};
  private int otherOrderStep = -1;
  private int snapshotStep = -1;
  private int dumped = -1;
  private boolean isFrozen;
  private boolean hasFailed;

  /** A place in the program that is no operation. */
  private enum Mark {
    COMPUTE,
    WAIT,
    STOP,
    FREEZE,
    DUMP
  }

  PlayedRank(PlayedJob job, int rank) {
    this.job = job;
    this.rank = rank;
    stage = rank / (job.data * job.tensor);
    now = job.start();
  }

  void stop(int step, Point point) {
    stopStep = step;
    stopPoint = point;
  }

  void freezeIn(int step) {
    freezeStep = step;
  }

  /** The first gradient bucket of a step is something else. */
  void wrong(int step, Consumer<PlayedOperation> change) {
    wrongStep = step;
    wrong = change;
  }

  void otherOrder(int step) {
    otherOrderStep = step;
  }

  /** The dump is written before a step, and the rank goes on. */
  void dumpBefore(int step) {
    snapshotStep = step;
  }

  void plan() {
    for (int step = 0; step < job.steps; step++) {
      if (step == snapshotStep) {
        program.add(Mark.DUMP);
      }
      program.add(Mark.COMPUTE);
      point(step, Point.DATA);
      forward(step);
      backward();
      point(step, Point.DP);
      PlayedOperation bucket = operation("dp", 4096, true);
      if (step == wrongStep) {
        wrong.accept(bucket);
      }
      program.add(bucket);
      program.add(operation("dp", 4096, true));
      if (step == freezeStep) {
        program.add(Mark.FREEZE);
      }
      program.add(Mark.WAIT);
      program.add(operation("pp", 64, false));
      point(step, Point.WORLD);
      PlayedOperation loss = operation("default_pg", 1, false);
      PlayedOperation norm = operation("tp", 2, false);
      program.add(step == otherOrderStep ? norm : loss);
      program.add(step == otherOrderStep ? loss : norm);
    }
  }

  private void forward(int step) {
    if (stage > 0) {
      program.add(peer("recv", -1));
    }
    for (int layer = 0; layer < 2; layer++) {
      program.add(Mark.COMPUTE);
      if (layer == 1) {
        point(step, Point.TP);
      }
      program.add(operation("tp", 512, false));
    }
    if (stage < job.stages - 1) {
      point(step, Point.PP);
      program.add(peer("send", 1));
    }
  }

  private void backward() {
    if (stage < job.stages - 1) {
      program.add(peer("recv", 1));
    }
    for (int layer = 0; layer < 2; layer++) {
      program.add(Mark.COMPUTE);
      program.add(operation("tp", 512, false));
    }
    if (stage > 0) {
      program.add(peer("send", -1));
    }
  }

  private void point(int step, Point point) {
    if (step == stopStep && point == stopPoint) {
      program.add(Mark.STOP);
    }
  }

  private PlayedOperation operation(String description, long elements, boolean isAsync) {
    ProcessGroup group = job.group(description, rank);
    return new PlayedOperation(rank, group, "all_reduce", elements, isAsync, -1);
  }

  private PlayedOperation peer(String name, int direction) {
    ProcessGroup group = job.group("pp", rank);
    int peer = group.ranks().get(stage + direction);
    return new PlayedOperation(rank, group, name, 512, false, peer);
  }

  /** Issues what can be issued; whether that was anything. */
  boolean advance() {
    boolean moved = false;
    while (next < program.size() && !isFrozen && !hasFailed && mayGoOn()) {
      Object at = program.get(next);
      if (at == Mark.STOP) {
        return moved;
      }
      next++;
      moved = true;
      if (at == Mark.COMPUTE) {
        now += 4 * MILLISECOND + job.random.nextInt(800_000) - 400_000;
      } else if (at == Mark.DUMP) {
        dumped = issued.size();
      } else if (at == Mark.FREEZE) {
        isFrozen = true;
      } else if (at instanceof PlayedOperation operation) {
        issue(operation);
      }
    }
    return moved;
  }

  private boolean mayGoOn() {
    if (job.ahead() > 1) {
      return issued.stream().filter(operation -> !operation.hasEnded).count() < job.ahead();
    }
    boolean mustWait = program.get(next) == Mark.WAIT;
    for (PlayedOperation operation : issued) {
      if (!operation.hasEnded && (mustWait || !operation.isAsync)) {
        return false;
      }
      now = Math.max(now, operation.isAsync && !mustWait ? now : operation.endedAt);
    }
    return true;
  }

  private void issue(PlayedOperation operation) {
    String group = operation.group.name();
    if (operation.isPointToPoint()) {
      operation.pointToPoint = counts.merge(group, 1L, Long::sum);
      String pair = operation.name + operation.peer;
      long number = pairs.merge(pair, 1L, Long::sum);
      int from = operation.name.equals("send") ? rank : operation.peer;
      int to = operation.name.equals("send") ? operation.peer : rank;
      operation.key = "%d>%d#%d".formatted(from, to, number);
      operation.sequence = sequences.getOrDefault(group, 0L);
    } else {
      operation.sequence = sequences.merge(group, 1L, Long::sum);
      operation.pointToPoint = counts.getOrDefault(group, 0L);
      operation.key = group + "#" + operation.sequence;
    }
    operation.operationId = operations.merge(group, 1L, Long::sum);
    now += 20_000 + job.random.nextInt(20_000);
    operation.issuedAt = now;
    operation.isIssued = true;
    issued.add(operation);
    job.instance(operation.key).put(rank, operation);
  }

  /** Ends what all others have come to as well; whether that was anything. */
  boolean settle() {
    boolean moved = false;
    for (PlayedOperation operation : issued) {
      if (operation.hasEnded || operation.hasFailed) {
        if (operation.hasFailed) {
          return moved;
        }
        continue;
      }
      if (isFrozen || !tryToEnd(operation)) {
        if (job.ahead() > 1 || isFrozen) {
          return moved;
        }
        continue;
      }
      moved = true;
    }
    return moved;
  }

  private boolean tryToEnd(PlayedOperation operation) {
    Map<Integer, PlayedOperation> there = job.instance(operation.key);
    List<Integer> needed =
        operation.isPointToPoint() ? List.of(rank, operation.peer) : operation.group.ranks();
    if (operation.name.equals("send") && !job.dead.contains(operation.peer)) {
      operation.hasEnded = true;
      operation.endedAt = operation.issuedAt;
      return true;
    }
    long end = 0;
    for (int member : needed) {
      PlayedOperation other = there.get(member);
      if (other == null || !job.rank(member).hasReached(other)) {
        fail(operation, member);
        return false;
      }
      if (!operation.isPointToPoint()
          && !other.signature().equals(operation.signature())
          && !other
              .signature()
              .replace("Int", "Float")
              .equals(operation.signature().replace("Int", "Float"))) {
        return false;
      }
      end = Math.max(end, other.issuedAt);
    }
    operation.hasEnded = true;
    operation.endedAt = end + 100_000;
    return true;
  }

  /** A connection to a process that has died breaks, and the rank ends with an exception. */
  private void fail(PlayedOperation operation, int member) {
    boolean notices = operation.group.ranks().size() <= 4 || rank == member + 1;
    boolean isNccl = job.writer == Writer.AHEAD;
    if (job.dead.contains(member) && notices && !isNccl && job.rank(member).hasStopped()) {
      operation.hasFailed = true;
      hasFailed = true;
    }
  }

  private boolean hasStopped() {
    return next < program.size() && program.get(next) == Mark.STOP;
  }

  /** Whether the device has come to an operation that the process has issued. */
  private boolean hasReached(PlayedOperation operation) {
    if (isFrozen && !operation.hasEnded) {
      return false;
    }
    if (job.ahead() == 1) {
      return true;
    }
    for (PlayedOperation before : issued) {
      if (before == operation) {
        return true;
      }
      if (!before.hasEnded) {
        return false;
      }
    }
    return false;
  }

  FlightRecorder dump() {
    List<PlayedOperation> held = dumped < 0 ? issued : issued.subList(0, dumped);
    return new PlayedDump(job, this, held).write();
  }
}
