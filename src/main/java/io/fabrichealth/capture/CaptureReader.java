package io.fabrichealth.capture;

import io.fabrichealth.capture.CaptureSummary.BadLine;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.signal.SignalDictionary;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads a capture, record by record, in the order of the file: what is late stays late. Lines that
 * cannot be read are counted and skipped, and so are records of types that are no input of the
 * engine. Belongs to one thread.
 */
public final class CaptureReader implements AutoCloseable {
  /** The one that is known. */
  static final int VERSION = 1;

  private static final int MOST_TOLD = 100;
  private static final int MOST_TYPES = 100;
  private static final JsonFactory JSON = new JsonFactory();

  private final LineInput lines;
  private final PollBatchJson polls;
  private final Map<String, Long> records = new TreeMap<>();
  private final Map<String, Long> passedOver = new TreeMap<>();
  private final List<BadLine> firstUnusable = new ArrayList<>();
  private final List<BadLine> firstRefused = new ArrayList<>();
  private long number;
  private long unusable;
  private long refusedValues;
  private long outOfOrder;
  private Instant newest = Instant.MIN;
  private @Nullable String brokenOff;
  private String writer = "";

  private CaptureReader(LineInput lines, SignalDictionary dictionary) {
    this.lines = lines;
    polls = new PollBatchJson(dictionary);
  }

  /**
   * Opens a file and reads its first record.
   *
   * @throws InvalidCaptureException where it is no capture, or one of an unknown version
   * @throws IOException where it cannot be read
   */
  public static CaptureReader open(Path file, SignalDictionary dictionary)
      throws IOException, InvalidCaptureException {
    return open(Files.newInputStream(file), file.toString(), dictionary);
  }

  /**
   * Reads what a stream holds; it is closed with the reader, and where this fails.
   *
   * @param name of the stream, for messages
   * @throws InvalidCaptureException where it is no capture, or one of an unknown version
   * @throws IOException where it cannot be read
   */
  public static CaptureReader open(InputStream in, String name, SignalDictionary dictionary)
      throws IOException, InvalidCaptureException {
    CaptureReader reader;
    try {
      reader = new CaptureReader(LineInput.of(in), dictionary);
      reader.readHeader(name);
      return reader;
    } catch (EOFException e) {
      in.close();
      throw new InvalidCaptureException(name + " is no capture: it ends within its first bytes");
    } catch (IOException | InvalidCaptureException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  private void readHeader(String name) throws IOException, InvalidCaptureException {
    boolean isThere = lines.next();
    number = 1;
    if (!isThere || lines.isTooLong()) {
      throw new InvalidCaptureException(name + " is no capture: it is empty");
    }
    try (JsonParser in = parser()) {
      RecordHead head = RecordHead.read(in);
      if (!"capture".equals(head.type())) {
        throw new InvalidRecordException("type '" + head.type() + "'");
      }
      takeHeader(head, name);
    } catch (JacksonException | InvalidRecordException e) {
      throw new InvalidCaptureException(
          name + " is no capture: line 1 is no record of type 'capture'");
    }
  }

  private void takeHeader(RecordHead head, String name) throws InvalidCaptureException {
    if (head.version() != VERSION) {
      throw new InvalidCaptureException(
          "%s, line %d: version %d of the capture format is not known, only %d"
              .formatted(name, number, head.version(), VERSION));
    }
    writer = head.writer();
  }

  /** Who wrote it. */
  public String writer() {
    return writer;
  }

  /**
   * The next input of the engine; null at the end, also where the file is cut off there.
   *
   * @throws InvalidCaptureException where another capture follows in the file, of an unknown
   *     version
   */
  public @Nullable EngineInput next() throws InvalidCaptureException {
    while (nextLine()) {
      if (lines.isTooLong()) {
        refuseLine("longer than " + LineInput.LONGEST + " bytes");
      } else if (!lines.isBlank()) {
        EngineInput input = record();
        if (input != null) {
          return input;
        }
      }
    }
    return null;
  }

  private boolean nextLine() {
    if (brokenOff != null) {
      return false;
    }
    try {
      if (lines.next()) {
        number++;
        return true;
      }
    } catch (IOException e) {
      brokenOff = "after line " + number + ": " + e.getMessage();
    }
    return false;
  }

  private @Nullable EngineInput record() throws InvalidCaptureException {
    try (JsonParser scan = parser();
        JsonParser in = parser()) {
      RecordHead head = RecordHead.read(scan);
      if ("capture".equals(head.type())) {
        takeHeader(head, "capture");
        return null;
      }
      EngineInput input = input(head, in);
      if (in.nextToken() != null) {
        throw new InvalidRecordException("more than one value");
      }
      count(input == null ? passedOver : records, head.type());
      if (input != null) {
        noteOrder(input.at());
      }
      return input;
    } catch (JacksonException e) {
      String problem = "no JSON: " + e.getOriginalMessage();
      if (lines.isEnded()) {
        refuseLine(problem);
      } else {
        // Only the last line of a file that was cut off ends like this.
        brokenOff = "in line " + number + ": " + problem;
      }
    } catch (InvalidRecordException e) {
      refuseLine(String.valueOf(e.getMessage()));
    } catch (InvalidPollException e) {
      refuseLine("poll: " + e.getMessage());
    }
    return null;
  }

  private @Nullable EngineInput input(RecordHead head, JsonParser in)
      throws InvalidRecordException, InvalidPollException {
    in.nextToken();
    RecordFields fields = new RecordFields(in, this::refuseValue);
    switch (head.type()) {
      case "poll" -> {
        PollRead read = polls.read(in);
        read.refusals().stream()
            .filter(refusal -> refusal.kind() != PollRead.Kind.UNKNOWN_FIELD)
            .forEach(refusal -> refuseValue(refusal.pointer() + " " + refusal.problem()));
        return new EngineInput.Poll(read.batch());
      }
      case "topology" -> {
        Instant at = head.requiredTime();
        TopologyReader topology = new TopologyReader(fields);
        fields.object(topology::read);
        return new EngineInput.Topology(at, topology.fabric());
      }
      case "probe" -> {
        Instant at = head.requiredTime();
        ProbeJson probe = new ProbeJson(fields);
        fields.object(probe::read);
        return new EngineInput.Probe(at, probe.sample());
      }
      case "event" -> {
        Instant at = head.requiredTime();
        EventJson event = new EventJson(fields);
        fields.object(event::read);
        return event.event(at);
      }
      case "job" -> {
        Instant at = head.requiredTime();
        JobJson job = new JobJson(fields);
        fields.object(job::read);
        return job.roster(at);
      }
      case "collective" -> {
        Instant at = head.requiredTime();
        CollectiveJson collective = new CollectiveJson(fields);
        fields.object(collective::read);
        return new EngineInput.Timing(at, collective.collective());
      }
      case "analysis" -> {
        Instant at = head.requiredTime();
        AnalysisJson analysis = new AnalysisJson(fields);
        fields.object(analysis::read);
        return analysis.analysis(at);
      }
      case "maintenance" -> {
        Instant at = head.requiredTime();
        MaintenanceJson maintenance = new MaintenanceJson(fields);
        fields.object(maintenance::read);
        return maintenance.maintenance(at);
      }
      default -> {
        in.skipChildren();
        return null;
      }
    }
  }

  private JsonParser parser() {
    return JSON.createParser(ObjectReadContext.empty(), lines.bytes(), 0, lines.length());
  }

  private void noteOrder(Instant at) {
    if (at.isBefore(newest)) {
      outOfOrder++;
    } else {
      newest = at;
    }
  }

  private static void count(Map<String, Long> counts, String type) {
    boolean isKnown = counts.containsKey(type) || counts.size() < MOST_TYPES;
    counts.merge(isKnown ? type : "other", 1L, Long::sum);
  }

  private void refuseLine(String problem) {
    unusable++;
    if (firstUnusable.size() < MOST_TOLD) {
      firstUnusable.add(new BadLine(number, problem));
    }
  }

  private void refuseValue(String problem) {
    refusedValues++;
    if (firstRefused.size() < MOST_TOLD) {
      firstRefused.add(new BadLine(number, problem));
    }
  }

  /** What it came to so far. */
  public CaptureSummary summary() {
    return new CaptureSummary(
        number,
        records,
        passedOver,
        unusable,
        firstUnusable,
        refusedValues,
        firstRefused,
        outOfOrder,
        brokenOff);
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
