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

  ReadFile(
      String directory,
      String name,
      InputFile input,
      @Nullable FlightRecorder recorder,
      @Nullable UnknownRank unread,
      @Nullable JobLog log) {
    this(directory, name, input, recorder, unread, log, null);
  }

  static ReadFile nothing(FoundFile file, InputKind kind, String reason) {
    return new ReadFile(
        file.directory(),
        file.name(),
        InputFile.unread(file.path(), kind, reason),
        null,
        null,
        null);
  }

  int rank() {
    return recorder != null ? recorder.rank() : unread != null ? unread.rank() : -1;
  }
}
