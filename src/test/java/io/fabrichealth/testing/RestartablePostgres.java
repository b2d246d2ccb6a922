package io.fabrichealth.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL of the test's own that can go away and come back at the same address. */
public final class RestartablePostgres implements AutoCloseable {
  private final Path cluster;
  private final int port;
  private @Nullable EmbeddedPostgres running;

  public RestartablePostgres(Path cluster) {
    this.cluster = cluster;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String url() {
    return "jdbc:postgresql://localhost:" + port + "/postgres?user=postgres";
  }

  public void start() {
    try {
      running =
          EmbeddedPostgres.builder()
              .setDataDirectory(cluster)
              .setCleanDataDirectory(false)
              .setPort(port)
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public void stop() {
    EmbeddedPostgres stopping = running;
    running = null;
    if (stopping != null) {
      try {
        stopping.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void close() {
    stop();
  }
}
