package io.fabrichealth.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterFilesTest {
  @TempDir Path root;
  private ClusterFiles files;

  @BeforeEach
  void setUp() {
    files = new ClusterFiles(root);
  }

  @Test
  void a_password_is_only_for_the_owner_and_new_each_time() throws IOException {
    String first = files.newPassword();
    String second = files.newPassword();

    assertThat(first).hasSizeGreaterThanOrEqualTo(32).isNotEqualTo(second);
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(files.newPasswordFile())))
        .isEqualTo("rw-------");
  }

  @Test
  void a_cluster_is_made_when_its_password_is_in_it() throws IOException {
    Files.createDirectories(files.cluster());
    String password = files.newPassword();
    assertThat(files.isMade()).isFalse();

    files.markMade();

    assertThat(files.isMade()).isTrue();
    assertThat(files.password()).isEqualTo(password);
    files.setAsideHalfMade();
    assertThat(files.isMade()).isTrue();
  }

  @Test
  void a_cluster_that_was_not_made_to_the_end_is_moved_and_not_deleted() throws IOException {
    for (int time = 1; time <= 2; time++) {
      Files.createDirectories(files.cluster());
      Files.writeString(files.cluster().resolve("PG_VERSION"), "17\n");

      files.setAsideHalfMade();

      assertThat(files.cluster()).doesNotExist();
      assertThat(root.resolve("postgres.incomplete-" + time + "/PG_VERSION")).hasContent("17\n");
    }
  }

  @Test
  void binaries_that_were_not_unpacked_to_the_end_are_removed() throws IOException {
    Path whole = Files.createDirectories(files.binaries().resolve("PG-1"));
    Path part = Files.createDirectories(files.binaries().resolve("PG-2/bin"));
    Files.createFile(whole.resolve(".exists"));
    Files.writeString(part.resolve("postgres"), "cut off");

    files.removeHalfMadeBinaries();

    assertThat(files.binaries()).isDirectoryNotContaining("glob:**/PG-2");
    assertThat(whole).exists();
  }

  @Test
  void a_lock_file_that_names_a_process_of_somebody_else_is_removed() throws IOException {
    Path lock = Files.createDirectories(files.cluster()).resolve("postmaster.pid");
    for (String pid :
        new String[] {"" + ProcessHandle.current().pid(), "", "nonsense\n1\n", "-1"}) {
      Files.writeString(lock, pid);

      files.removeForeignPidFile();

      assertThat(lock).as("with '%s'", pid).doesNotExist();
    }
  }

  @Test
  void a_lock_file_of_a_process_that_is_gone_is_left_to_postgresql() throws IOException {
    Path lock = Files.createDirectories(files.cluster()).resolve("postmaster.pid");
    // Above the largest process number of Linux.
    Files.writeString(lock, "999999999\n");

    files.removeForeignPidFile();

    assertThat(lock).exists();
  }
}
