package io.fabrichealth.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.test.context.DynamicPropertyRegistry;

/**
 * One PostgreSQL for all tests of this JVM; it ends with it. Each caller gets a database of its
 * own, so that tests do not see each other's rows.
 *
 * <pre>
 * &#64;DynamicPropertySource
 * static void storage(DynamicPropertyRegistry registry) {
 *   EmbeddedPostgresFixture.register(registry);
 * }
 * </pre>
 */
public final class EmbeddedPostgresFixture {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private EmbeddedPostgresFixture() {}

  /** Address, user and nothing else to know of a new, empty database. */
  public static String newDatabase() {
    String name = "test_" + NUMBER.incrementAndGet();
    try (Connection connection = Server.POSTGRES.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return Server.POSTGRES.getJdbcUrl("postgres", name);
  }

  /** Points a Spring test at a new database and at an empty data directory. */
  public static void register(DynamicPropertyRegistry registry) {
    String url = newDatabase();
    Path data = newDataDirectory();
    registry.add("spring.datasource.url", () -> url);
    registry.add("fabric-health.data-dir", data::toString);
  }

  private static Path newDataDirectory() {
    try {
      Path directory = Files.createTempDirectory("fabric-health-data");
      directory.toFile().deleteOnExit();
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Started when the first test asks for it. */
  private static final class Server {
    static final EmbeddedPostgres POSTGRES = start();

    private static EmbeddedPostgres start() {
      try {
        return EmbeddedPostgres.builder().start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
