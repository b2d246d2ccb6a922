package io.fabrichealth.collect.snmp;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.Variable;

/** A column of a table as far as it was read, in ascending order of the index. */
final class Column {
  private final OID base;
  private final List<OID> objects = new ArrayList<>();
  private final List<Variable> values = new ArrayList<>();
  private boolean ended;

  Column(OID base) {
    this.base = base;
  }

  OID base() {
    return base;
  }

  int size() {
    return objects.size();
  }

  /** Whether it was read to its end. */
  boolean ended() {
    return ended;
  }

  void end() {
    ended = true;
  }

  void add(OID object, Variable value) {
    objects.add(object);
    values.add(value);
  }

  /** The object after which the next one is asked for. */
  OID cursor() {
    return objects.isEmpty() ? base : objects.getLast();
  }

  /** The whole object identifier of a row; its index starts at {@link #indexAt}. */
  int[] object(int row) {
    return objects.get(row).getValue();
  }

  int indexAt() {
    return base.size();
  }

  /** Last sub-identifier of the row's index. */
  int lastIndex(int row) {
    return objects.get(row).last();
  }

  Variable value(int row) {
    return values.get(row);
  }

  /**
   * The value at another column's row.
   *
   * @param hint where it most likely is: the row's number there
   */
  @Nullable Variable valueAt(int[] object, int hint) {
    if (hint < objects.size() && compareIndex(hint, object) == 0) {
      return values.get(hint);
    }
    int low = 0;
    int high = objects.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = compareIndex(middle, object);
      if (order == 0) {
        return values.get(middle);
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return null;
  }

  /** The value of the row with this one sub-identifier as its index; null where there is none. */
  @Nullable Variable valueOf(int index) {
    int[] object = new int[indexAt() + 1];
    object[indexAt()] = index;
    return valueAt(object, objects.size());
  }

  private int compareIndex(int row, int[] other) {
    int[] own = objects.get(row).getValue();
    int from = indexAt();
    for (int at = from; at < own.length && at < other.length; at++) {
      int order = Integer.compareUnsigned(own[at], other[at]);
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(own.length, other.length);
  }
}
