package io.fabrichealth.collect.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fabrichealth.collective.CollectiveFinding;
import io.fabrichealth.collective.Job;
import io.fabrichealth.collective.JobAnalysis;
import io.fabrichealth.collective.JobAnalyzer;
import io.fabrichealth.finding.Cause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** Dumps of real jobs, with planned faults, by several writers. */
class RecordedJobsTest {
  private static final Path DUMPS = Path.of("../shared/fixtures/flight-recorder");

  @TempDir Path directory;

  private static JobAnalysis analyze(Path path) {
    JobInputs inputs =
        new JobFiles(JobLimits.OFFLINE, (files, bytes) -> {}).read(List.of(path)).getFirst();
    return JobAnalyzer.analyze(Job.UNNAMED, inputs.recorders(), inputs.unread(), inputs.logs());
  }

  private static List<Path> cases(Path below) throws IOException {
    try (Stream<Path> all = Files.walk(below)) {
      return all.filter(path -> path.endsWith("truth.json")).map(Path::getParent).sorted().toList();
    }
  }

  @Test
  void every_recorded_job_is_judged_right() throws IOException {
    assumeThat(DUMPS).as("recorded dumps are not here").isDirectory();
    List<String> wrong = new ArrayList<>();
    List<Path> cases = cases(DUMPS);

    for (Path path : cases) {
      List<String> faults =
          Judge.faults(JsonMapper.shared().readTree(path.resolve("truth.json")), analyze(path));
      faults.forEach(fault -> wrong.add(DUMPS.relativize(path) + ": " + fault));
    }

    assertThat(cases).hasSizeGreaterThan(60);
    assertThat(wrong).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"gpu_error_1st, 12, 14", "lock_gil_1st, 9, 14"})
  void the_dumps_alone_name_the_injected_ranks(String name, int first, int second)
      throws IOException {
    assumeThat(DUMPS).as("recorded dumps are not here").isDirectory();
    try (Stream<Path> files = Files.list(DUMPS.resolve(name))) {
      for (Path file :
          files.filter(path -> path.getFileName().toString().startsWith("_dump_")).toList()) {
        Files.copy(file, directory.resolve(file.getFileName()));
      }
    }

    JobAnalysis analysis = analyze(directory);

    JobAnalysis beside = analyze(DUMPS.resolve(name));
    assertThat(analysis.victims()).isEqualTo(beside.victims());
    assertThat(analysis.findings())
        .extracting(CollectiveFinding::summary)
        .isEqualTo(beside.findings().stream().map(CollectiveFinding::summary).toList());
    assertThat(analysis.findings())
        .extracting(CollectiveFinding::cause)
        .containsOnly(Cause.HUNG_RANK);
    assertThat(analysis.findings().stream().flatMap(finding -> finding.ranks().stream()))
        .containsExactly(first, second);
    assertThat(analysis.victims()).hasSize(14);
    assertThat(analysis.unknown()).isEmpty();
  }
}
