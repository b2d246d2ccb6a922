package io.fabrichealth.collect.snmp;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.snmp4j.smi.OID;

/**
 * A conceptual table (RFC 2578, 7.1.12) and the signals in its columns.
 *
 * @param entry OID of the entry; a column's number and the index follow it
 * @param identity column with the row's name: where it is not what it was, the rows moved; null
 *     where there is none
 * @param discontinuity column whose change says that the row's counters began anew; null where
 *     there is none
 * @param emptyRow columns that are all 0 where the row stands for nothing, such as a cage without a
 *     module
 * @param slow whether it is read with the inventory only, not in every pass
 * @param deadline by when a walk of it must be over
 */
record MappedTable(
    String name,
    OID entry,
    RowIndex index,
    @Nullable Integer identity,
    @Nullable Integer discontinuity,
    List<Integer> emptyRow,
    List<MappedReading> readings,
    boolean slow,
    Duration deadline) {

  MappedTable {
    emptyRow = List.copyOf(emptyRow);
    readings = List.copyOf(readings);
  }
}
