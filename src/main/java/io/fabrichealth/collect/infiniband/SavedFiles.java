package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.FailureCode;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Which files there are, and which of them changed since they were read. */
final class SavedFiles {
  private static final Duration SETTLED = Duration.ofSeconds(2);
  private static final int MOST_FILES = 10_000;

  private final Map<Path, Version> read = new HashMap<>();

  /** A file as it was when it was looked at. */
  record Version(Instant modified, long size) {
    /** Whether it changed so lately that it may still be written. */
    boolean isFresh(Instant now) {
      Duration age = Duration.between(modified, now);
      return !age.isNegative() && age.compareTo(SETTLED) < 0;
    }
  }

  /**
   * The files that there are. Stars and question marks stand for parts of a name, not of a folder.
   */
  static List<Path> matching(List<Path> patterns, List<Problem> problems) {
    TreeSet<Path> files = new TreeSet<>();
    for (Path pattern : patterns) {
      String name = String.valueOf(pattern.getFileName());
      if (!name.contains("*") && !name.contains("?")) {
        files.add(pattern);
        continue;
      }
      Path parent = pattern.getParent();
      try (DirectoryStream<Path> found =
          Files.newDirectoryStream(parent == null ? Path.of(".") : parent, name)) {
        for (Path file : found) {
          if (files.size() < MOST_FILES && Files.isRegularFile(file)) {
            files.add(file);
          }
        }
      } catch (IOException | DirectoryIteratorException | PatternSyntaxException e) {
        problems.add(new Problem(FailureCode.UNREACHABLE, pattern + " cannot be listed: " + e));
      }
    }
    return List.copyOf(files);
  }

  /** The files that changed since they were read, with what they are now. */
  Map<Path, Version> changed(List<Path> files, List<Problem> problems) {
    Map<Path, Version> changed = new HashMap<>();
    read.keySet().retainAll(files);
    for (Path file : files) {
      try {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        Version version = new Version(now.lastModifiedTime().toInstant(), now.size());
        if (!version.equals(read.get(file))) {
          changed.put(file, version);
        }
      } catch (NoSuchFileException e) {
        problems.add(new Problem(FailureCode.UNREACHABLE, file + " is not there"));
      } catch (IOException e) {
        problems.add(new Problem(FailureCode.UNREACHABLE, file + " cannot be read: " + e));
      }
    }
    return changed;
  }

  void read(Path file, Version version) {
    read.put(file, version);
  }

  /** The latest change of a file that was read; null where none was. */
  @Nullable Instant newest(List<Path> files) {
    return files.stream()
        .map(read::get)
        .filter(version -> version != null)
        .map(Version::modified)
        .max(Instant::compareTo)
        .orElse(null);
  }
}
