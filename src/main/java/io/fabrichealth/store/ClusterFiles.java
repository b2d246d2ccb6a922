package io.fabrichealth.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.FileSystemUtils;

/**
 * The files of the embedded PostgreSQL below the data directory.
 *
 * <p>The password's file within the cluster is also the mark of a cluster that was made to the end:
 * it is moved there when everything else stands.
 */
final class ClusterFiles {
  private static final Logger log = LoggerFactory.getLogger(ClusterFiles.class);
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int PASSWORD_BYTES = 24;
  private static final int LOG_LINES = 5;

  /** Written by the library when the binaries are all there. */
  private static final String UNPACKED = ".exists";

  private final Path root;

  ClusterFiles(Path root) {
    this.root = root;
  }

  Path cluster() {
    return root.resolve("postgres");
  }

  Path binaries() {
    return root.resolve("postgres-binaries");
  }

  Path log() {
    return root.resolve("postgres.log");
  }

  boolean isMade() {
    return Files.exists(passwordOfCluster());
  }

  String password() throws IOException {
    return Files.readString(passwordOfCluster()).strip();
  }

  /** A new password in a file that only its owner can read. */
  String newPassword() throws IOException {
    byte[] random = new byte[PASSWORD_BYTES];
    RANDOM.nextBytes(random);
    String password = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    Files.deleteIfExists(newPasswordFile());
    Files.createFile(newPasswordFile(), ownerOnly());
    Files.writeString(newPasswordFile(), password + "\n");
    return password;
  }

  Path newPasswordFile() {
    return root.resolve("postgres.password");
  }

  void markMade() throws IOException {
    Files.move(newPasswordFile(), passwordOfCluster(), StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * A process that ended while it unpacked leaves files that are cut off, which the library would
   * take for whole.
   */
  void removeHalfMadeBinaries() throws IOException {
    if (!Files.isDirectory(binaries())) {
      return;
    }
    try (Stream<Path> versions = Files.list(binaries())) {
      for (Path version : versions.toList()) {
        if (Files.notExists(version.resolve(UNPACKED))) {
          FileSystemUtils.deleteRecursively(version);
        }
      }
    }
  }

  /** Moves a cluster that never ran out of the way; it is not ours to delete. */
  void setAsideHalfMade() throws IOException {
    if (isMade() || !isCluster()) {
      return;
    }
    int number = 1;
    Path aside = root.resolve("postgres.incomplete-" + number);
    while (Files.exists(aside)) {
      number++;
      aside = root.resolve("postgres.incomplete-" + number);
    }
    Files.move(cluster(), aside, StandardCopyOption.ATOMIC_MOVE);
    log.warn(
        "embedded-postgres=incomplete directory={} moved-to={} reason=\"not made to the end\"",
        cluster(),
        aside);
  }

  /**
   * Removes the lock file of a postmaster that is gone where some other program has its process
   * number by now: PostgreSQL would take that one for a postmaster.
   */
  void removeForeignPidFile() throws IOException {
    Path file = cluster().resolve("postmaster.pid");
    if (Files.notExists(file)) {
      return;
    }
    List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    String pid = lines.isEmpty() ? "" : lines.getFirst().strip();
    boolean foreign = !pid.matches("[0-9]{1,9}") || isAlive(Long.parseLong(pid));
    if (foreign) {
      log.info("embedded-postgres=stale-lock file={} pid={}", file, pid);
      Files.delete(file);
    }
  }

  /** The end of the server's log; empty where it wrote none. */
  String lastWords() {
    try {
      List<String> lines = Files.readAllLines(log(), StandardCharsets.ISO_8859_1);
      return String.join(" | ", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
    } catch (IOException e) {
      return "";
    }
  }

  private Path passwordOfCluster() {
    return cluster().resolve("fabric-health.password");
  }

  private boolean isCluster() throws IOException {
    if (!Files.isDirectory(cluster())) {
      return false;
    }
    try (Stream<Path> content = Files.list(cluster())) {
      return content.findAny().isPresent();
    }
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  private static FileAttribute<?>[] ownerOnly() {
    boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    return posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }
}
