package io.fabrichealth.collect.snmp;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.snmp4j.smi.OID;

/**
 * What is known of one table on one device: which columns it has. What it does not have is asked
 * for with the inventory only.
 */
final class TableMemory {
  private final MappedTable table;
  private final Set<Integer> present = new HashSet<>();
  private boolean asked;
  private boolean walkedToTheEnd;
  private int rows;

  TableMemory(MappedTable table) {
    this.table = table;
  }

  MappedTable table() {
    return table;
  }

  int rows() {
    return rows;
  }

  /** Whether the last walk reached the end of all columns. */
  boolean walkedToTheEnd() {
    return walkedToTheEnd;
  }

  /**
   * The columns to ask for in this pass.
   *
   * @param all whether to ask also for those that the device does not seem to have
   * @param isUsed whether a source is the one that some port's signal is read from
   */
  List<OID> columns(boolean all, Predicate<MappedReading> isUsed) {
    Set<Integer> numbers = new TreeSet<>();
    for (MappedReading reading : table.readings()) {
      boolean there = present.containsAll(reading.columns());
      if (all || !asked || (there && isUsed.test(reading))) {
        numbers.addAll(reading.columns());
      }
    }
    if (!numbers.isEmpty()) {
      numbers.addAll(table.emptyRow());
      addIfPresent(table.identity(), all, numbers);
      addIfPresent(table.discontinuity(), all, numbers);
    }
    List<OID> columns = new ArrayList<>();
    numbers.forEach(number -> columns.add(ReadingWriter.column(table, number)));
    return columns;
  }

  private void addIfPresent(@Nullable Integer column, boolean all, Set<Integer> numbers) {
    if (column != null && (all || present.contains(column))) {
      numbers.add(column);
    }
  }

  void learn(Walk walk) {
    walkedToTheEnd = walk.complete();
    for (Column column : walk.columns()) {
      if (column.size() > 0) {
        present.add(column.base().last());
      } else if (column.ended()) {
        present.remove(column.base().last());
      }
    }
    if (walk.complete()) {
      asked = true;
      rows = walk.rows();
    }
  }
}
