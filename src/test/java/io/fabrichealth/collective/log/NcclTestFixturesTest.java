package io.fabrichealth.collective.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables of an older version, as they were captured. */
class NcclTestFixturesTest {
  private static final Path LOGS = Path.of("../shared/fixtures/nccl-tests");

  @ParameterizedTest
  @CsvSource({
    "nccl_allgather.log, all_gather, 223.39, 230.07, 58.2651",
    "nccl_allreduce.log, all_reduce, 235.26, 235.03, 68.4048",
    "nccl_alltoall.log, alltoall, 224.31, 226.16, 58.6481"
  })
  void the_table_is_that_of_the_file(
      String file, String operation, double outOfPlace, double inPlace, double average)
      throws IOException {
    assumeThat(LOGS).as("captured tables are not here").isDirectory();
    byte[] bytes = Files.readAllBytes(LOGS.resolve(file));
    JobLogReader reader = new JobLogReader(file, -1);
    reader.accept(bytes, 0, bytes.length);
    NcclTest test = reader.finish().tests().getFirst();

    assertThat(test.operation()).isEqualTo(operation);
    assertThat(test.ranks()).isEqualTo(8);
    assertThat(test.devices()).allMatch(device -> device.model().equals("A100-SXM4-40GB"));
    long lines =
        new String(bytes, StandardCharsets.UTF_8)
            .lines()
            .filter(line -> line.matches(" +\\d+ +\\d+ +float.*"))
            .count();
    assertThat(test.rows()).hasSize((int) lines);
    assertThat(test.rows().getLast().size()).isEqualTo(8_589_934_592L);
    assertThat(test.rows().getLast().outOfPlace()).isNotNull();
    assertThat(test.rows().getLast().outOfPlace().busBandwidth()).isEqualTo(outOfPlace);
    assertThat(test.rows().getLast().outOfPlace().wrong()).isEqualTo(-1);
    assertThat(test.rows().getLast().inPlace().busBandwidth()).isEqualTo(inPlace);
    assertThat(test.averageBusBandwidth()).isEqualTo(average);
    double factor = NcclTest.factor(operation, test.ranks());
    assertThat(test.rows().getLast().outOfPlace().algorithmBandwidth() * factor)
        .isCloseTo(outOfPlace, offset(.01 * outOfPlace));
  }
}
