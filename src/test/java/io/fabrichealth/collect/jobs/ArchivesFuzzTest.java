package io.fabrichealth.collect.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.compress.utils.SeekableInMemoryByteChannel;

/** Archives of jobs come over the network: none writes, leads out, or unpacks beyond its limit. */
class ArchivesFuzzTest {
  private static final long MOST = 1 << 20;
  private static final int BUFFER = 1 << 13;

  @FuzzTest
  void a_tar_gives_files_within_its_own_tree_or_a_reason(byte[] bytes) {
    AtomicLong unpacked = new AtomicLong();
    Drained drained = new Drained();
    try {
      BoundedInput bounded =
          new BoundedInput(
              new ByteArrayInputStream(bytes), () -> Long.MAX_VALUE, unpacked, bytes.length);
      new Archives(unpacked, MOST, drained).tar(archive().with(bounded));
    } catch (IOException refused) {
      assertThat(FileReader.reason(refused)).isNotBlank();
    }
    assertThat(drained.entries).isLessThanOrEqualTo(bytes.length / 512);
    assertThat(drained.bytes).isLessThanOrEqualTo(bytes.length);
  }

  @FuzzTest
  void a_zip_gives_files_within_its_own_tree_or_a_reason(byte[] bytes) {
    AtomicLong unpacked = new AtomicLong();
    Drained drained = new Drained();
    try (SeekableInMemoryByteChannel channel = new SeekableInMemoryByteChannel(bytes)) {
      new Archives(unpacked, MOST, drained).zip(archive(), channel);
    } catch (IOException refused) {
      assertThat(FileReader.reason(refused)).isNotBlank();
    }
    assertThat(drained.entries).isLessThanOrEqualTo(bytes.length / 46);
    assertThat(drained.bytes).isLessThanOrEqualTo(MOST + BUFFER);
  }

  private static FoundFile archive() {
    return new FoundFile("x.tar", "", "x.tar", new ByteArrayInputStream(new byte[0]));
  }

  /** Reads whatever it is told of to its end. */
  private static final class Drained implements Archives.Contents {
    private int entries;
    private long bytes;

    @Override
    public void file(FoundFile file) {
      entries++;
      assertThat(file.path()).startsWith("x.tar!");
      assertThat(file.name()).doesNotContain("/");
      assertThat(file.directory().split("/")).doesNotContain("..");
      assertThat(file.directory()).doesNotStartWith("/");
      byte[] buffer = new byte[BUFFER];
      try {
        for (int read = file.content().read(buffer);
            read >= 0;
            read = file.content().read(buffer)) {
          bytes += read;
        }
      } catch (IOException damaged) {
        assertThat(FileReader.reason(damaged)).isNotBlank();
      }
    }

    @Override
    public void refused(String path, String reason) {
      entries++;
      assertThat(reason).isNotBlank();
    }
  }
}
