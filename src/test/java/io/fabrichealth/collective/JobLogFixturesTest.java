package io.fabrichealth.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fabrichealth.collective.log.Text;
import io.fabrichealth.finding.Cause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Logs of real jobs in which rank 2 did something. */
class JobLogFixturesTest {
  private static final Path LOGS = Path.of("../shared/fixtures/job-logs");

  @ParameterizedTest
  @CsvSource({
    "barrier, HUNG_RANK",
    "killed, RANK_FAILED",
    "mismatch-detail, COLLECTIVE_MISMATCH",
    "raises, RANK_FAILED",
    "sleeps, HUNG_RANK"
  })
  void the_rank_at_fault_is_named_and_no_other(String name, Cause cause) throws IOException {
    assumeThat(LOGS).as("recorded logs are not here").isDirectory();
    byte[] bytes = Files.readAllBytes(LOGS.resolve(name).resolve("job.log"));

    JobAnalysis analysis = LogAnalysis.of(Job.UNNAMED, List.of(Text.job(bytes, 1000)));

    assertThat(analysis.findings()).extracting(CollectiveFinding::cause).containsExactly(cause);
    assertThat(analysis.findings().getFirst().ranks()).containsExactly(2);
    assertThat(analysis.victims()).containsExactly(0, 1, 3);
  }
}
