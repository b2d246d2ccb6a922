package io.fabrichealth.collective.recorder;

import io.fabrichealth.collective.EntryState;
import io.fabrichealth.collective.FlightRecorder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Knows the dicts of a dump that are entries or stack frames, and puts them into columns. */
final class EntryReader implements PickleMachine.DictReader {
  private static final int FIELDS = Field.values().length;
  private static final int MOST_SIZES = 65_536;

  /** Characters, and eight for each number: what a dump may leave beside its columns. */
  private static final long MOST_KEPT = 1L << 26;

  private static final int ABSENT = -1;
  private static final int NOT_ASKED = -1;

  private final PickleMachine machine;
  private final int[] places = new int[FIELDS];
  private final HashIndex operations = new HashIndex();
  private int[] operationNumbers = new int[64];
  private final HashIndex groups = new HashIndex();
  private int[] groupNumbers = new int[64];
  private final HashIndex stacks = new HashIndex();
  private int[] stackNumbers = new int[64];
  private final HashIndex frames = new HashIndex();
  private final List<String> frameTexts = new ArrayList<>();
  private @Nullable RecorderAssembly assembly;
  private long budget;
  private long kept;
  private long sizes;
  private boolean isTooLarge;

  EntryReader(PickleMachine machine) {
    this.machine = machine;
  }

  void begin(RecorderAssembly into, int bytes) {
    assembly = into;
    operations.clear();
    groups.clear();
    stacks.clear();
    frames.clear();
    frameTexts.clear();
    budget = 64L * bytes + 1_000_000;
    kept = 0;
  }

  @Override
  public void complete(int box, int from, int to) throws UnreadableDumpException {
    dict(box, machine.values, from, to);
  }

  /** Looks at an entry that was not known as one when it was complete. */
  boolean later(int box) throws UnreadableDumpException {
    Boxes boxes = machine.boxes;
    if (boxes.kind(box) == Boxes.DICT) {
      int from = boxes.start(box);
      spend(boxes.length(box));
      dict(box, boxes.values, from, from + boxes.length(box));
    }
    return boxes.kind(box) == Boxes.ENTRY;
  }

  private void dict(int box, long[] values, int from, int to) throws UnreadableDumpException {
    Arrays.fill(places, ABSENT);
    Words words = machine.words;
    for (int at = from; at < to; at += 2) {
      if (Tag.isWord(values[at])) {
        int field = words.fieldOrdinal(Tag.number(values[at]));
        if (field >= 0) {
          places[field] = at + 1;
        }
      }
    }
    if (word(Field.PROFILING_NAME, values) >= 0
        && (place(Field.STATE) >= 0 || place(Field.RECORD_ID) >= 0)) {
      int entry = entry(values);
      if (entry >= 0) {
        machine.boxes.become(box, Boxes.ENTRY, entry);
      }
    } else if (place(Field.FILENAME) >= 0 && place(Field.NAME) >= 0) {
      machine.boxes.become(box, Boxes.STACK_FRAME, frame(values));
    }
  }

  private int entry(long[] values) throws UnreadableDumpException {
    isTooLarge = false;
    long localGroup = integer(Field.PG_ID, values);
    int operation = operation(values);
    int stack = stack(values);
    int group = group(localGroup, values);
    if (isTooLarge) {
      return -1;
    }
    RecorderAssembly into = into();
    FlightRecorder.Builder entry =
        into.entry(integer(Field.RECORD_ID, values), localGroup, group, operation, stack);
    long sequence = integer(Field.COLLECTIVE_SEQ_ID, values);
    entry.sequences(
        sequence == FlightRecorder.ABSENT ? integer(Field.SEQ_ID, values) : sequence,
        integer(Field.P2P_SEQ_ID, values),
        integer(Field.OP_ID, values));
    entry.times(
        time(Field.TIME_CREATED_NS, values),
        time(Field.TIME_DISCOVERED_STARTED_NS, values),
        time(Field.TIME_DISCOVERED_COMPLETED_NS, values),
        duration(values));
    int state = word(Field.STATE, values);
    entry.state(
        state < 0 ? EntryState.UNKNOWN : RecorderAssembly.state(machine.words.text(state)),
        isTrue(Field.IS_P2P, values),
        isTrue(Field.RETIRED, values));
    return into.entries() - 1;
  }

  private int frame(long[] values) throws UnreadableDumpException {
    int name = word(Field.NAME, values);
    int file = word(Field.FILENAME, values);
    long line = integer(Field.LINE, values);
    int found = frames.find(HashIndex.mix(HashIndex.mix(HashIndex.mix(1, name), file), line));
    if (found >= 0) {
      return found;
    }
    String text =
        RecorderAssembly.frame(
            name < 0 ? "?" : machine.words.text(name),
            file < 0 ? "?" : machine.words.text(file),
            Math.max(line, 0));
    keep(text.length());
    frameTexts.add(text);
    return frameTexts.size() - 1;
  }

  private int operation(long[] values) throws UnreadableDumpException {
    int name = word(Field.PROFILING_NAME, values);
    long hash = HashIndex.mix(2, name);
    sizes = 0;
    hash = content(hash, place(Field.INPUT_SIZES), values);
    hash = content(hash, place(Field.INPUT_DTYPES), values);
    hash = content(hash, place(Field.OUTPUT_SIZES), values);
    hash = content(hash, place(Field.OUTPUT_DTYPES), values);
    if (isTooLarge) {
      return NOT_ASKED;
    }
    int found = operations.find(HashIndex.mix(hash, name));
    if (found >= 0) {
      return operationNumbers[found];
    }
    keep(machine.words.text(name).length() + 8 * sizes);
    int number =
        into()
            .operation(
                machine.words.text(name),
                sizes(Field.INPUT_SIZES, values),
                types(Field.INPUT_DTYPES, values),
                sizes(Field.OUTPUT_SIZES, values),
                types(Field.OUTPUT_DTYPES, values));
    operationNumbers = with(operationNumbers, -1 - found, number);
    return number;
  }

  private int group(long localGroup, long[] values) throws UnreadableDumpException {
    int name = -1;
    int description = -1;
    int box = sequence(place(Field.PROCESS_GROUP), values);
    if (box >= 0) {
      name = wordOf(box, 0);
      description = wordOf(box, 1);
    }
    long hash = HashIndex.mix(HashIndex.mix(3, name), description);
    int found = groups.find(name < 0 ? HashIndex.mix(hash, localGroup) : hash);
    if (found >= 0) {
      return groupNumbers[found];
    }
    int number =
        into()
            .group(
                name < 0 ? null : machine.words.text(name),
                description < 0 ? null : machine.words.text(description),
                localGroup);
    groupNumbers = with(groupNumbers, -1 - found, number);
    return number;
  }

  private int stack(long[] values) throws UnreadableDumpException {
    Boxes boxes = machine.boxes;
    int box = sequence(place(Field.FRAMES), values);
    if (box < 0 || boxes.length(box) == 0) {
      return -1;
    }
    int from = boxes.start(box);
    int to = from + boxes.length(box);
    spend(to - from);
    long hash = 4;
    for (int at = from; at < to; at++) {
      int frame = frameAt(at);
      hash = HashIndex.fold(hash, frame);
    }
    int found = stacks.find(HashIndex.mix(hash, to - from));
    if (found >= 0) {
      return stackNumbers[found];
    }
    keep(8L * (to - from));
    List<String> texts = new ArrayList<>();
    for (int at = from; at < to; at++) {
      int frame = frameAt(at);
      if (frame >= 0) {
        texts.add(frameTexts.get(frame));
      }
    }
    int number = into().stack(texts);
    stackNumbers = with(stackNumbers, -1 - found, number);
    return number;
  }

  private int frameAt(int at) {
    Boxes boxes = machine.boxes;
    if (!Tag.isBox(boxes.values[at])) {
      return -1;
    }
    int box = Tag.number(boxes.values[at]);
    return boxes.kind(box) == Boxes.STACK_FRAME ? boxes.start(box) : -1;
  }

  /** Of lists in a list, and no deeper. */
  private long content(long before, int place, long[] values) throws UnreadableDumpException {
    int box = sequence(place, values);
    if (box < 0) {
      return HashIndex.fold(before, -1);
    }
    Boxes boxes = machine.boxes;
    int length = boxes.length(box);
    long hash = HashIndex.fold(before, length);
    long visited = length;
    spend(length);
    for (int at = boxes.start(box), to = at + length; at < to; at++) {
      long value = boxes.values[at];
      int innerBox = sequence(value);
      if (innerBox >= 0) {
        int inner = boxes.length(innerBox);
        visited += inner;
        spend(inner);
        hash = HashIndex.fold(hash, inner);
        int first = boxes.start(innerBox);
        for (int dimension = first; dimension < first + inner; dimension++) {
          hash = HashIndex.fold(hash, boxes.values[dimension]);
        }
      } else {
        hash = HashIndex.fold(hash, value);
      }
    }
    sizes += visited;
    isTooLarge |= visited > MOST_SIZES;
    return hash;
  }

  /** One list that stands in many places could be gone through for ever. */
  void spend(int steps) throws UnreadableDumpException {
    budget -= steps;
    if (budget < 0) {
      throw new UnreadableDumpException("its lists are used again and again");
    }
  }

  /** Texts and lists that stand in many places are copied for each. */
  private void keep(long characters) throws UnreadableDumpException {
    kept += characters;
    if (kept > MOST_KEPT) {
      throw new UnreadableDumpException("its operations and stacks take too much memory");
    }
  }

  private List<List<Long>> sizes(Field field, long[] values) {
    int box = sequence(place(field), values);
    if (box < 0) {
      return List.of();
    }
    Boxes boxes = machine.boxes;
    List<List<Long>> sizes = new ArrayList<>();
    for (int at = boxes.start(box), to = at + boxes.length(box); at < to; at++) {
      List<Long> dimensions = new ArrayList<>();
      int innerBox = sequence(boxes.values[at]);
      if (innerBox >= 0) {
        int first = boxes.start(innerBox);
        for (int inner = first; inner < first + boxes.length(innerBox); inner++) {
          if (Tag.isInteger(boxes.values[inner])) {
            dimensions.add(Tag.integerOf(boxes.values[inner]));
          }
        }
      }
      sizes.add(List.copyOf(dimensions));
    }
    return sizes;
  }

  private List<String> types(Field field, long[] values) {
    int box = sequence(place(field), values);
    if (box < 0) {
      return List.of();
    }
    List<String> types = new ArrayList<>();
    for (int i = 0; i < machine.boxes.length(box); i++) {
      int word = wordOf(box, i);
      types.add(word < 0 ? "" : machine.words.text(word));
    }
    return types;
  }

  private int sequence(int place, long[] values) {
    return place < 0 ? -1 : sequence(values[place]);
  }

  /** The list or tuple that a value is; -1 of another. */
  private int sequence(long value) {
    if (!Tag.isBox(value)) {
      return -1;
    }
    int box = Tag.number(value);
    return machine.boxes.isSequence(box) ? box : -1;
  }

  private int wordOf(int box, int place) {
    Boxes boxes = machine.boxes;
    int at = boxes.start(box) + place;
    return place < boxes.length(box) && Tag.isWord(boxes.values[at])
        ? Tag.number(boxes.values[at])
        : -1;
  }

  private int place(Field field) {
    return places[field.ordinal()];
  }

  private int word(Field field, long[] values) {
    int place = place(field);
    return place >= 0 && Tag.isWord(values[place]) ? Tag.number(values[place]) : -1;
  }

  private long integer(Field field, long[] values) {
    int place = place(field);
    return place >= 0 && Tag.isInteger(values[place])
        ? Tag.integerOf(values[place])
        : FlightRecorder.ABSENT;
  }

  /** No dump is of 1970: 0 is how some write that there is no time. */
  private long time(Field field, long[] values) {
    long time = integer(field, values);
    return time > 0 ? time : FlightRecorder.ABSENT;
  }

  private long duration(long[] values) {
    int place = place(Field.DURATION_MS);
    if (place < 0) {
      return FlightRecorder.ABSENT;
    }
    long value = values[place];
    if (Tag.isReal(value)) {
      return RecorderAssembly.durationNanos(Tag.realOf(value));
    }
    return Tag.isInteger(value)
        ? RecorderAssembly.durationNanos((double) Tag.integerOf(value))
        : FlightRecorder.ABSENT;
  }

  private boolean isTrue(Field field, long[] values) {
    int place = place(field);
    if (place < 0) {
      return false;
    }
    long value = values[place];
    return value == Tag.TRUE || (Tag.isInteger(value) && Tag.integerOf(value) != 0);
  }

  private RecorderAssembly into() {
    if (assembly == null) {
      throw new IllegalStateException("no dump was begun");
    }
    return assembly;
  }

  private static int[] with(int[] numbers, int place, int number) {
    int[] longer = place < numbers.length ? numbers : Arrays.copyOf(numbers, place * 2);
    longer[place] = number;
    return longer;
  }
}
