package io.fabrichealth.runtime;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How much is taken of what jobs leave behind, and where it is looked for.
 *
 * @param maxUpload bytes of one upload, as it is sent
 * @param maxUnpacked bytes of one upload, unpacked
 * @param maxKeptEntries entries and operations that stay in memory
 * @param watch directory that is watched; null where none is
 * @param watchInterval between two looks at it
 * @param watchSettled for which a file in it has not changed when it is read
 */
public record SettingsJobs(
    long maxUpload,
    long maxUnpacked,
    long maxKeptEntries,
    @Nullable Path watch,
    Duration watchInterval,
    Duration watchSettled) {
  private static final long UPLOAD = 1L << 30;
  private static final long UNPACKED = 16L << 30;
  private static final int MOST_GIGABYTES = 1_024;
  private static final int KEPT = 5_000_000;
  private static final int MOST_KEPT = 1_000_000_000;
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final Duration SETTLED = Duration.ofSeconds(30);

  static SettingsJobs of(SettingsProperties.Jobs written, SettingsEntry entry) {
    Integer kept = written.maxKeptEntries();
    if (kept != null && (kept < 0 || kept > MOST_KEPT)) {
      entry.reject("max-kept-entries", "'" + kept + "' is out of range", "0 to " + MOST_KEPT);
    }
    return new SettingsJobs(
        entry.size("max-upload", written.maxUpload(), UPLOAD, MOST_GIGABYTES),
        entry.size("max-unpacked", written.maxUnpacked(), UNPACKED, MOST_GIGABYTES),
        kept == null ? KEPT : kept,
        watch(written.watch(), entry),
        entry.duration("watch-interval", written.watchInterval(), INTERVAL),
        entry.duration("watch-settled", written.watchSettled(), SETTLED));
  }

  /** Whether the same is watched in the same way. */
  boolean isWatchedLike(SettingsJobs other) {
    return Objects.equals(watch, other.watch)
        && watchInterval.equals(other.watchInterval)
        && watchSettled.equals(other.watchSettled);
  }

  /** It may be mounted later; what is there and no directory never becomes one. */
  private static @Nullable Path watch(@Nullable String written, SettingsEntry entry) {
    if (written == null) {
      return null;
    }
    if (written.isBlank()) {
      entry.reject("watch", "is empty", "the path of a directory");
      return null;
    }
    Path path = entry.path("watch", written);
    if (path != null && Files.exists(path) && !Files.isDirectory(path)) {
      entry.reject(
          "watch", SettingsPlace.display(path) + " is no directory", "the path of a directory");
    }
    return path;
  }
}
