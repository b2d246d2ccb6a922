package io.fabrichealth.collect.snmp;

import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.FailureCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snmp4j.smi.OID;

/** What a walk over some columns of one table brought; what is here is good. */
final class Walk {
  private final String table;
  private final Map<OID, Column> columns = new LinkedHashMap<>();
  private final List<Problem> problems = new ArrayList<>();
  private long upTicks = -1;
  private @Nullable Instant upTicksAt;
  private boolean answered;
  private boolean asked;
  private boolean outOfTime;

  Walk(String table, List<OID> columns) {
    this.table = table;
    columns.forEach(column -> this.columns.put(column, new Column(column)));
  }

  String table() {
    return table;
  }

  List<Column> columns() {
    return List.copyOf(columns.values());
  }

  /** The column; null where it was not asked for. */
  @Nullable Column column(OID base) {
    return columns.get(base);
  }

  /** The column, which must have been asked for. */
  Column get(OID base) {
    Column column = columns.get(base);
    if (column == null) {
      throw new IllegalArgumentException(base + " was not asked for");
    }
    return column;
  }

  /** Whether all columns were read to their ends. */
  boolean complete() {
    return problems.isEmpty() && columns.values().stream().allMatch(Column::ended);
  }

  int rows() {
    return columns.values().stream().mapToInt(Column::size).max().orElse(0);
  }

  List<Problem> problems() {
    return problems;
  }

  void problem(FailureCode code, String device, String what) {
    problems.add(new Problem(code, device + ": " + table + ": " + what));
  }

  /** The time was over before the table was. */
  void outOfTime(String device) {
    outOfTime = true;
    problem(FailureCode.PARTIAL, device, "out of time after " + rows() + " rows");
  }

  /** Whether there was more to read than time. */
  boolean wasCutOff() {
    return outOfTime && (answered || !asked);
  }

  /** Whether the agent was asked at all: where the time was over before, it was not. */
  boolean asked() {
    return asked;
  }

  void asking() {
    asked = true;
  }

  /** sysUpTime in the first answer; -1 where it did not come. */
  long upTicks() {
    return upTicks;
  }

  /** Whether the agent answered at all. */
  boolean answered() {
    return answered;
  }

  /** When {@link #upTicks} came; null where it did not come. */
  @Nullable Instant upTicksAt() {
    return upTicksAt;
  }

  /**
   * An answer came.
   *
   * @param ticks sysUpTime in it; -1 where it did not come
   */
  void answered(long ticks, Instant at) {
    answered = true;
    if (upTicks < 0 && ticks >= 0) {
      upTicks = ticks;
      upTicksAt = at;
    }
  }
}
