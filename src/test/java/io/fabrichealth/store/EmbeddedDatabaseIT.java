package io.fabrichealth.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabrichealth.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedDatabaseIT {
  @TempDir Path root;

  @AfterEach
  void tearDown() {
    LeftoverProcesses.stop(new ClusterFiles(root).cluster());
  }

  @Test
  void keeps_its_data_over_an_end_a_kill_and_an_orphan() throws Exception {
    Path cluster = new ClusterFiles(root).cluster();
    String password;
    try (var directory = DataDirectory.open(root);
        var first = EmbeddedDatabase.start(directory)) {
      password = first.password();
      update(first, "CREATE TABLE kept (life integer)");
      update(first, "INSERT INTO kept VALUES (1)");
      assertThat(query(first, "SHOW fsync")).isEqualTo("on");
      assertThat(query(first, "SHOW synchronous_commit")).isEqualTo("on");
      assertThat(query(first, "SHOW unix_socket_directories")).isEmpty();
    }
    assertThat(LeftoverProcesses.of(cluster)).isEmpty();

    // Whoever started it is killed, and it still runs.
    try (ChildJvm owner = ChildJvm.run(Owner.class, root.toString())) {
      owner.awaitLine("ready");
      owner.kill();
    }
    List<ProcessHandle> orphans = LeftoverProcesses.of(cluster);
    assertThat(orphans).hasSize(1);
    try (var directory = DataDirectory.open(root);
        var second = EmbeddedDatabase.start(directory)) {
      assertThat(orphans.getFirst().isAlive()).isFalse();
      assertThat(second.password()).isEqualTo(password);
      update(second, "INSERT INTO kept VALUES (3)");
      // The server itself is killed: its lock file stays, its log has to be replayed.
      ProcessHandle server = LeftoverProcesses.of(cluster).getFirst();
      server.destroyForcibly();
      server.onExit().join();
    }
    try (var directory = DataDirectory.open(root);
        var third = EmbeddedDatabase.start(directory)) {
      assertThat(query(third, "SELECT string_agg(life::text, ',' ORDER BY life) FROM kept"))
          .isEqualTo("1,2,3");
    }
  }

  @Test
  void lets_in_nobody_without_the_password() {
    try (var directory = DataDirectory.open(root);
        var database = EmbeddedDatabase.start(directory)) {
      assertThatThrownBy(() -> DriverManager.getConnection(database.jdbcUrl(), "postgres", "guess"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("password authentication failed");
    }
  }

  @Test
  void begins_anew_where_a_cluster_was_not_made_to_the_end() throws Exception {
    Files.createDirectories(root.resolve("postgres/base"));
    Files.writeString(root.resolve("postgres/postgresql.conf"), "# cut o");

    try (var directory = DataDirectory.open(root);
        var database = EmbeddedDatabase.start(directory)) {
      assertThat(query(database, "SELECT 1")).isEqualTo("1");
    }
    assertThat(root.resolve("postgres.incomplete-1/postgresql.conf")).hasContent("# cut o");
  }

  @Test
  void a_cluster_that_postgresql_refuses_is_said_with_its_own_words() throws IOException {
    try (var directory = DataDirectory.open(root)) {
      EmbeddedDatabase.start(directory).close();
      Files.writeString(root.resolve("postgres/PG_VERSION"), "9.6\n");

      assertThatThrownBy(() -> EmbeddedDatabase.start(directory))
          .isInstanceOf(StorageStartException.class)
          .hasMessageContaining(root.resolve("postgres") + " does not start")
          .hasMessageContaining("9.6");
    }
  }

  private static void update(EmbeddedDatabase database, String sql) throws SQLException {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  private static String query(EmbeddedDatabase database, String sql) throws SQLException {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }

  private static Connection connect(EmbeddedDatabase database) throws SQLException {
    return DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
  }

  /** A process that starts the database, writes a row and waits to be killed. */
  static final class Owner {
    private Owner() {}

    public static void main(String[] arguments) throws SQLException {
      EmbeddedDatabase database = EmbeddedDatabase.start(DataDirectory.open(Path.of(arguments[0])));
      update(database, "INSERT INTO kept VALUES (2)");
      System.out.println("ready");
      LockSupport.park();
    }
  }
}
