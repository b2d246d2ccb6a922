package io.fabrichealth.collect.snmp;

import io.fabrichealth.collect.CollectException;
import io.fabrichealth.collect.FailureCode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.snmp4j.PDU;
import org.snmp4j.mp.SnmpConstants;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.TimeTicks;
import org.snmp4j.smi.VariableBinding;

/**
 * Reads columns of a table by GETBULK (RFC 3416, 4.2.3), several at once, each with a cursor of its
 * own: a column that ends early or has holes costs the others nothing. sysUpTime stands in each
 * request, so that its answer dates the counters beside it.
 */
final class TableWalker {
  private static final OID SYS_UP_TIME_BEFORE = new OID("1.3.6.1.2.1.1.3");
  private static final OID SYS_UP_TIME = SnmpConstants.sysUpTime;
  private static final int MOST_COLUMNS = 12;
  private static final int MOST_ROWS = 50_000;
  private static final int MOST_TRIES = 3;

  private final AgentConnection agent;
  private final Repetitions repetitions = new Repetitions();
  private final InstantSource clock;
  private int columnsAtOnce = MOST_COLUMNS;

  TableWalker(AgentConnection agent, InstantSource clock) {
    this.agent = agent;
    this.clock = clock;
  }

  /**
   * Walks the columns; does not throw for what an agent can do wrong.
   *
   * @param expectedRows rows that the table had the last time; 0 where unknown
   * @param deadline {@link System#nanoTime} by which it must be over
   */
  Walk walk(String table, List<OID> columns, int expectedRows, long deadline)
      throws InterruptedException {
    Walk walk = new Walk(table, columns);
    List<Column> waiting = new ArrayList<>(walk.columns());
    List<Column> active = new ArrayList<>();
    int tries = 0;
    while (true) {
      active.removeIf(Column::ended);
      while (active.size() < columnsAtOnce && !waiting.isEmpty() && startsTogether(active)) {
        active.add(waiting.removeFirst());
      }
      if (active.isEmpty()) {
        return walk;
      }
      Duration wait = patience(deadline);
      if (wait == null) {
        walk.outOfTime(agent.name());
        return walk;
      }
      int expected = expectedRows > 0 ? expectedRows - active.getFirst().size() + 1 : 0;
      int asked = repetitions.next(active.size(), Math.max(0, expected));
      walk.asking();
      try {
        PDU answer = agent.getBulk(request(active), 1, asked, wait);
        if (answer.getErrorStatus() == PDU.tooBig || isEmpty(answer)) {
          if (!askForLess(active, waiting, asked)) {
            walk.problem(
                FailureCode.TOO_LARGE, agent.name(), "an answer of one value is too big for it");
            return walk;
          }
        } else if (answer.getErrorStatus() != PDU.noError) {
          refused(walk, active, answer);
        } else {
          walk.answered(upTicks(answer), clock.instant());
          repetitions.answered(asked);
          tries = 0;
          take(walk, active, answer);
        }
      } catch (CollectException e) {
        repetitions.tooMany(asked);
        if (e.code() != FailureCode.TIMEOUT || ++tries >= MOST_TRIES) {
          FailureCode code = e.code() == FailureCode.TIMEOUT ? FailureCode.PARTIAL : e.code();
          walk.problem(code, agent.name(), "no answer after " + walk.rows() + " rows");
          return walk;
        }
      }
    }
  }

  /** Columns start in step, or rows that are asked for together would not fit in one answer. */
  private static boolean startsTogether(List<Column> active) {
    return active.stream().allMatch(column -> column.size() == 0);
  }

  private @Nullable Duration patience(long deadline) {
    long left = deadline - System.nanoTime();
    return left <= 0
        ? null
        : left < agent.timeout().toNanos() ? Duration.ofNanos(left) : agent.timeout();
  }

  private static List<OID> request(List<Column> active) {
    List<OID> objects = new ArrayList<>(active.size() + 1);
    objects.add(SYS_UP_TIME_BEFORE);
    active.forEach(column -> objects.add(column.cursor()));
    return objects;
  }

  private static boolean isEmpty(PDU answer) {
    return answer.getErrorStatus() == PDU.noError && answer.size() < 2;
  }

  /** Halves rows, then columns; false where there is nothing left to halve. */
  private boolean askForLess(List<Column> active, List<Column> waiting, int asked) {
    if (asked > 1) {
      repetitions.tooMany(asked);
      return true;
    }
    if (active.size() == 1) {
      return false;
    }
    columnsAtOnce = Math.max(1, active.size() / 2);
    while (active.size() > columnsAtOnce) {
      waiting.addFirst(active.removeLast());
    }
    return true;
  }

  private void refused(Walk walk, List<Column> active, PDU answer) {
    int at = answer.getErrorIndex() - 2;
    List<Column> refused =
        at >= 0 && at < active.size() ? List.of(active.get(at)) : List.copyOf(active);
    for (Column column : refused) {
      // noSuchName is how agents of the first version end a walk.
      if (answer.getErrorStatus() == PDU.noSuchName) {
        column.end();
      } else if (walk.problems().isEmpty()) {
        // One is enough: an agent that refuses one column often refuses them all.
        walk.problem(
            FailureCode.PARTIAL,
            agent.name(),
            "column " + column.base().last() + " refused: " + answer.getErrorStatusText());
      }
    }
    active.removeAll(refused);
    walk.answered(-1, clock.instant());
  }

  private void take(Walk walk, List<Column> active, PDU answer) {
    boolean[] done = new boolean[active.size()];
    for (int at = 1; at < answer.size(); at++) {
      int which = (at - 1) % active.size();
      if (done[which]) {
        continue;
      }
      Column column = active.get(which);
      VariableBinding binding = answer.get(at);
      OID object = binding.getOid();
      if (binding.isException()) {
        column.end();
        done[which] = true;
      } else if (object.compareTo(column.cursor()) <= 0) {
        walk.problem(
            FailureCode.MALFORMED,
            agent.name(),
            "goes back from " + column.cursor() + " to " + object);
        done[which] = true;
      } else if (!object.startsWith(column.base())) {
        column.end();
        done[which] = true;
      } else if (column.size() >= MOST_ROWS) {
        walk.problem(FailureCode.TOO_LARGE, agent.name(), "more than " + MOST_ROWS + " rows");
        done[which] = true;
      } else {
        column.add(object, binding.getVariable());
      }
    }
    for (int which = active.size() - 1; which >= 0; which--) {
      if (done[which]) {
        active.remove(which);
      }
    }
  }

  private static long upTicks(PDU answer) {
    VariableBinding first = answer.get(0);
    return first.getVariable() instanceof TimeTicks ticks && SYS_UP_TIME.equals(first.getOid())
        ? ticks.toLong()
        : -1;
  }
}
