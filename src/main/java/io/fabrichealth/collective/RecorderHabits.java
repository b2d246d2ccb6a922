package io.fabrichealth.collective;

import java.util.Arrays;

/**
 * What the writer of a dump tells and what it leaves out; writers of the same version differ, and
 * no field says which one it was.
 *
 * @param tellsEnds whether an entry that has not ended can be told from one that has: a hook on a
 *     backend without reports of completion retires each entry when it is issued
 * @param hidesPointToPoint whether sends and receives happen that are not recorded
 */
record RecorderHabits(boolean tellsEnds, boolean hidesPointToPoint) {
  /** Of a rank without a dump. */
  static final RecorderHabits NONE = new RecorderHabits(true, false);

  static RecorderHabits of(FlightRecorder recorder) {
    return new RecorderHabits(tellsEnds(recorder), hidesPointToPoint(recorder));
  }

  private static boolean tellsEnds(FlightRecorder recorder) {
    for (int entry = 0; entry < recorder.size(); entry++) {
      if (!recorder.isRetired(entry)
          || recorder.state(entry) == EntryState.COMPLETED
          || recorder.completedNanos(entry) != FlightRecorder.ABSENT) {
        return true;
      }
    }
    return recorder.size() == 0
        || recorder.statuses().stream().anyMatch(status -> status.lastCompleted() >= 0);
  }

  /**
   * Operations are counted, with sends and receives, but the numbers of those recorded have holes
   * although no record is missing; or the writer is known for it.
   */
  private static boolean hidesPointToPoint(FlightRecorder recorder) {
    int[] before = new int[recorder.groups().size()];
    Arrays.fill(before, -1);
    boolean holes = false;
    boolean known = recorder.size() > 0;
    for (int entry = 0; entry < recorder.size(); entry++) {
      if (Matching.isPointToPoint(recorder, entry)
          || (entry > 0 && recorder.recordId(entry) != recorder.recordId(entry - 1) + 1)) {
        return false;
      }
      known &= recorder.operation(entry).backend().equals("gloo");
      int previous = before[recorder.groupIndex(entry)];
      before[recorder.groupIndex(entry)] = entry;
      holes |= previous >= 0 && recorder.operationId(entry) > recorder.operationId(previous) + 1;
    }
    return holes || known;
  }

  /** Whether an entry had not ended when the dump was written, so far as the writer tells. */
  boolean isOpen(FlightRecorder recorder, int entry) {
    return tellsEnds && !recorder.hasEnded(entry);
  }

  /** Whether the writer says that an entry has ended; it may have failed. */
  boolean isEnded(FlightRecorder recorder, int entry) {
    return tellsEnds && !isOpen(recorder, entry);
  }
}
