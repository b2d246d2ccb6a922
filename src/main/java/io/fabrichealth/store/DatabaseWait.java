package io.fabrichealth.store;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/**
 * Waits at start until the database answers. A service that is started together with its database
 * must not fail because it was the faster one.
 */
final class DatabaseWait {
  private static final Logger log = LoggerFactory.getLogger(DatabaseWait.class);
  private static final Pattern SECRET = Pattern.compile("(?i)([?&;][a-z]*password=)[^&;]*");
  private static final int OLDEST_MAJOR = 15;
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final String TIMEOUT_SECONDS = "10";

  private final JdbcConnectionDetails details;

  DatabaseWait(JdbcConnectionDetails details) {
    this.details = details;
  }

  /**
   * Returns when the database answers.
   *
   * @throws StorageStartException where it is too old, or where the process is told to end
   */
  void untilReachable() {
    // The context cannot be closed while it starts: end the wait so that the process can end.
    Thread waiting = Thread.currentThread();
    Thread interrupt = new Thread(waiting::interrupt, "database-wait-end");
    Runtime.getRuntime().addShutdownHook(interrupt);
    try {
      Duration pause = FIRST_PAUSE;
      while (!answers(pause)) {
        Thread.sleep(pause);
        Duration next = pause.multipliedBy(2);
        pause = next.compareTo(LONGEST_PAUSE) < 0 ? next : LONGEST_PAUSE;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StorageStartException(
          "Ended while waiting for PostgreSQL at " + url(), "Start again.", e);
    } finally {
      removeHook(interrupt);
    }
  }

  /** The address without secrets. */
  String url() {
    return SECRET.matcher(details.getJdbcUrl()).replaceAll("$1***");
  }

  private boolean answers(Duration pause) {
    Properties properties = new Properties();
    put(properties, "user", details.getUsername());
    put(properties, "password", details.getPassword());
    properties.setProperty("loginTimeout", TIMEOUT_SECONDS);
    try (Connection connection = DriverManager.getConnection(details.getJdbcUrl(), properties)) {
      int major = connection.getMetaData().getDatabaseMajorVersion();
      if (major < OLDEST_MAJOR) {
        throw new StorageStartException(
            "PostgreSQL at " + url() + " has version " + major + ".",
            "Use PostgreSQL " + OLDEST_MAJOR + " or newer.");
      }
      return true;
    } catch (SQLException e) {
      log.warn(
          "database=unreachable url={} user={} reason=\"{}\" check=\"does PostgreSQL run there, can"
              + " this host reach it, are database, user and password right\" retry-in={}s",
          url(),
          details.getUsername(),
          oneLine(e),
          pause.toSeconds());
      return false;
    }
  }

  private static void put(Properties properties, String key, @Nullable String value) {
    if (value != null) {
      properties.setProperty(key, value);
    }
  }

  private static String oneLine(SQLException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("").replace('"', '\'');
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      log.debug("database-wait=ended reason=shutdown");
    }
  }
}
