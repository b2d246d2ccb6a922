package io.fabrichealth.collect.gnmi;

import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a device last told of one port, one module or itself. */
final class Row {
  private static final int MOST_NEIGHBOURS = 16;

  private final String name;
  private final @Nullable Cells[] cells;
  private final Facts facts = new Facts();
  private final Map<String, Facts> neighbours = new LinkedHashMap<>();
  private final @Nullable String leftOutBy;
  private final Map<String, Integer> queues = new HashMap<>();
  private final BitSet queueNumbers = new BitSet();
  private boolean queuesGuessed;
  private long downs;

  /**
   * @param leftOutBy the rule by which it is no port of the fabric; null where it is one
   */
  Row(String name, int leaves, @Nullable String leftOutBy) {
    this.name = name;
    this.leftOutBy = leftOutBy;
    cells = new @Nullable Cells[leftOutBy == null ? leaves : 0];
  }

  String name() {
    return name;
  }

  @Nullable String leftOutBy() {
    return leftOutBy;
  }

  @Nullable Cells cells(int leaf) {
    return leaf < cells.length ? cells[leaf] : null;
  }

  Cells cellsFor(int leaf) {
    Cells known = cells[leaf];
    if (known == null) {
      known = new Cells();
      cells[leaf] = known;
    }
    return known;
  }

  Facts facts() {
    return facts;
  }

  /** By the device's own id of each. */
  Map<String, Facts> neighbours() {
    return neighbours;
  }

  /** Facts of a neighbour; null where there are too many of them. */
  @Nullable Facts neighbour(String id) {
    Facts known = neighbours.get(id);
    if (known == null && neighbours.size() < MOST_NEIGHBOURS) {
      known = new Facts();
      neighbours.put(id, known);
    }
    return known;
  }

  /**
   * The number of a queue by its name, which OpenConfig leaves free: the digits at its end. Where
   * two names end alike, the later one gets the first number that is left.
   *
   * @return -1 where there are too many
   */
  int queue(String queueName) {
    Integer known = queues.get(queueName);
    if (known != null) {
      return known;
    }
    int number = trailingNumber(queueName);
    if (number < 0 || number >= Variable.QUEUE.elements() || queueNumbers.get(number)) {
      number = queueNumbers.nextClearBit(0);
      queuesGuessed = true;
    }
    if (number >= Variable.QUEUE.elements()) {
      return -1;
    }
    queueNumbers.set(number);
    queues.put(queueName, number);
    return number;
  }

  /** Whether a queue's name did not tell its number. */
  boolean isGuessingQueues() {
    return queuesGuessed;
  }

  private static int trailingNumber(String text) {
    int from = text.length();
    while (from > 0 && text.length() - from < 4 && Character.isDigit(text.charAt(from - 1))) {
      from--;
    }
    return from == text.length() ? -1 : Integer.parseInt(text.substring(from));
  }

  /** The device said that the port went down. */
  void wentDown() {
    downs++;
  }

  /** How often it went down, as far as the device said so. */
  long downs() {
    return downs;
  }

  /** What was not heard of since then is no more. */
  void sweep(long since) {
    for (Cells of : cells) {
      if (of != null) {
        of.sweep(since);
      }
    }
    facts.sweep(since);
    neighbours.values().forEach(neighbour -> neighbour.sweep(since));
    neighbours.values().removeIf(Facts::isEmpty);
  }

  /** Whether the device tells anything of it now. */
  boolean isTold() {
    for (Cells of : cells) {
      if (of != null && of.isTold()) {
        return true;
      }
    }
    return false;
  }
}
