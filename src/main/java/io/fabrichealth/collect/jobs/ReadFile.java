package io.fabrichealth.collect.jobs;

import io.fabrichealth.collective.FlightRecorder;
import io.fabrichealth.collective.InspectorLog;
import io.fabrichealth.collective.UnknownRank;
import io.fabrichealth.collective.log.JobLog;
import org.jspecify.annotations.Nullable;

/**
 * What was read of one file, and where it lies.
 *
 * @param unread the rank whose dump it is, if not all of it could be read
 */
record ReadFile(
    String directory,
    String name,
    InputFile input,
    @Nullable FlightRecorder recorder,
    @Nullable UnknownRank unread,
    @Nullable JobLog log,
    @Nullable InspectorLog inspector) {

  /** A dump, as far as it could be read. */
  static ReadFile dump(
      FoundFile file,
      @Nullable FlightRecorder recorder,
      long skipped,
      @Nullable String reason,
      @Nullable UnknownRank unread) {
    long records = recorder == null ? 0 : recorder.size();
    InputFile input =
        new InputFile(file.path(), InputKind.FLIGHT_RECORDER, records, skipped, reason);
    return new ReadFile(file.directory(), file.name(), input, recorder, unread, null, null);
  }

  static ReadFile log(
      FoundFile file,
      InputKind kind,
      long records,
      long skipped,
      @Nullable String reason,
      JobLog log) {
    InputFile input = new InputFile(file.path(), kind, records, skipped, reason);
    return new ReadFile(file.directory(), file.name(), input, null, null, log, null);
  }

  static ReadFile inspector(
      FoundFile file, InspectorLog log, long skipped, @Nullable String reason) {
    InputFile input =
        new InputFile(file.path(), InputKind.NCCL_INSPECTOR, log.operations(), skipped, reason);
    return new ReadFile(file.directory(), file.name(), input, null, null, null, log);
  }

  static ReadFile nothing(FoundFile file, InputKind kind, String reason) {
    InputFile input = new InputFile(file.path(), kind, 0, 0, reason);
    return new ReadFile(file.directory(), file.name(), input, null, null, null, null);
  }

  int rank() {
    return recorder != null ? recorder.rank() : unread != null ? unread.rank() : -1;
  }
}
