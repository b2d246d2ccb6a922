package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.CollectException;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.collect.infiniband.ToolRunner.End;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads the counters of the ports under one LID: {@code perfquery -x -l} for all of them in one
 * run, and once more without {@code -x} where the node has no extended error counters. {@code
 * perfquery} gives up at the first port that fails, so the others are asked again without it.
 */
final class PerfQuery {
  private static final int MOST_FAILING_PORTS = 4;

  private final ToolWords words;
  private final ToolRunner runner;

  PerfQuery(ToolWords words, ToolRunner runner) {
    this.words = words;
    this.runner = runner;
  }

  /** What a node can be asked, as far as it showed. Belongs to the one that asks it. */
  static final class Abilities {
    private boolean hasExtended = true;
    private boolean hasExtendedErrors = true;
    private final Set<Integer> failing = new HashSet<>();

    /** The same, but for ports that failed: they may answer now. */
    Abilities askedAnew() {
      Abilities anew = new Abilities();
      anew.hasExtended = hasExtended;
      anew.hasExtendedErrors = hasExtendedErrors;
      return anew;
    }
  }

  /**
   * What was read.
   *
   * @param problem why not all of it was; null where all was
   */
  record Result(List<PortCounters> read, @Nullable Problem problem) {

    static Result failed(List<Integer> ports, Problem why) {
      return new Result(
          List.of(),
          new Problem(why.code(), "%d ports: %s".formatted(ports.size(), why.message())));
    }
  }

  /** Asks for all ports. */
  Result ask(int lid, List<Integer> ports, Abilities abilities, Duration limit)
      throws InterruptedException {
    Asked asked = new Asked(lid, ports, abilities, System.nanoTime() + limit.toNanos());
    if (abilities.hasExtended) {
      asked.run(true);
      if (!asked.read.isEmpty()) {
        abilities.hasExtendedErrors =
            asked.read.stream().anyMatch(port -> port.isWide(PmaCounter.SYMBOL_ERRORS));
      }
    }
    if (asked.problem == null && !(abilities.hasExtended && abilities.hasExtendedErrors)) {
      asked.run(false);
    }
    return asked.result();
  }

  /** One LID in one pass. */
  private final class Asked {
    private final int lid;
    private final List<Integer> ports;
    private final Abilities abilities;
    private final long until;
    private final List<PortCounters> read = new ArrayList<>();
    private @Nullable Problem problem;

    Asked(int lid, List<Integer> ports, Abilities abilities, long until) {
      this.lid = lid;
      this.ports = ports;
      this.abilities = abilities;
      this.until = until;
    }

    void run(boolean extended) throws InterruptedException {
      TreeSet<Integer> left = new TreeSet<>(ports);
      left.removeAll(abilities.failing);
      int failed = 0;
      while (!left.isEmpty() && problem == null && failed <= MOST_FAILING_PORTS) {
        CounterText text = new CounterText();
        try {
          End end = runner.run(arguments(extended, left), left(), out -> read(text, out));
          take(text, left);
          boolean isWithout =
              end.complaint().contains("No extended counter support") || !text.remarks().isEmpty();
          if (extended && read.isEmpty() && isWithout) {
            abilities.hasExtended = false;
            return;
          }
          if (end.exitCode() == 0) {
            noteUnanswered(left);
            return;
          }
          if (!isOfPort(end)) {
            throw words.failed("perfquery", end);
          }
          abilities.failing.add(left.removeFirst());
          failed++;
        } catch (CollectException e) {
          take(text, left);
          problem = new Problem(e.code(), String.valueOf(e.getMessage()));
        }
      }
    }

    private List<String> arguments(boolean extended, TreeSet<Integer> left) {
      List<String> arguments = new ArrayList<>();
      if (extended) {
        arguments.add("-x");
      }
      arguments.add("-l");
      arguments.add(Integer.toString(lid));
      boolean isRange = left.last() - left.first() + 1 == left.size();
      arguments.add(
          isRange && left.size() > 1
              ? left.first() + "-" + left.last()
              : String.join(",", left.stream().map(port -> Integer.toString(port)).toList()));
      return words.of("perfquery", arguments);
    }

    private Duration left() throws CollectException {
      Duration left = Duration.ofNanos(until - System.nanoTime());
      if (!left.isPositive()) {
        throw new CollectException(FailureCode.TIMEOUT, "perfquery: no time was left", null);
      }
      return left;
    }

    private void take(CounterText text, TreeSet<Integer> left) {
      for (PortCounters port : text.ports()) {
        left.remove(port.port());
        read.add(port);
      }
    }

    private void noteUnanswered(Set<Integer> left) {
      if (!left.isEmpty()) {
        problem =
            new Problem(FailureCode.PARTIAL, "perfquery printed nothing of ports " + listed(left));
      }
    }

    Result result() {
      if (problem == null && !abilities.failing.isEmpty()) {
        problem =
            new Problem(
                read.isEmpty() ? FailureCode.UNREACHABLE : FailureCode.PARTIAL,
                "perfquery fails at ports " + listed(new TreeSet<>(abilities.failing)));
      }
      return new Result(read, problem);
    }
  }

  private static void read(CounterText text, InputStream out) throws IOException {
    TextReader.read(out, text::line, text.refusals());
    text.end();
  }

  /** Whether perfquery gave up at a port, and not at the node. */
  private static boolean isOfPort(End end) {
    return end.complaint().contains("failed: perfextquery")
        || end.complaint().contains("failed: perfquery");
  }

  private static String listed(Set<Integer> ports) {
    return String.join(", ", ports.stream().map(port -> Integer.toString(port)).toList());
  }
}
