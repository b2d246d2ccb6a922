package io.fabrichealth.simulate.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.fabrichealth.capture.CaptureReader;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.SignalDictionary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SimulatedCaptureTest {
  private static final SignalDictionary DICTIONARY = SignalCatalogue.load();

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"4", "11", "18", "20"})
  void what_is_written_is_as_the_schema_has_it(int faultClass) throws IOException {
    Path file = folder.resolve("run.ndjson");
    Truth truth = write(faultClass, file);
    Schema schema =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(
                Files.readString(Path.of("docs/reference/capture.schema.json")), InputFormat.JSON);

    List<String> lines = Files.readAllLines(file);
    assertThat(lines).hasSize((int) truth.records());
    assertThat(lines).allSatisfy(l -> assertThat(schema.validate(l, InputFormat.JSON)).isEmpty());
  }

  @Test
  void a_capture_is_read_as_it_was_written() throws Exception {
    Path file = folder.resolve("run.ndjson.zst");
    Truth truth = write(4, file);

    try (CaptureReader reader = CaptureReader.open(file, DICTIONARY)) {
      while (reader.next() != null) {
        // Counted by the reader.
      }
      assertThat(reader.summary().lines()).isEqualTo(truth.records());
      assertThat(reader.summary().unusable()).isZero();
      assertThat(reader.summary().refusedValues()).isZero();
    }
  }

  @Test
  void the_truth_stands_beside_it_in_the_names_of_the_contract() throws IOException {
    Path file = folder.resolve("run.ndjson.gz");
    Truth truth = write(5, file);

    JsonNode json =
        JsonMapper.shared().readTree(folder.resolve("run.ndjson.gz.truth.json").toFile());
    assertThat(json.propertyNames())
        .contains(
            "seed",
            "class",
            "className",
            "hard",
            "flavour",
            "links",
            "seconds",
            "pollSeconds",
            "records",
            "faults",
            "confounders");
    JsonNode fault = json.path("faults").get(0);
    assertThat(fault.path("cause").stringValue()).isEqualTo("OPTICS_CONTAMINATION");
    assertThat(fault.path("onset").stringValue())
        .isEqualTo(truth.faults().getFirst().onset().toString());
    assertThat(fault.path("end").isNull()).isTrue();
    assertThat(fault.path("parameters").path("lanes").isArray()).isTrue();
  }

  @Test
  void faults_of_a_truth_file_can_be_staged_again() throws IOException {
    Path file = folder.resolve("run.ndjson");
    Truth truth = write(5, file);

    List<Scenario.Wanted> wanted =
        WantedFaults.read(SimulatedCapture.truthOf(file), Scenario.START);

    Truth.Fault fault = truth.faults().getFirst();
    assertThat(wanted)
        .containsExactly(
            new Scenario.Wanted(
                5,
                Severity.MEDIUM,
                fault.subject().id(),
                Duration.between(Scenario.START, fault.onset())));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "[{}]; faults[0].class: expected the number of a class",
        "[{\"class\":2},{\"class\":2,\"severity\":\"huge\"}]; "
            + "faults[1].severity: 'huge' is none of low, medium, high",
        "[{\"class\":2,\"onset\":\"noon\"}]; faults[0].onset: 'noon' is no time",
        "[{\"class\":2,\"onset\":\"2020-01-01T00:00:00Z\"}]; is before the start of the run",
        "{}; expected a list of faults",
        "[{; no JSON"
      })
  void what_is_no_list_of_faults_is_named(String content, String problem) throws IOException {
    Path file = Files.writeString(folder.resolve("faults.json"), content);

    assertThatThrownBy(() -> WantedFaults.read(file, Scenario.START))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(problem);
  }

  @Test
  void a_place_that_is_not_in_the_fabric_is_named() {
    Scenario scenario =
        Scenario.of("F1-part", 0, Severity.LOW, 1)
            .with(List.of(new Scenario.Wanted(2, Severity.LOW, "leaf99:Ethernet1/1", null)));

    assertThatThrownBy(() -> Simulation.of(scenario, DICTIONARY))
        .hasMessage("a fault of class 2 cannot be at 'leaf99:Ethernet1/1' in fabric F1-part");
  }

  private static Truth write(int faultClass, Path file) throws IOException {
    Scenario scenario =
        Scenario.of("F1-part", faultClass, Severity.MEDIUM, 3)
            .with(Duration.ofMinutes(10), Duration.ofSeconds(60));
    return SimulatedCapture.write(
        Simulation.of(scenario, DICTIONARY), DICTIONARY, file, "simulate/1", (records, at) -> {});
  }
}
