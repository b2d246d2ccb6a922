package io.fabrichealth.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
  @TempDir Path directory;

  @Test
  void belongs_to_one_at_a_time() {
    Path data = directory.resolve("a/b");
    try (DataDirectory taken = DataDirectory.open(data)) {
      assertThat(taken.root()).isAbsolute().exists();
      assertThatThrownBy(() -> DataDirectory.open(data))
          .isInstanceOfSatisfying(
              StorageStartException.class,
              e -> {
                assertThat(e)
                    .hasMessageContaining(data.toString())
                    .hasMessageContaining("process " + ProcessHandle.current().pid());
                assertThat(e.action()).contains("fabric-health.data-dir");
              });
    }
    try (DataDirectory again = DataDirectory.open(data)) {
      assertThat(again.root()).exists();
    }
  }

  @Test
  void a_lock_file_without_its_process_locks_nothing() throws IOException {
    Files.writeString(directory.resolve("lock"), "1 and something longer than a process number");

    try (DataDirectory taken = DataDirectory.open(directory)) {
      assertThat(taken.root()).exists();
    }
  }

  @Test
  void a_file_in_its_place_is_said() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));

    assertThatThrownBy(() -> DataDirectory.open(file))
        .isInstanceOf(StorageStartException.class)
        .hasMessageContaining(file + " cannot be used");
  }
}
