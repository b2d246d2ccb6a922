package io.fabrichealth.collect.snmp;

import java.util.List;

/**
 * The parts of a table's index, as many as it has sub-identifiers.
 *
 * @param parts what each sub-identifier is
 */
record RowIndex(List<Part> parts) {
  /** Result of {@link #element} where a row is not meant. */
  static final int NOT_MEANT = -1;

  private static final int LARGEST_ELEMENT = 1023;

  /** A sub-identifier of an index. */
  sealed interface Part {
    /** Says which port. */
    record IfIndex() implements Part {}

    /** Lane, priority or queue, counted from {@code first}. */
    record Element(int first) implements Part {}

    /** Only rows with this number are meant. */
    record Fixed(long number) implements Part {}

    /** Whatever it is. */
    record Any() implements Part {}
  }

  RowIndex {
    parts = List.copyOf(parts);
  }

  /** Position of the ifIndex. */
  int ifIndexAt() {
    for (int at = 0; at < parts.size(); at++) {
      if (parts.get(at) instanceof Part.IfIndex) {
        return at;
      }
    }
    throw new IllegalStateException("index without ifIndex");
  }

  /**
   * The element that the row is of, 0 where the index has none; {@link #NOT_MEANT} if not meant.
   */
  int element(int[] oid, int from) {
    if (oid.length - from != parts.size()) {
      return NOT_MEANT;
    }
    int element = 0;
    for (int at = 0; at < parts.size(); at++) {
      long number = Integer.toUnsignedLong(oid[from + at]);
      switch (parts.get(at)) {
        case Part.Fixed fixed when fixed.number != number -> {
          return NOT_MEANT;
        }
        case Part.Element counted -> {
          long index = number - counted.first;
          if (index < 0 || index > LARGEST_ELEMENT) {
            return NOT_MEANT;
          }
          element = (int) index;
        }
        case Part.Fixed fixed -> {}
        case Part.IfIndex ifIndex -> {}
        case Part.Any any -> {}
      }
    }
    return element;
  }
}
