package io.fabrichealth.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The directory of all that one process keeps on disk. It belongs to that process alone: a lock of
 * the operating system, which also a killed process gives back, keeps a second one out.
 */
public final class DataDirectory implements AutoCloseable {
  private static final String LOCK = "lock";

  private final Path root;
  private final FileChannel lock;

  private DataDirectory(Path root, FileChannel lock) {
    this.root = root;
    this.lock = lock;
  }

  /**
   * Makes the directory where it is missing, and takes it.
   *
   * @throws StorageStartException where another process has it, or where it cannot be written
   */
  public static DataDirectory open(Path directory) {
    Path root = directory.toAbsolutePath().normalize();
    FileChannel channel = null;
    try {
      Files.createDirectories(root);
      channel =
          FileChannel.open(
              root.resolve(LOCK),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      FileLock taken = tryLock(channel);
      if (taken == null) {
        String owner = owner(channel);
        channel.close();
        throw inUse(root, owner);
      }
      channel.truncate(0);
      channel.write(UTF_8.encode(Long.toString(ProcessHandle.current().pid())), 0);
      return new DataDirectory(root, channel);
    } catch (IOException e) {
      throw new StorageStartException(
          "The data directory " + root + " cannot be used: " + e,
          "Make it writable for this user, or set fabric-health.data-dir to another directory.",
          e);
    }
  }

  /** Absolute. */
  public Path root() {
    return root;
  }

  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private static String owner(FileChannel channel) throws IOException {
    ByteBuffer pid = ByteBuffer.allocate(20);
    channel.read(pid, 0);
    String text = UTF_8.decode(pid.flip()).toString();
    return text.matches("[0-9]+") ? "process " + text : "another process";
  }

  private static StorageStartException inUse(Path root, String owner) {
    return new StorageStartException(
        "The data directory " + root + " is in use by " + owner + ".",
        "Stop that process, or set fabric-health.data-dir to another directory for this one.");
  }
}
