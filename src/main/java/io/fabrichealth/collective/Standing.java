package io.fabrichealth.collective;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** How far a rank has come, from one pull to the next. */
final class Standing {

  /** Between entries a rank works: the one time that it did longest may have been its start. */
  private static final int LONGEST_BUT = 1;

  private List<Mark> marks = List.of();
  private Instant since = Instant.MIN;
  private long entries;
  private long unseen;

  /**
   * Where a recorder stood.
   *
   * @param lastId of the newest entry; -1 where there is none
   * @param created of the newest entry
   * @param open entries that had not ended, so far as the recorder tells
   */
  private record Mark(long lastId, long created, int open, List<GroupStatus> statuses) {
    static Mark of(FlightRecorder recorder) {
      int newest = newest(recorder);
      int open = 0;
      for (int entry = 0; entry < recorder.size(); entry++) {
        open += recorder.hasEnded(entry) ? 0 : 1;
      }
      return newest < 0
          ? new Mark(-1, FlightRecorder.ABSENT, 0, recorder.statuses())
          : new Mark(
              recorder.recordId(newest), recorder.createdNanos(newest), open, recorder.statuses());
    }
  }

  private static int newest(FlightRecorder recorder) {
    int newest = -1;
    for (int entry = 0; entry < recorder.size(); entry++) {
      if (newest < 0 || recorder.recordId(entry) > recorder.recordId(newest)) {
        newest = entry;
      }
    }
    return newest;
  }

  /** What a pull showed of a rank. */
  enum Step {
    FIRST,
    MOVED,
    STOOD,
    /** Its process is another one than before: numbers begin anew. */
    RESTARTED
  }

  Step take(Instant at, List<FlightRecorder> recorders) {
    List<Mark> now = new ArrayList<>();
    recorders.forEach(recorder -> now.add(Mark.of(recorder)));
    Step step = step(now, recorders);
    if (step == Step.FIRST || step == Step.RESTARTED) {
      entries = 0;
      unseen = 0;
    }
    for (int i = 0; i < now.size(); i++) {
      long before = step == Step.MOVED && i < marks.size() ? marks.get(i).lastId() : -1;
      count(recorders.get(i), before, step);
    }
    marks = List.copyOf(now);
    since = step == Step.STOOD ? since : at;
    return step;
  }

  private Step step(List<Mark> now, List<FlightRecorder> recorders) {
    if (marks.isEmpty()) {
      return Step.FIRST;
    }
    if (now.equals(marks)) {
      return Step.STOOD;
    }
    for (int i = 0; i < Math.min(now.size(), marks.size()); i++) {
      if (isAnew(marks.get(i), now.get(i), recorders.get(i))) {
        return Step.RESTARTED;
      }
    }
    return Step.MOVED;
  }

  private static boolean isAnew(Mark before, Mark now, FlightRecorder recorder) {
    if (now.lastId() < before.lastId()) {
      return true;
    }
    for (int entry = 0; entry < recorder.size(); entry++) {
      if (recorder.recordId(entry) == before.lastId()) {
        return recorder.createdNanos(entry) != before.created();
      }
    }
    return false;
  }

  private void count(FlightRecorder recorder, long before, Step step) {
    if (step == Step.STOOD) {
      return;
    }
    long oldest = Long.MAX_VALUE;
    for (int entry = 0; entry < recorder.size(); entry++) {
      if (recorder.recordId(entry) > before) {
        entries++;
        oldest = Math.min(oldest, recorder.recordId(entry));
      }
    }
    // The ring overtook the pulls.
    unseen += step == Step.MOVED && oldest != Long.MAX_VALUE ? oldest - before - 1 : 0;
  }

  /** What it did before says nothing of how long it stands. */
  void beginAnew(Instant at) {
    since = at;
  }

  /** When it was first seen where it is. */
  Instant since() {
    return since;
  }

  /** Entries so far, each once. */
  long entries() {
    return entries;
  }

  /** Entries that left the ring between two pulls. */
  long unseen() {
    return unseen;
  }

  /** How long a rank went between two entries, but for the longest time. */
  static Duration pace(List<FlightRecorder> recorders) {
    long[] longest = new long[LONGEST_BUT + 1];
    for (FlightRecorder recorder : recorders) {
      for (int entry = 1; entry < recorder.size(); entry++) {
        long from = recorder.createdNanos(entry - 1);
        long to = recorder.createdNanos(entry);
        if (from != FlightRecorder.ABSENT && to != FlightRecorder.ABSENT && to > from) {
          insert(longest, to - from);
        }
      }
    }
    return Duration.ofNanos(longest[LONGEST_BUT]);
  }

  private static void insert(long[] descending, long value) {
    long carried = value;
    for (int i = 0; i < descending.length; i++) {
      if (carried > descending[i]) {
        long smaller = descending[i];
        descending[i] = carried;
        carried = smaller;
      }
    }
  }
}
