package io.fabrichealth.collect.jobs;

import io.fabrichealth.collect.jobs.WatchedJobs.Ready;
import io.fabrichealth.collect.jobs.WatchedJobs.Refused;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The files of one job in a watched directory, by their paths below its own. */
final class WatchedJob {
  static final String UNUSABLE_NAME = "its name is too long, or holds a control character";

  private static final int MOST_FILES = 20_000;
  private static final int DEEPEST = 8;
  private static final int LONGEST_NAME = 200;

  private Map<String, Seen> files = new TreeMap<>();
  private boolean isAnew;

  /** What tells that a file is another one, or holds other things, than before. */
  private record Stamp(long size, long modifiedMillis, String key) {
    static Stamp of(BasicFileAttributes file) {
      return new Stamp(
          file.size(),
          file.lastModifiedTime().toMillis(),
          String.valueOf(file.fileKey()).replace(" ", ""));
    }
  }

  /** A file since it is as it is. */
  private record Seen(Stamp stamp, Instant since, boolean isRead) {}

  static boolean isUsable(String name) {
    return name.length() <= LONGEST_NAME && name.chars().noneMatch(Character::isISOControl);
  }

  List<String> memory() {
    List<String> lines = new ArrayList<>();
    files.forEach(
        (path, seen) -> {
          if (seen.isRead) {
            Stamp stamp = seen.stamp;
            lines.add("%d %d %s %s".formatted(stamp.size, stamp.modifiedMillis, stamp.key, path));
          }
        });
    return lines;
  }

  void recall(String line) {
    String[] parts = line.split(" ", 4);
    if (parts.length == 4 && parts[0].matches("\\d{1,18}") && parts[1].matches("-?\\d{1,18}")) {
      Stamp stamp = new Stamp(Long.parseLong(parts[0]), Long.parseLong(parts[1]), parts[2]);
      files.put(parts[3], new Seen(stamp, Instant.EPOCH, true));
    }
  }

  int waiting() {
    return (int) files.values().stream().filter(seen -> !seen.isRead).count();
  }

  /**
   * Looks at all files once.
   *
   * @param isFlat whether directories in it are none of its own
   * @return how many there are
   */
  int look(Path directory, Instant now, boolean isFlat, Consumer<Refused> problems) {
    Walk walk = new Walk(directory, now, isFlat, problems);
    try {
      Files.walkFileTree(directory, EnumSet.noneOf(FileVisitOption.class), DEEPEST, walk);
    } catch (IOException problem) {
      walk.refuse(directory, FileReader.reason(problem));
      walk.isWhole = false;
    }
    if (!walk.isWhole) {
      files.forEach(walk.found::putIfAbsent);
    }
    List<String> read =
        files.entrySet().stream()
            .filter(file -> file.getValue().isRead)
            .map(Map.Entry::getKey)
            .toList();
    isAnew |= !read.isEmpty() && read.stream().noneMatch(walk.found::containsKey);
    files = walk.found;
    return walk.found.size();
  }

  /**
   * What can be read now.
   *
   * @param latest since when a file has to be as it is
   */
  Optional<Ready> ready(String job, String key, Path directory, Instant latest) {
    List<Path> fresh = new ArrayList<>();
    List<Path> all = new ArrayList<>();
    files.forEach(
        (name, seen) -> {
          if (seen.isRead || !seen.since.isAfter(latest)) {
            Path file = directory.resolve(name);
            all.add(file);
            if (!seen.isRead && isWithin(file)) {
              fresh.add(file);
            }
          }
        });
    return fresh.isEmpty()
        ? Optional.empty()
        : Optional.of(new Ready(job, key, directory, fresh, all, isAnew));
  }

  /** Whether it can be opened, and still lies where it was found: no directory became a link. */
  private static boolean isWithin(Path file) {
    try {
      return Files.isReadable(file) && file.toRealPath().equals(file);
    } catch (IOException gone) {
      return false;
    }
  }

  void done(Ready ready) {
    for (Path file : ready.files()) {
      files.computeIfPresent(
          ready.directory().relativize(file).toString(),
          (path, seen) -> new Seen(seen.stamp, seen.since, true));
    }
    isAnew = false;
  }

  /** One walk through the job's directory. */
  private final class Walk extends SimpleFileVisitor<Path> {
    private final Path directory;
    private final Instant now;
    private final boolean isFlat;
    private final Consumer<Refused> problems;
    private final Map<String, Seen> found = new TreeMap<>();
    private boolean isWhole = true;

    Walk(Path directory, Instant now, boolean isFlat, Consumer<Refused> problems) {
      this.directory = directory;
      this.now = now;
      this.isFlat = isFlat;
      this.problems = problems;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
      boolean isOther = !path.equals(directory) && (isFlat || isHidden(path));
      return isOther ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (isHidden(file)) {
        return FileVisitResult.CONTINUE;
      }
      String name = directory.relativize(file).toString();
      if (!attributes.isRegularFile()) {
        refuse(
            file,
            attributes.isSymbolicLink()
                ? "a link, which is not followed"
                : attributes.isDirectory() ? "too deep" : "neither a file nor a directory");
      } else if (!isUsable(String.valueOf(file.getFileName()))) {
        refuse(file, UNUSABLE_NAME);
      } else if (found.size() >= MOST_FILES) {
        refuse(directory, "more than %,d files".formatted(MOST_FILES));
        isWhole = false;
        return FileVisitResult.TERMINATE;
      } else {
        if (!Files.isReadable(file)) {
          refuse(file, "it may not be read");
        }
        Stamp stamp = Stamp.of(attributes);
        Seen before = files.get(name);
        found.put(
            name,
            before != null && before.stamp.equals(stamp) ? before : new Seen(stamp, now, false));
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException problem) {
      if (!(problem instanceof NoSuchFileException)) {
        refuse(file, FileReader.reason(problem));
        isWhole = false;
      }
      return FileVisitResult.CONTINUE;
    }

    private void refuse(Path path, String reason) {
      Path parent = isFlat ? directory : directory.getParent();
      problems.accept(
          new Refused(String.valueOf((parent == null ? path : parent.relativize(path))), reason));
    }

    private static boolean isHidden(Path path) {
      return String.valueOf(path.getFileName()).startsWith(".");
    }
  }
}
