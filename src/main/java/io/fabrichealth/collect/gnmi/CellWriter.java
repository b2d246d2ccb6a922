package io.fabrichealth.collect.gnmi;

import io.fabrichealth.collect.gnmi.Leaf.Content;
import io.fabrichealth.signal.Unsigned;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Puts values into the cells of a device, each in the form that its leaf asks for. */
final class CellWriter {
  private static final int LONGEST_TEXT = 255;
  private static final double TWO_TO_63 = 0x1p63;

  private final DeviceCache cache;
  private final Leaf[] leaves;
  private final BitSet operStates;
  private long nanos;
  private boolean tookSample;
  private final boolean[] sampled;

  /**
   * @param operStates the leaves that say whether a port is up
   * @param sampled by leaf: whether it comes once an interval
   */
  CellWriter(DeviceCache cache, BitSet operStates, boolean[] sampled) {
    this.cache = cache;
    this.operStates = operStates;
    this.sampled = sampled;
    leaves = cache.profile().leaves().toArray(Leaf[]::new);
  }

  /**
   * Begins a notification.
   *
   * @param now by {@link System#nanoTime}
   */
  void begin(long now) {
    nanos = now;
    tookSample = false;
  }

  /** Whether anything since then came from a path that is sampled. */
  boolean tookSample() {
    return tookSample;
  }

  boolean isText(PathNode node) {
    return leaves[node.leaf()].content() == Content.FACT;
  }

  void unsigned(Cursor at, PathNode node, long value) {
    Leaf leaf = leaves[node.leaf()];
    switch (leaf.content()) {
      case COUNTER -> put(at, leaf, value, CellState.VALUE);
      case GAUGE, SPEED -> put(at, leaf, bits(Unsigned.toDouble(value)), CellState.VALUE);
      case STATE, FACT -> text(at, node, Long.toUnsignedString(value));
    }
  }

  void signed(Cursor at, PathNode node, long value) {
    Leaf leaf = leaves[node.leaf()];
    switch (leaf.content()) {
      case COUNTER -> put(at, leaf, value, value < 0 ? CellState.NEGATIVE : CellState.VALUE);
      case GAUGE, SPEED -> put(at, leaf, bits(value), CellState.VALUE);
      case STATE, FACT -> text(at, node, Long.toString(value));
    }
  }

  void real(Cursor at, PathNode node, double value) {
    Leaf leaf = leaves[node.leaf()];
    switch (leaf.content()) {
      case COUNTER -> {
        if (value >= 0 && value < TWO_TO_63 && value == Math.rint(value)) {
          put(at, leaf, (long) value, CellState.VALUE);
        } else {
          put(at, leaf, 0, value < 0 ? CellState.NEGATIVE : CellState.NOT_A_NUMBER);
        }
      }
      case GAUGE, SPEED ->
          put(
              at,
              leaf,
              bits(value),
              Double.isNaN(value) ? CellState.NOT_A_NUMBER : CellState.VALUE);
      case STATE, FACT -> text(at, node, Double.toString(value));
    }
  }

  void truth(Cursor at, PathNode node, boolean value) {
    Leaf leaf = leaves[node.leaf()];
    switch (leaf.content()) {
      case STATE, FACT -> text(at, node, Boolean.toString(value));
      case COUNTER, GAUGE, SPEED -> put(at, leaf, 0, CellState.OTHER_TYPE);
    }
  }

  void text(Cursor at, PathNode node, String text) {
    Leaf leaf = leaves[node.leaf()];
    switch (leaf.content()) {
      case COUNTER -> counterText(at, leaf, node, text);
      case GAUGE -> numberText(at, leaf, node, text);
      case SPEED -> {
        double speed = SpeedText.bitsPerSecond(text);
        if (Double.isNaN(speed)) {
          numberText(at, leaf, node, text);
        } else {
          put(at, leaf, bits(speed), CellState.VALUE);
        }
      }
      case STATE -> state(at, leaf, text);
      case FACT -> fact(at, leaf, text);
    }
  }

  /** A value that cannot be used. */
  void none(Cursor at, PathNode node, CellState why) {
    Leaf leaf = leaves[node.leaf()];
    if (leaf.content() != Content.FACT) {
      put(at, leaf, 0, why);
    }
  }

  private void counterText(Cursor at, Leaf leaf, PathNode node, String text) {
    long value = 0;
    int length = text.length();
    boolean whole = length > 0 && length <= 20;
    for (int index = 0; whole && index < length; index++) {
      int digit = text.charAt(index) - '0';
      // The 20th digit may lead beyond 64 bits.
      whole =
          digit >= 0
              && digit <= 9
              && (index < 19
                  || Long.compareUnsigned(value, Long.divideUnsigned(-1L - digit, 10)) <= 0);
      value = value * 10 + digit;
    }
    if (whole) {
      put(at, leaf, value, CellState.VALUE);
    } else {
      numberText(at, leaf, node, text);
    }
  }

  private void numberText(Cursor at, Leaf leaf, PathNode node, String text) {
    String trimmed = text.strip();
    if (NumberText.isNumber(trimmed)) {
      real(at, node, Double.parseDouble(trimmed));
    } else {
      put(at, leaf, 0, NumberText.none(trimmed));
    }
  }

  private void state(Cursor at, Leaf leaf, String text) {
    int colon = text.lastIndexOf(':');
    Double meaning = leaf.states().get(colon < 0 ? text : text.substring(colon + 1));
    if (meaning == null) {
      put(at, leaf, 0, CellState.UNKNOWN_STATE);
      return;
    }
    Row row = row(at, leaf);
    if (row != null && operStates.get(leaf.index()) && meaning == 0) {
      Cells before = row.cells(leaf.index());
      if (before != null
          && before.state(0).hasValue()
          && Double.longBitsToDouble(before.raw(0)) == 1) {
        row.wentDown();
      }
    }
    put(at, leaf, bits(meaning), CellState.VALUE);
  }

  private void fact(Cursor at, Leaf leaf, String text) {
    FactKind kind = leaf.fact();
    Row row = row(at, leaf);
    if (row == null || kind == null) {
      return;
    }
    String clean = Texts.clean(text, LONGEST_TEXT);
    if (leaf.of() == Leaf.Of.NEIGHBOUR) {
      String id = at.neighbour();
      Facts neighbour = row.neighbour(id == null ? "" : id);
      if (neighbour != null) {
        neighbour.set(kind, clean, nanos);
      }
    } else {
      row.facts().set(kind, clean, nanos);
    }
  }

  private void put(Cursor at, Leaf leaf, long bits, CellState state) {
    Row row = row(at, leaf);
    if (row == null) {
      return;
    }
    int element = leaf.elements() == 1 || at.element() < 0 ? 0 : at.element();
    if (element == 0 && leaf.elements() > 1 && leaf.of() == Leaf.Of.COMPONENT) {
      cache.channelZero();
    }
    row.cellsFor(leaf.index()).set(element, bits, state, nanos);
    tookSample |= sampled[leaf.index()];
  }

  private @Nullable Row row(Cursor at, Leaf leaf) {
    Row row =
        switch (leaf.of()) {
          case PORT, NEIGHBOUR -> at.port();
          case COMPONENT -> at.component();
          case DEVICE -> cache.device();
        };
    return row == null || row.leftOutBy() != null ? null : row;
  }

  private static long bits(double value) {
    return Double.doubleToRawLongBits(value);
  }
}
