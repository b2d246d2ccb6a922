package io.fabrichealth.collect.gnmi;

import io.fabrichealth.collect.gnmi.PortJoin.Parts;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.Quality;
import org.jspecify.annotations.Nullable;

/**
 * Makes the readings of one pass of what the cache holds: for each signal the best path that gives
 * it, and for what is not given whether the device has it not, lost it, or sends something
 * unusable.
 */
final class PassAssembly {
  static final String OPER_UP = "port.oper_up";

  private static final double NO_LIGHT_DBM = -40;
  private static final String STALE = "the device does not send it any more";
  private static final String AMBIGUOUS = "the port's name is another port's alias";
  private static final String PORT_GONE = "the device does not tell of the port any more";

  private final Profile profile;
  private final Modes modes;
  private final Pass pass;
  private final PollBatch.Builder batch;
  private final int linkDowned;
  private int stale;

  /**
   * @param linkDowned ordinal of the signal that counts how often a port went down
   */
  PassAssembly(Profile profile, Modes modes, Pass pass, PollBatch.Builder batch, int linkDowned) {
    this.profile = profile;
    this.modes = modes;
    this.pass = pass;
    this.batch = batch;
    this.linkDowned = linkDowned;
  }

  /** Readings that were given before and are not sent any more. */
  int stale() {
    return stale;
  }

  void add(String name, Parts parts, Lanes lanes, PortMemory memory) {
    memory.seen();
    int port = batch.port(name);
    for (MappedSignal signal : profile.signals()) {
      if (parts.isRefused()) {
        batch.absent(port, signal.ordinal(), 0, Quality.UNREADABLE, AMBIGUOUS);
      } else {
        add(port, signal, parts, lanes, memory);
      }
    }
    String cleared = parts.fact(FactKind.LAST_CLEAR);
    batch.discontinuity(
        name, "cleared " + (cleared == null ? "-" : cleared) + ", sources " + memory.changes());
  }

  /** A port that the device told of before and does not now. */
  void addGone(String name, PortMemory memory) {
    int port = batch.port(name);
    memory.given().stream()
        .forEach(signal -> batch.absent(port, signal, 0, Quality.UNREADABLE, PORT_GONE));
  }

  private void add(int port, MappedSignal signal, Parts parts, Lanes lanes, PortMemory memory) {
    Source unusable = null;
    for (MappedReading reading : signal.readings()) {
      Source source = source(reading, parts, lanes);
      if (source == null) {
        continue;
      }
      if (source.hasValue()) {
        write(port, signal, source);
        memory.given().set(signal.ordinal());
        if (signal.counts()) {
          memory.counted(signal.ordinal(), reading.rank());
        }
        return;
      }
      unusable = unusable == null ? source : unusable;
    }
    if (unusable != null) {
      write(port, signal, unusable);
      memory.given().set(signal.ordinal());
    } else if (signal.ordinal() == linkDowned && tellsOfChanges(parts)) {
      batch.counter(port, linkDowned, 0, parts.rows().getFirst().downs());
    } else if (pass.synced()) {
      batch.absent(port, signal.ordinal(), 0, Quality.UNSUPPORTED, refusal(signal));
    }
  }

  private @Nullable String refusal(MappedSignal signal) {
    for (MappedReading reading : signal.readings()) {
      String refusal = modes.refusal(reading.leaves().getFirst().subscription());
      if (refusal != null) {
        return "the device refuses the path: " + refusal;
      }
    }
    return null;
  }

  /** Whether the device tells when the port goes up or down. */
  private boolean tellsOfChanges(Parts parts) {
    for (MappedReading reading : profile.readings(OPER_UP)) {
      Leaf leaf = reading.leaves().getFirst();
      for (Row row : parts.rows()) {
        Cells cells = row.cells(leaf.index());
        if (cells != null && cells.state(0).hasValue() && !modes.isSampled(leaf.subscription())) {
          return true;
        }
      }
    }
    return false;
  }

  /** The cells that a reading is made of. */
  private record Source(MappedReading reading, Cells[] cells, int[] elements) {

    boolean hasValue() {
      for (int element : elements) {
        boolean all = true;
        for (Cells each : cells) {
          all &= each.state(element).hasValue();
        }
        if (all) {
          return true;
        }
      }
      return false;
    }
  }

  /** Null where the device never told of it. */
  private @Nullable Source source(MappedReading reading, Parts parts, Lanes lanes) {
    Cells[] cells = new Cells[reading.leaves().size()];
    int size = 0;
    for (int index = 0; index < cells.length; index++) {
      Leaf leaf = reading.leaves().get(index);
      Cells found = leaf.of() == Leaf.Of.COMPONENT ? lanes.cells(leaf) : cells(parts, leaf);
      if (found == null || found.size() == 0) {
        return null;
      }
      cells[index] = found;
      size = Math.max(size, found.size());
    }
    Leaf leaf = reading.leaves().getFirst();
    int[] elements =
        leaf.of() == Leaf.Of.COMPONENT && leaf.elements() > 1 ? lanes.elements(size) : all(size);
    return elements.length == 0 ? null : new Source(reading, cells, elements);
  }

  /** Those under the port's own name, unless only its alias has a value. */
  private static @Nullable Cells cells(Parts parts, Leaf leaf) {
    Cells found = null;
    for (Row row : parts.rows()) {
      Cells cells = row.cells(leaf.index());
      if (cells != null && (found == null || !found.isTold())) {
        found = cells;
      }
    }
    return found;
  }

  private static int[] all(int size) {
    int[] elements = new int[size];
    for (int element = 0; element < size; element++) {
      elements[element] = element;
    }
    return elements;
  }

  private void write(int port, MappedSignal signal, Source source) {
    boolean sampled = modes.isSampled(source.reading().leaves().getFirst().subscription());
    for (int place = 0; place < source.elements().length; place++) {
      int element = source.elements()[place];
      CellState worst = CellState.VALUE;
      boolean none = false;
      long heard = Long.MAX_VALUE;
      for (Cells cells : source.cells()) {
        CellState state = cells.state(element);
        none |= state == CellState.NONE;
        if (!state.hasValue()) {
          worst = state;
        } else {
          heard = Math.min(heard, cells.heard(element) - pass.staleNanos());
        }
      }
      if (none) {
        continue;
      }
      if (worst != CellState.VALUE) {
        batch.absent(port, signal.ordinal(), place, Quality.UNREADABLE, worst.reason());
        stale += worst == CellState.SWEPT ? 1 : 0;
      } else if (sampled && heard < 0) {
        batch.absent(port, signal.ordinal(), place, Quality.STALE, STALE);
        stale++;
      } else if (!signal.counts()) {
        gauge(port, signal, place, source, element);
      } else if (!sampled || heard > pass.lastNanos() - pass.staleNanos()) {
        counter(port, signal, place, source, element);
      }
    }
  }

  private void counter(int port, MappedSignal signal, int place, Source source, int element) {
    long sum = 0;
    for (Cells cells : source.cells()) {
      sum += cells.raw(element);
    }
    int divisor = source.reading().divisor();
    batch.counter(
        port, signal.ordinal(), place, divisor == 1 ? sum : Long.divideUnsigned(sum, divisor));
  }

  private void gauge(int port, MappedSignal signal, int place, Source source, int element) {
    double value =
        Double.longBitsToDouble(source.cells()[0].raw(element)) * source.reading().scale();
    if (signal.isPower() && value <= NO_LIGHT_DBM) {
      batch.absent(port, signal.ordinal(), place, Quality.UNREADABLE, CellState.NO_LIGHT.reason());
    } else if (Double.isInfinite(value)) {
      batch.absent(
          port, signal.ordinal(), place, Quality.UNREADABLE, CellState.NOT_A_NUMBER.reason());
    } else {
      batch.value(port, signal.ordinal(), place, value);
    }
  }
}
