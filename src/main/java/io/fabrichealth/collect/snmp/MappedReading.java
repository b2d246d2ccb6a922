package io.fabrichealth.collect.snmp;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One signal in the columns of a table.
 *
 * @param signal ordinal in the dictionary
 * @param group the same for readings of one signal, table and rank: they are one source
 * @param dbm whether the signal is a power in dBm
 * @param columns of the table; a row counts only where it has all of them
 * @param element fixed element; null where the index tells it
 * @param scale factor from the object's unit to the signal's
 * @param bits width of the counter; 0 where the type on the wire tells it
 * @param rank preference among sources of the same signal: the lowest counts
 * @param states values of a state by the object's; empty for others
 * @param unreadable values that mean that there is none, with the reason
 */
record MappedReading(
    String table,
    int signal,
    int group,
    boolean counter,
    boolean dbm,
    List<Integer> columns,
    Form form,
    @Nullable Integer element,
    double scale,
    int bits,
    int rank,
    Map<Long, Double> states,
    Map<Long, String> unreadable) {

  /** How the columns make the value. */
  enum Form {
    /** They are added up. */
    SUM,
    /** They are added up and halved: a count of changes of which every other one is meant. */
    HALF,
    /** The first is the mantissa, the second the exponent of ten without its sign. */
    MANTISSA_EXPONENT,
    /** A number as text. */
    TEXT
  }

  MappedReading {
    columns = List.copyOf(columns);
    states = Map.copyOf(states);
    unreadable = Map.copyOf(unreadable);
  }
}
