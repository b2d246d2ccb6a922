package io.fabrichealth.collect.jobs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.apache.commons.compress.utils.InputStreamStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Opens the files of an archive, one after the other. Nothing is ever written: a path that leads
 * out of the archive, and a link, are refused because nobody honest packs them with dumps.
 */
final class Archives {
  private final AtomicLong total;
  private final long most;
  private final Contents contents;

  /** Told of each file, and of each that is refused. */
  interface Contents {
    void file(FoundFile file);

    void refused(String path, String reason);
  }

  Archives(AtomicLong total, long most, Contents contents) {
    this.total = total;
    this.most = most;
    this.contents = contents;
  }

  void tar(FoundFile archive) throws IOException {
    try (TarArchiveInputStream tar = new TarArchiveInputStream(archive.content())) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        if (entry.isDirectory()) {
          continue;
        }
        boolean isPlain = entry.isFile() && !entry.isSymbolicLink() && !entry.isLink();
        String problem = problem(entry.getName(), isPlain);
        if (problem != null || entry.isSparse()) {
          contents.refused(
              inside(archive, entry.getName()), problem == null ? "a sparse file" : problem);
        } else {
          contents.file(file(archive, entry.getName(), tar));
        }
      }
    } catch (IllegalArgumentException damaged) {
      throw new IOException("the archive is damaged: " + damaged.getMessage(), damaged);
    }
  }

  void zip(FoundFile archive, SeekableByteChannel channel) throws IOException {
    try (ZipFile zip = ZipFile.builder().setSeekableByteChannel(channel).get()) {
      Enumeration<ZipArchiveEntry> entries = zip.getEntriesInPhysicalOrder();
      while (entries.hasMoreElements()) {
        ZipArchiveEntry entry = entries.nextElement();
        if (entry.isDirectory()) {
          continue;
        }
        String problem = problem(entry.getName(), !entry.isUnixSymlink());
        if (problem == null && !zip.canReadEntryData(entry)) {
          problem = "encrypted, or packed in a way that is not read";
        }
        if (problem != null) {
          contents.refused(inside(archive, entry.getName()), problem);
          continue;
        }
        try (InputStream packed = zip.getInputStream(entry)) {
          InputStream content =
              packed instanceof InputStreamStatistics statistics
                  ? new BoundedInput(packed, statistics::getCompressedCount, total, most)
                  : new BoundedInput(packed, entry::getCompressedSize, total, most);
          contents.file(file(archive, entry.getName(), content));
        }
      }
    } catch (IllegalArgumentException damaged) {
      throw new IOException("the archive is damaged: " + damaged.getMessage(), damaged);
    }
  }

  private static @Nullable String problem(String name, boolean isPlain) {
    if (!isPlain) {
      return "a link or device in an archive is not read";
    }
    if (name.startsWith("/") || name.startsWith("\\") || name.matches("(?s)[A-Za-z]:.*")) {
      return "its path leads out of the archive";
    }
    for (String part : name.split("[/\\\\]", -1)) {
      if (part.equals("..")) {
        return "its path leads out of the archive";
      }
    }
    return null;
  }

  private static FoundFile file(FoundFile archive, String name, InputStream content) {
    int slash = name.lastIndexOf('/');
    String directory =
        Arrays.stream(name.substring(0, Math.max(slash, 0)).split("/"))
            .filter(part -> !part.isEmpty() && !part.equals("."))
            .collect(Collectors.joining("/"));
    String parent = archive.directory();
    return new FoundFile(
        inside(archive, name),
        directory.isEmpty() ? parent : parent.isEmpty() ? directory : parent + "/" + directory,
        name.substring(slash + 1),
        content);
  }

  private static String inside(FoundFile archive, String name) {
    return archive.path() + "!" + name;
  }
}
