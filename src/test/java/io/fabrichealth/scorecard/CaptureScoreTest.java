package io.fabrichealth.scorecard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabrichealth.runtime.Replay;
import io.fabrichealth.runtime.ThresholdCatalogue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Captures of another writer, scored against the truth beside them. */
class CaptureScoreTest {
  private static final Path FOLDER = Path.of("../shared/fixtures/capture");

  @ParameterizedTest
  @ValueSource(strings = {"healthy", "flapping-link", "speed-downgrade"})
  void what_is_wrong_is_found_first_and_nothing_else_is(String name) throws Exception {
    Path capture = FOLDER.resolve(name + ".ndjson.gz");
    assumeTrue(Files.exists(capture), () -> "skipped: " + capture + " is not there");
    ScoredRun run =
        new ScoredRun(Replay.engine(ThresholdCatalogue.load()), new Calibration(), List.of());

    RunScore score = run.recorded(capture).score();

    assertThat(score.faults())
        .allSatisfy(fault -> assertThat(fault.rank()).as("%s", fault).isOne())
        .allSatisfy(fault -> assertThat(fault.causeRight()).as("%s", fault).isTrue());
    assertThat(score.wrong()).isEmpty();
    assertThat(score.echoes()).isEmpty();
    assertThat(score.auditFailures()).isZero();
  }
}
