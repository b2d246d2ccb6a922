package io.fabrichealth.collect.jobs;

import io.fabrichealth.collective.recorder.RecorderValues;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads what jobs left: dumps and logs, as files, in directories and in archives (tar, tar.gz,
 * zip), several at a time. A file that cannot be read costs no other; all are told of. Links are
 * not followed.
 */
public final class JobFiles {
  /** Hold the truth about a made fault: whoever read them would find everything. */
  private static final Set<String> NEVER = Set.of("truth.json", "fault_injection.log");

  private static final int COPY_BYTES = 1 << 16;

  private final JobLimits limits;
  private final Progress progress;
  private final RecorderValues shared = new RecorderValues();
  private final ConcurrentLinkedQueue<FileReader> readers = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<ReadFile> read = new ConcurrentLinkedQueue<>();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicInteger files = new AtomicInteger();

  /** Told now and then from the threads that read. */
  @FunctionalInterface
  public interface Progress {
    void read(int files, long bytes);
  }

  public JobFiles(JobLimits limits, Progress progress) {
    this.limits = limits;
    this.progress = progress;
  }

  /**
   * Reads all that is there. For one call.
   *
   * @return one of each job that the files belong to, by name; empty where there is no file
   */
  public List<JobInputs> read(List<Path> paths) {
    List<Future<?>> tasks = new ArrayList<>();
    try (ExecutorService pool =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
      for (Path path : paths) {
        find(path, file -> tasks.add(pool.submit(() -> open(path, file, file.toString()))));
      }
      for (Future<?> task : tasks) {
        await(task);
      }
    }
    return JobSplit.jobs(List.copyOf(read));
  }

  /** Reads all below a directory as of one job; paths are those below it. For one call. */
  List<ReadFile> readBelow(Path directory) {
    List<Future<?>> tasks = new ArrayList<>();
    try (ExecutorService pool =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
      find(
          directory,
          file ->
              tasks.add(
                  pool.submit(() -> open(directory, file, directory.relativize(file).toString()))));
      for (Future<?> task : tasks) {
        await(task);
      }
    }
    return List.copyOf(read);
  }

  /**
   * Reads one upload.
   *
   * @param name of the file as its sender has it; tells the rank of a dump
   * @param rank of a dump whose name does not tell it
   */
  public JobInputs read(String name, InputStream content, OptionalInt rank) throws IOException {
    String last = name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
    take(new FoundFile(last, "", last, content), null, rank);
    return JobSplit.one(List.copyOf(read));
  }

  private interface Found {
    void file(Path file);
  }

  private void find(Path path, Found found) {
    if (!Files.isDirectory(path)) {
      if (Files.isRegularFile(path)) {
        found.file(path);
      } else {
        refuse(
            path.toString(),
            Files.exists(path) ? "neither a file nor a directory" : "there is no such file");
      }
      return;
    }
    try {
      Files.walkFileTree(
          path,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (attributes.isRegularFile()) {
                found.file(file);
              } else if (attributes.isSymbolicLink()) {
                refuse(file.toString(), "a link, which is not followed");
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException problem) {
              refuse(file.toString(), FileReader.reason(problem));
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException problem) {
      refuse(path.toString(), FileReader.reason(problem));
    }
  }

  private void open(Path root, Path path, String shown) {
    String name = String.valueOf(path.getFileName());
    Path parent = root.equals(path) ? null : root.relativize(path).getParent();
    FoundFile file =
        new FoundFile(
            shown, parent == null ? "" : parent.toString(), name, InputStream.nullInputStream());
    if (isLeftOut(file)) {
      return;
    }
    try (SeekableByteChannel channel = Files.newByteChannel(path);
        InputStream content = new ChannelInput(channel)) {
      take(
          file.with(new BoundedInput(content, () -> Long.MAX_VALUE, bytes, limits.totalBytes())),
          channel,
          OptionalInt.empty());
    } catch (IOException problem) {
      read.add(ReadFile.nothing(file, InputKind.UNKNOWN, FileReader.reason(problem)));
    }
  }

  /**
   * Reads an opened file, and unpacks it if it is an archive.
   *
   * @param channel of the file; null where it is only a stream
   */
  private void take(FoundFile file, @Nullable SeekableByteChannel channel, OptionalInt rank)
      throws IOException {
    FileReader reader = take();
    try {
      Sniffed sniffed = reader.sniff(file.content());
      switch (sniffed) {
        case ZIP -> zip(reader, file, channel, rank);
        case GZIP -> gzip(reader, file.with(reader.rewound(file.content())), rank);
        case TAR -> tar(reader, file.with(reader.rewound(file.content())), rank);
        default -> read.add(reader.read(file, sniffed, rank));
      }
    } finally {
      readers.add(reader);
      progress.read(files.incrementAndGet(), bytes.get());
    }
  }

  private void gzip(FileReader reader, FoundFile file, OptionalInt rank) throws IOException {
    CountedInput packed = new CountedInput(new BufferedInputStream(file.content(), COPY_BYTES));
    try (InputStream unpacked =
        new BoundedInput(
            new GZIPInputStream(packed, COPY_BYTES), packed::count, bytes, limits.totalBytes())) {
      FoundFile inner = file.unpacked(unpacked);
      Sniffed sniffed = reader.sniff(unpacked);
      if (sniffed == Sniffed.TAR) {
        tar(reader, inner.with(reader.rewound(unpacked)), rank);
      } else {
        read.add(reader.read(inner, sniffed, rank));
      }
    } catch (IOException problem) {
      read.add(ReadFile.nothing(file, InputKind.ARCHIVE, FileReader.reason(problem)));
    }
  }

  private void tar(FileReader reader, FoundFile file, OptionalInt rank) {
    try {
      archives(reader, rank).tar(file);
    } catch (IOException problem) {
      read.add(ReadFile.nothing(file, InputKind.ARCHIVE, FileReader.reason(problem)));
    }
  }

  private void zip(
      FileReader reader, FoundFile file, @Nullable SeekableByteChannel channel, OptionalInt rank) {
    if (channel == null) {
      read.add(ReadFile.nothing(file, InputKind.ARCHIVE, "a zip file has to be a file"));
      return;
    }
    try {
      channel.position(0);
      archives(reader, rank).zip(file, channel);
    } catch (IOException problem) {
      read.add(ReadFile.nothing(file, InputKind.ARCHIVE, FileReader.reason(problem)));
    }
  }

  private Archives archives(FileReader reader, OptionalInt rank) {
    return new Archives(
        bytes,
        limits.totalBytes(),
        new Archives.Contents() {
          @Override
          public void file(FoundFile file) throws IOException {
            inside(reader, file, rank);
          }

          @Override
          public void refused(String path, String reason) {
            refuse(path, reason);
          }
        });
  }

  /** A file in an archive: one that is packed once more is unpacked, an archive is not. */
  private void inside(FileReader reader, FoundFile file, OptionalInt rank) throws IOException {
    if (isLeftOut(file)) {
      return;
    }
    Sniffed sniffed = reader.sniff(file.content());
    if (sniffed != Sniffed.GZIP) {
      read.add(reader.read(file, sniffed, rank));
    } else {
      CountedInput packed = new CountedInput(reader.rewound(file.content()));
      InputStream unpacked =
          new BoundedInput(
              new GZIPInputStream(packed, COPY_BYTES), packed::count, bytes, limits.totalBytes());
      Sniffed inner = reader.sniff(unpacked);
      read.add(reader.read(file.unpacked(unpacked), inner, rank));
    }
    progress.read(files.incrementAndGet(), bytes.get());
  }

  private boolean isLeftOut(FoundFile file) {
    if (NEVER.contains(file.name()) || file.name().startsWith(".")) {
      return true;
    }
    if (files.get() >= limits.files()) {
      refuse(file.path(), "more than %,d files".formatted(limits.files()));
      return true;
    }
    return false;
  }

  private void refuse(String path, String reason) {
    read.add(
        ReadFile.nothing(
            new FoundFile(path, "", "", InputStream.nullInputStream()), InputKind.UNKNOWN, reason));
  }

  private FileReader take() {
    FileReader reader = readers.poll();
    return reader == null ? new FileReader(shared, limits.dumpBytes()) : reader;
  }

  private static void await(Future<?> task) {
    try {
      task.get();
    } catch (ExecutionException failed) {
      throw new IllegalStateException("a file could not be read", failed.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", interrupted);
    }
  }
}
