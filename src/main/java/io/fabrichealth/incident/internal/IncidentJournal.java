package io.fabrichealth.incident.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabrichealth.incident.Incident;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Incidents on disk until the database has them: one JSON document a line, each a whole incident,
 * so that the last line of an id is all that matters. What was appended survives the end of the
 * process and of the machine.
 *
 * <p>Not for use by several threads at once.
 */
final class IncidentJournal implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(IncidentJournal.class);

  private final Path file;
  private final long limit;
  private FileChannel channel;
  private long bytes;

  /**
   * @param limit bytes that the file may have
   */
  IncidentJournal(Path file, long limit) throws IOException {
    this.file = file;
    this.limit = limit;
    Files.createDirectories(directory());
    channel = open(file);
    bytes = channel.size();
  }

  /**
   * What an earlier process left, in order. Lines that are not whole are skipped with a message.
   */
  Replay replay() throws IOException {
    List<Incident> incidents = new ArrayList<>();
    int skipped = 0;
    int number = 0;
    // As bytes: a line that was cut off within a character must not end the reading.
    String content = new String(Files.readAllBytes(file), UTF_8);
    for (String line : content.lines().toList()) {
      number++;
      try {
        incidents.add(IncidentJson.incident(line));
      } catch (IllegalArgumentException e) {
        skipped++;
        log.warn(
            "incident-journal=corrupt file={} line={} bytes={} action=skipped reason=\"{}\"",
            file,
            number,
            line.length(),
            String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
      }
    }
    return new Replay(incidents, skipped);
  }

  /**
   * Appends and waits for the disk. Either all lines are there afterwards or none.
   *
   * @throws FullException where they do not fit
   */
  void append(Collection<Incident> incidents) throws IOException {
    byte[] lines = lines(incidents);
    if (bytes + lines.length > limit) {
      throw new FullException(bytes, limit);
    }
    try {
      write(channel, lines, bytes);
    } catch (IOException e) {
      channel.truncate(bytes);
      throw e;
    }
    bytes += lines.length;
  }

  /**
   * Replaces the whole content at once.
   *
   * @throws FullException where it does not fit; the old content stays
   */
  void rewrite(Collection<Incident> incidents) throws IOException {
    byte[] lines = lines(incidents);
    if (lines.length > limit) {
      throw new FullException(lines.length, limit);
    }
    Path replacement = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(replacement);
    FileChannel next = open(replacement);
    try {
      write(next, lines, 0);
      Files.move(
          replacement, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      next.close();
      throw e;
    }
    channel.close();
    channel = next;
    bytes = lines.length;
    syncDirectory();
  }

  /** Forgets everything: the database has it. */
  void clear() throws IOException {
    if (bytes > 0) {
      channel.truncate(0);
      bytes = 0;
    }
  }

  long bytes() {
    return bytes;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private Path directory() {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? file : parent;
  }

  /** A file that was renamed is only there after a crash if its directory was written too. */
  private void syncDirectory() throws IOException {
    try (FileChannel directory = FileChannel.open(directory(), StandardOpenOption.READ)) {
      directory.force(true);
    }
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  private static void write(FileChannel channel, byte[] lines, long position) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(lines);
    while (buffer.hasRemaining()) {
      channel.write(buffer, position + buffer.position());
    }
    channel.force(false);
  }

  private static byte[] lines(Collection<Incident> incidents) {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    for (Incident incident : incidents) {
      lines.writeBytes(IncidentJson.line(incident).getBytes(UTF_8));
      lines.write('\n');
    }
    return lines.toByteArray();
  }

  /** What was found, and how many lines were not whole. */
  record Replay(List<Incident> incidents, int skipped) {}

  /** The journal has no room for more. */
  static final class FullException extends IOException {
    private static final long serialVersionUID = 1;

    FullException(long bytes, long limit) {
      super(bytes + " of " + limit + " bytes are used");
    }
  }
}
