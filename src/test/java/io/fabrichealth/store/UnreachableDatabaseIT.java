package io.fabrichealth.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.testing.ChildJvm;
import io.fabrichealth.testing.RestartablePostgres;
import io.fabrichealth.testing.StorageContext;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnreachableDatabaseIT {
  @TempDir Path directory;

  @Test
  void the_start_says_what_is_wrong_without_the_password_and_goes_on_when_it_is_there() {
    Path data = directory.resolve("data");
    try (var postgres = new RestartablePostgres(directory.resolve("cluster"));
        var process =
            ChildJvm.run(Start.class, data.toString(), postgres.url() + "&password=hidden")) {
      String line = process.awaitLine("database=unreachable");

      assertThat(line)
          .contains(postgres.url() + "&password=***")
          .contains("refused")
          .contains("does PostgreSQL run there")
          .contains("retry-in=1s");
      postgres.start();
      process.awaitLine("ready");
      process.kill();
      assertThat(process.outputToEnd()).noneMatch(one -> one.contains("hidden"));
    }
  }

  @Test
  void the_process_can_be_ended_while_it_waits() throws Exception {
    try (var postgres = new RestartablePostgres(directory.resolve("cluster"));
        var process =
            ChildJvm.run(Start.class, directory.resolve("data").toString(), postgres.url())) {
      process.awaitLine("database=unreachable");

      process.terminate();

      assertThat(process.awaitEnd(Duration.ofSeconds(30))).isNotZero();
    }
  }

  /** A process that starts storage on the database of its arguments. */
  static final class Start {
    private Start() {}

    public static void main(String[] arguments) {
      StorageContext.start(Path.of(arguments[0]), arguments[1]);
      System.out.println("ready");
    }
  }
}
