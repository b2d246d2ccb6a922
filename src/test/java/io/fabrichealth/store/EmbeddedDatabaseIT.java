package io.fabrichealth.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.testing.StorageContext;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedDatabaseIT {
  @TempDir Path data;

  @Test
  void keeps_what_was_stored_from_start_to_start() {
    try (var context = StorageContext.start(data, null)) {
      assertThat(StorageContext.incidents(context).unresolved()).isEmpty();
    }
    try (var context = StorageContext.start(data, null)) {
      assertThat(StorageContext.incidents(context).unresolved()).isEmpty();
    }
  }
}
