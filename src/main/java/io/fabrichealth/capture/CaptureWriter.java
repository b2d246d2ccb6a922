package io.fabrichealth.capture;

import com.github.luben.zstd.ZstdOutputStream;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.signal.SignalDictionary;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.zip.GZIPOutputStream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes a capture, an input of the engine a line. Belongs to one thread. */
public final class CaptureWriter implements AutoCloseable {
  private static final int BUFFER = 1 << 16;
  private static final int KEPT = 1 << 20;
  private static final JsonFactory JSON = new JsonFactory();

  private final OutputStream out;
  private final PollBatchJson polls;
  private ByteArrayOutputStream line = new ByteArrayOutputStream(BUFFER);
  private long records;

  private CaptureWriter(OutputStream out, SignalDictionary dictionary) {
    this.out = out;
    polls = new PollBatchJson(dictionary);
  }

  /**
   * Begins a file, replacing what is there; compressed where its name ends in {@code .gz} or {@code
   * .zst}.
   *
   * @param at of the first record
   * @param writer name and version of the program
   */
  public static CaptureWriter create(
      Path file, SignalDictionary dictionary, Instant at, String writer) throws IOException {
    OutputStream out = Files.newOutputStream(file);
    try {
      return create(compressed(out, file.toString()), dictionary, at, writer);
    } catch (IOException | RuntimeException e) {
      out.close();
      throw e;
    }
  }

  /** Begins a capture in a stream, which is closed with the writer. */
  public static CaptureWriter create(
      OutputStream out, SignalDictionary dictionary, Instant at, String writer) throws IOException {
    CaptureWriter begun = new CaptureWriter(new BufferedOutputStream(out, BUFFER), dictionary);
    begun.writeLine(
        "capture",
        at,
        json -> {
          json.writeNumberProperty("version", CaptureReader.VERSION);
          json.writeStringProperty("writer", writer);
        });
    return begun;
  }

  /** Both flush what they hold when they are told to, so that little is lost in a crash. */
  private static OutputStream compressed(OutputStream out, String name) throws IOException {
    if (name.endsWith(".gz")) {
      return new GZIPOutputStream(out, BUFFER, true);
    }
    return name.endsWith(".zst") || name.endsWith(".zstd")
        ? new ZstdOutputStream(out).setCloseFrameOnFlush(false)
        : out;
  }

  private interface Fields {
    void write(JsonGenerator out);
  }

  /**
   * Writes one record.
   *
   * @throws IOException where there is no room, or the file cannot be written for another reason
   */
  public void write(EngineInput input) throws IOException {
    switch (input) {
      case EngineInput.Topology topology ->
          writeLine(
              "topology", topology.at(), json -> TopologyJson.writeFields(json, topology.fabric()));
      case EngineInput.Poll poll -> writePoll(poll);
      case EngineInput.Probe probe ->
          writeLine("probe", probe.at(), json -> ProbeJson.writeFields(json, probe.sample()));
      case EngineInput.Event event ->
          writeLine("event", event.at(), json -> EventJson.writeFields(json, event));
      case EngineInput.Roster roster ->
          writeLine("job", roster.at(), json -> JobJson.writeFields(json, roster));
      case EngineInput.Timing timing ->
          writeLine(
              "collective",
              timing.at(),
              json -> CollectiveJson.writeFields(json, timing.collective()));
      case EngineInput.Analysis analysis ->
          writeLine("analysis", analysis.at(), json -> AnalysisJson.writeFields(json, analysis));
      case EngineInput.Maintenance window ->
          writeLine("maintenance", window.at(), json -> MaintenanceJson.writeFields(json, window));
    }
    records++;
  }

  private void writePoll(EngineInput.Poll poll) throws IOException {
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), line)) {
      json.writeStartObject();
      json.writeStringProperty("type", "poll");
      polls.writeFields(json, poll.batch());
      json.writeEndObject();
    }
    endLine();
  }

  private void writeLine(String type, Instant at, Fields fields) throws IOException {
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), line)) {
      json.writeStartObject();
      json.writeStringProperty("type", type);
      json.writeStringProperty("at", at.toString());
      fields.write(json);
      json.writeEndObject();
    }
    endLine();
  }

  private void endLine() throws IOException {
    line.write('\n');
    line.writeTo(out);
    if (line.size() > KEPT) {
      line = new ByteArrayOutputStream(BUFFER);
    } else {
      line.reset();
    }
  }

  /** Records so far, the first one not among them. */
  public long records() {
    return records;
  }

  /** Puts what was written into the file. */
  public void flush() throws IOException {
    out.flush();
  }

  /** Ends the file. */
  @Override
  public void close() throws IOException {
    out.close();
  }
}
