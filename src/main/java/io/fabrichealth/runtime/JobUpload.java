package io.fabrichealth.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * The files of one upload while they are read. They may hold secrets, as logs do, and are gone when
 * it is closed.
 */
public final class JobUpload implements AutoCloseable {
  private static final int MOST_PARTS = 8;
  private static final int LONGEST_PART = 120;
  private static final int BUFFER = 1 << 16;

  private final Path directory;
  private final long mostBytes;
  private long bytes;
  private int files;

  JobUpload(Path directory, long mostBytes) {
    this.directory = directory;
    this.mostBytes = mostBytes;
  }

  /**
   * Takes a file.
   *
   * @param name as its sender has it, with or without directories; tells the rank of a dump
   * @return false where all together is more than may be sent
   */
  public boolean add(String name, InputStream content) throws IOException {
    Path file = directory.resolve(safe(name));
    if (Files.exists(file)) {
      file = directory.resolve(String.valueOf(files)).resolve(safe(name));
    }
    files++;
    Files.createDirectories(file.getParent());
    try (OutputStream out = Files.newOutputStream(file)) {
      byte[] buffer = new byte[BUFFER];
      for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
        bytes += read;
        if (bytes > mostBytes) {
          return false;
        }
        out.write(buffer, 0, read);
      }
    }
    return true;
  }

  /** What all files together may have. */
  public long mostBytes() {
    return mostBytes;
  }

  Path directory() {
    return directory;
  }

  /** Names that cannot lead elsewhere, and that are no hidden files. */
  private static String safe(String name) {
    List<String> parts = new ArrayList<>();
    for (String part : name.split("[/\\\\]+", -1)) {
      String plain = part.replaceAll("[^\\p{Alnum}._-]", "_").replaceFirst("^\\.+", "");
      if (!plain.isEmpty()) {
        parts.add(plain.substring(Math.max(0, plain.length() - LONGEST_PART)));
      }
    }
    List<String> last = parts.subList(Math.max(0, parts.size() - MOST_PARTS), parts.size());
    return last.isEmpty() ? "file" : String.join("/", last);
  }

  @Override
  public void close() throws IOException {
    delete(directory);
  }

  static void delete(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return;
    }
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path left, IOException problem)
              throws IOException {
            Files.delete(left);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
