package io.fabrichealth.collect.jobs;

import io.fabrichealth.collect.prometheus.GunzipInputStream;
import io.fabrichealth.collective.recorder.RecorderValues;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;

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
    return JobSplit.jobs(readAll(paths, Path::toString));
  }

  /** Reads all below a directory as of one job; paths are those below it. For one call. */
  List<ReadFile> readBelow(Path directory) {
    return readAll(List.of(directory), file -> directory.relativize(file).toString());
  }

  /** Reads files below a directory as {@link #readBelow} does. For one call. */
  List<ReadFile> readThese(Path directory, List<Path> files) {
    return readAll(
        open ->
            files.forEach(
                file -> open.file(directory, file, directory.relativize(file).toString())));
  }

  private List<ReadFile> readAll(List<Path> paths, Function<Path, String> shown) {
    return readAll(
        open ->
            paths.forEach(path -> find(path, file -> open.file(path, file, shown.apply(file)))));
  }

  /** Takes a file to read. */
  private interface Open {
    void file(Path root, Path file, String shown);
  }

  private List<ReadFile> readAll(Consumer<Open> finder) {
    List<Future<?>> tasks = new ArrayList<>();
    try (ExecutorService pool =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
      finder.accept((root, file, shown) -> tasks.add(pool.submit(() -> open(root, file, shown))));
      for (Future<?> task : tasks) {
        await(task);
      }
    }
    return List.copyOf(read);
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
    // one that was found may have become a link since then
    Set<OpenOption> how =
        root.equals(path)
            ? Set.of(StandardOpenOption.READ)
            : Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    try (SeekableByteChannel channel = Files.newByteChannel(path, how);
        InputStream content = new ChannelInput(channel)) {
      take(
          file.with(new BoundedInput(content, () -> Long.MAX_VALUE, bytes, limits.totalBytes())),
          channel);
    } catch (IOException problem) {
      read.add(ReadFile.nothing(file, InputKind.UNKNOWN, FileReader.reason(problem)));
    }
  }

  /** Reads an opened file, and unpacks it if it is an archive. */
  private void take(FoundFile file, SeekableByteChannel channel) throws IOException {
    FileReader reader = take();
    try {
      Sniffed sniffed = reader.sniff(file.content());
      switch (sniffed) {
        case ZIP, GZIP, TAR -> {
          try {
            unpack(reader, sniffed, file, channel);
          } catch (IOException problem) {
            read.add(ReadFile.nothing(file, InputKind.ARCHIVE, FileReader.reason(problem)));
          }
        }
        default -> read.add(reader.read(file, sniffed));
      }
    } finally {
      readers.add(reader);
      progress.read(files.incrementAndGet(), bytes.get());
    }
  }

  private void unpack(
      FileReader reader, Sniffed sniffed, FoundFile file, SeekableByteChannel channel)
      throws IOException {
    if (sniffed == Sniffed.ZIP) {
      channel.position(0);
      archives(reader).zip(file, channel);
    } else if (sniffed == Sniffed.TAR) {
      archives(reader).tar(file.with(reader.rewound(file.content())));
    } else {
      try (InputStream content = gunzip(reader.rewound(file.content()))) {
        FoundFile unpacked = file.unpacked(content);
        Sniffed inner = reader.sniff(content);
        if (inner == Sniffed.TAR) {
          archives(reader).tar(unpacked.with(reader.rewound(content)));
        } else {
          read.add(reader.read(unpacked, inner));
        }
      }
    }
  }

  private InputStream gunzip(InputStream content) throws IOException {
    CountedInput packed =
        new CountedInput(content) {
          @Override
          public void close() {
            // what is packed may be a part of an archive that is read on
          }
        };
    return new BoundedInput(
        new GunzipInputStream(packed, COPY_BYTES), packed::count, bytes, limits.totalBytes());
  }

  private Archives archives(FileReader reader) {
    return new Archives(
        bytes,
        limits.totalBytes(),
        new Archives.Contents() {
          @Override
          public void file(FoundFile file) {
            inside(reader, file);
          }

          @Override
          public void refused(String path, String reason) {
            refuse(path, reason);
          }
        });
  }

  /**
   * A file in an archive: one that is packed once more is unpacked, an archive is not. One that is
   * damaged costs no other; where it is the archive that is, its next file says so.
   */
  private void inside(FileReader reader, FoundFile file) {
    if (isLeftOut(file)) {
      return;
    }
    try {
      Sniffed sniffed = reader.sniff(file.content());
      if (sniffed == Sniffed.GZIP) {
        try (InputStream content = gunzip(reader.rewound(file.content()))) {
          read.add(reader.read(file.unpacked(content), reader.sniff(content)));
        }
      } else {
        read.add(reader.read(file, sniffed));
      }
    } catch (IOException problem) {
      read.add(ReadFile.nothing(file, InputKind.UNKNOWN, FileReader.reason(problem)));
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
