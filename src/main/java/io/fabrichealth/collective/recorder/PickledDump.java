package io.fabrichealth.collective.recorder;

import io.fabrichealth.collective.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Reads a dump that is a pickle (PyTorch 2.2 and newer: schema 1.x to 2.10). Whatever the bytes
 * are, nothing is run that they name, and memory stays within a multiple of their length. Keeps its
 * working memory for the next dump; for one thread.
 */
public final class PickledDump {
  private final RecorderValues shared;
  private final PickleMachine machine = new PickleMachine();
  private final EntryReader entries = new EntryReader(machine);

  public PickledDump(RecorderValues shared) {
    this.shared = shared;
  }

  /**
   * @param bytes of which the first {@code length} are the dump
   * @param rank the global rank that wrote it; the dump does not say
   * @param source where it is from, for people
   * @throws UnreadableDumpException if it is not a dump, or nothing of it can be read
   */
  public DumpReading read(byte[] bytes, int length, int rank, String source)
      throws UnreadableDumpException {
    if (length == 0) {
      throw new UnreadableDumpException("it is empty");
    }
    RecorderAssembly assembly = new RecorderAssembly(shared, rank, source);
    machine.begin(bytes, length);
    entries.begin(assembly, length);
    try {
      boolean isWhole = machine.run(entries);
      return isWhole ? whole(assembly) : part(assembly, length);
    } catch (UnreadableDumpException problem) {
      throw new UnreadableDumpException(
          "byte %d, %s: %s"
              .formatted(
                  machine.offset(), Opcode.describe(machine.opcode()), problem.getMessage()));
    }
  }

  private DumpReading whole(RecorderAssembly assembly) throws UnreadableDumpException {
    if (machine.top != 1 || machine.depth != 0 || !Tag.isBox(machine.values[0])) {
      throw new UnreadableDumpException("what is left is not one dict");
    }
    int box = Tag.number(machine.values[0]);
    Boxes boxes = machine.boxes;
    long skipped = 0;
    if (boxes.kind(box) == Boxes.DICT) {
      int from = boxes.start(box);
      if (!isDump(boxes.values, from, from + boxes.length(box))) {
        throw new UnreadableDumpException("a dict without version and entries is not a dump");
      }
      skipped = dump(assembly, boxes.values, from, from + boxes.length(box));
    } else if (boxes.kind(box) == Boxes.LIST) {
      assembly.version("1.0");
      skipped = skipped(box);
      if (skipped > 0 && skipped == boxes.length(box)) {
        throw new UnreadableDumpException("a list without entries is not a dump");
      }
    } else {
      throw new UnreadableDumpException("it is not a dict");
    }
    return assembly.finish(
        skipped, skipped == 0 ? null : "%d entries are not understood".formatted(skipped));
  }

  private DumpReading part(RecorderAssembly assembly, int length) throws UnreadableDumpException {
    if (machine.top > 0 && machine.depth > 0 && Tag.isBox(machine.values[0])) {
      int to = machine.depth > 1 ? machine.marks[1] : machine.top;
      dump(assembly, machine.values, machine.marks[0], to);
    }
    if (assembly.isEmpty()) {
      throw new UnreadableDumpException("it ends before it says anything");
    }
    return assembly.finish(
        0, "cut off at byte %d, after %d entries".formatted(length, assembly.entries()));
  }

  private boolean isDump(long[] values, int from, int to) {
    for (int at = from; at + 1 < to; at += 2) {
      Field field = field(values, at);
      if (field == Field.VERSION || field == Field.ENTRIES) {
        return true;
      }
    }
    return from == to;
  }

  private long dump(RecorderAssembly assembly, long[] values, int from, int to)
      throws UnreadableDumpException {
    long skipped = 0;
    for (int at = from; at + 1 < to; at += 2) {
      Field field = field(values, at);
      if (field == Field.VERSION && Tag.isWord(values[at + 1])) {
        assembly.version(machine.words.text(Tag.number(values[at + 1])));
      } else if (field != null && Tag.isBox(values[at + 1])) {
        int box = Tag.number(values[at + 1]);
        switch (field) {
          case ENTRIES -> skipped += skipped(box);
          case PG_CONFIG -> each(box, (key, group) -> configure(assembly, key, group));
          case PG_STATUS -> each(box, (key, status) -> status(assembly, key, status));
          default -> {}
        }
      }
    }
    return skipped;
  }

  private long skipped(int box) throws UnreadableDumpException {
    Boxes boxes = machine.boxes;
    if (!boxes.isSequence(box)) {
      return 0;
    }
    entries.spend(boxes.length(box));
    long skipped = 0;
    for (int at = boxes.start(box), to = at + boxes.length(box); at < to; at++) {
      if (!Tag.isBox(boxes.values[at]) || !entries.later(Tag.number(boxes.values[at]))) {
        skipped++;
      }
    }
    return skipped;
  }

  /** Takes a dict of a dict. */
  private interface Named {
    void take(String key, int box) throws UnreadableDumpException;
  }

  private void each(int box, Named named) throws UnreadableDumpException {
    Boxes boxes = machine.boxes;
    if (boxes.kind(box) != Boxes.DICT) {
      return;
    }
    for (int at = boxes.start(box), to = at + boxes.length(box); at + 1 < to; at += 2) {
      String key = text(at);
      int inner = dictAt(at + 1);
      if (key != null && inner >= 0) {
        named.take(key, inner);
      }
    }
  }

  private void configure(RecorderAssembly assembly, String key, int group)
      throws UnreadableDumpException {
    String name = text(find(group, Field.NAME));
    String description = text(find(group, Field.DESC));
    String ranks = text(find(group, Field.RANKS));
    assembly.configure(
        name == null ? key : name,
        description == null ? "" : description,
        ranks == null ? "" : ranks);
  }

  private void status(RecorderAssembly assembly, String key, int status)
      throws UnreadableDumpException {
    assembly.status(
        key,
        count(find(status, Field.LAST_ENQUEUED)),
        count(find(status, Field.LAST_STARTED)),
        count(find(status, Field.LAST_COMPLETED)));
  }

  private @Nullable Field field(long[] values, int at) {
    return Tag.isWord(values[at]) ? machine.words.field(Tag.number(values[at])) : null;
  }

  private int dictAt(int at) {
    Boxes boxes = machine.boxes;
    boolean isDict =
        Tag.isBox(boxes.values[at]) && boxes.kind(Tag.number(boxes.values[at])) == Boxes.DICT;
    return isDict ? Tag.number(boxes.values[at]) : -1;
  }

  /** Where the value of a key of a dict stands; -1 where the dict lacks it. */
  private int find(int box, Field wanted) throws UnreadableDumpException {
    Boxes boxes = machine.boxes;
    entries.spend(boxes.length(box));
    for (int at = boxes.start(box), to = at + boxes.length(box); at + 1 < to; at += 2) {
      if (field(boxes.values, at) == wanted) {
        return at + 1;
      }
    }
    return -1;
  }

  private @Nullable String text(int at) {
    Boxes boxes = machine.boxes;
    return at >= 0 && Tag.isWord(boxes.values[at])
        ? machine.words.text(Tag.number(boxes.values[at]))
        : null;
  }

  private long count(int at) {
    Boxes boxes = machine.boxes;
    return at >= 0 && Tag.isInteger(boxes.values[at])
        ? Tag.integerOf(boxes.values[at])
        : FlightRecorder.ABSENT;
  }
}
