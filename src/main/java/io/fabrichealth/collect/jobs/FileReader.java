package io.fabrichealth.collect.jobs;

import io.fabrichealth.collective.UnknownRank;
import io.fabrichealth.collective.log.JobLog;
import io.fabrichealth.collective.log.JobLogReader;
import io.fabrichealth.collective.recorder.DumpReading;
import io.fabrichealth.collective.recorder.PickledDump;
import io.fabrichealth.collective.recorder.RecorderValues;
import io.fabrichealth.collective.recorder.UnreadableDumpException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Reads one file after the other, each by its kind. Keeps its memory; for one thread. */
final class FileReader {
  private static final int LARGEST_KEPT = 4 << 20;

  private final PickledDump pickles;
  private final JsonDump json;
  private final int mostDumpBytes;
  private byte[] buffer = new byte[1 << 20];
  private int filled;

  FileReader(RecorderValues shared, int mostDumpBytes) {
    pickles = new PickledDump(shared);
    json = new JsonDump(shared);
    this.mostDumpBytes = mostDumpBytes;
  }

  /** Takes the first bytes of a file and says what they look like. */
  Sniffed sniff(InputStream content) throws IOException {
    if (buffer.length > LARGEST_KEPT) {
      buffer = new byte[1 << 20];
    }
    filled = content.readNBytes(buffer, 0, Sniffed.HEAD_BYTES);
    return Sniffed.of(buffer, filled);
  }

  /** The file from its start, although some of it was looked at. */
  InputStream rewound(InputStream content) {
    byte[] head = Arrays.copyOf(buffer, filled);
    return new SequenceInputStream(new ByteArrayInputStream(head), content);
  }

  /** Reads a file whose first bytes were taken by {@link #sniff}. */
  ReadFile read(FoundFile file, Sniffed sniffed) {
    return switch (sniffed) {
      case PICKLE, DUMP_JSON -> dump(file, sniffed);
      case LOG, NCCL_TESTS_TEXT -> log(file, sniffed.kind());
      case NCCL_TESTS_JSON -> tests(file);
      case EMPTY -> empty(file);
      case RAS -> ras(file);
      case INSPECTOR -> inspector(file);
      case ROSTER -> ReadFile.nothing(file, sniffed.kind(), "this kind is not read here");
      case OTHER_JSON ->
          ReadFile.nothing(file, sniffed.kind(), "JSON that is neither dump nor any other input");
      case BINARY ->
          ReadFile.nothing(file, sniffed.kind(), "neither a dump nor a text nor an archive");
      case OTHER_COMPRESSION ->
          ReadFile.nothing(
              file, sniffed.kind(), "packed in a way that is not read: use gzip, tar or zip");
      case TAR, GZIP, ZIP ->
          ReadFile.nothing(file, sniffed.kind(), "an archive within an archive is not read");
    };
  }

  private static ReadFile empty(FoundFile file) {
    OptionalInt rank = RankName.of(file.name());
    boolean isLog = file.name().matches("(?i).*\\.(log|txt|out|err)|stdout|stderr");
    return rank.isEmpty() || isLog
        ? ReadFile.nothing(file, InputKind.UNKNOWN, "it is empty")
        : unread(file, rank.getAsInt(), "it is empty");
  }

  private ReadFile dump(FoundFile file, Sniffed sniffed) {
    OptionalInt rank = RankName.of(file.name());
    if (rank.isEmpty()) {
      return ReadFile.nothing(
          file,
          InputKind.FLIGHT_RECORDER,
          "the rank is not in its name: rename it to end in the rank's number, as trace_rank_12");
    }
    try {
      String broken = fill(file.content());
      DumpReading reading =
          sniffed == Sniffed.PICKLE
              ? pickles.read(buffer, filled, rank.getAsInt(), file.path())
              : json.read(
                  new ByteArrayInputStream(buffer, 0, filled), rank.getAsInt(), file.path());
      String reason = reading.reason() == null ? broken : reading.reason();
      return ReadFile.dump(
          file,
          reading.recorder(),
          reading.skipped(),
          reason,
          reason == null ? null : new UnknownRank(rank.getAsInt(), "its dump is " + reason));
    } catch (UnreadableDumpException | RefusedException problem) {
      return unread(file, rank.getAsInt(), reason(problem));
    }
  }

  private static ReadFile unread(FoundFile file, int rank, String reason) {
    return ReadFile.dump(
        file, null, 0, reason, new UnknownRank(rank, "its dump cannot be read: " + reason));
  }

  private ReadFile tests(FoundFile file) {
    NcclTestJson.Reading reading = NcclTestJson.read(rewound(file.content()), file.path());
    return ReadFile.log(
        file,
        InputKind.NCCL_TESTS,
        reading.test().rows().size(),
        reading.leftOut(),
        reading.reason(),
        JobLog.of(file.path(), List.of(reading.test()), List.of()));
  }

  private ReadFile inspector(FoundFile file) {
    InspectorJson.Reading reading = InspectorJson.read(rewound(file.content()));
    return ReadFile.inspector(file, reading.log(), reading.skipped(), reading.reason());
  }

  private ReadFile ras(FoundFile file) {
    RasJson.Reading reading = RasJson.read(rewound(file.content()), file.path());
    return ReadFile.log(
        file,
        InputKind.NCCL_RAS,
        reading.members(),
        reading.leftOut(),
        reading.reason(),
        JobLog.of(file.path(), List.of(), reading.answers()));
  }

  private ReadFile log(FoundFile file, InputKind kind) {
    OptionalInt rank = RankName.explicit(file.name());
    JobLogReader reader = new JobLogReader(file.path(), rank.orElse(-1));
    reader.accept(buffer, 0, filled);
    String problem = null;
    try {
      for (int read = file.content().read(buffer); read >= 0; read = file.content().read(buffer)) {
        reader.accept(buffer, 0, read);
      }
    } catch (IOException cutOff) {
      problem = reason(cutOff);
    }
    JobLog log = reader.finish();
    return ReadFile.log(file, kind, log.lines(), log.leftOut(), problem, log);
  }

  /**
   * Reads the rest of a dump into memory.
   *
   * @return why it ends before its end; null where it does not
   */
  private @Nullable String fill(InputStream content) throws RefusedException {
    while (true) {
      if (filled == buffer.length) {
        if (filled >= mostDumpBytes) {
          throw new RefusedException("it is larger than %,d bytes".formatted(mostDumpBytes));
        }
        buffer = Arrays.copyOf(buffer, (int) Math.min(2L * filled, mostDumpBytes));
      }
      try {
        int read = content.read(buffer, filled, buffer.length - filled);
        if (read < 0) {
          return null;
        }
        filled += read;
      } catch (RefusedException refused) {
        throw refused;
      } catch (IOException cutOff) {
        return reason(cutOff);
      }
    }
  }

  static String reason(Exception problem) {
    String message = problem.getMessage();
    return message == null ? problem.getClass().getSimpleName() : message;
  }
}
