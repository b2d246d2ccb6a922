package io.fabrichealth.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.fabrichealth.runtime.SignalCatalogue;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CaptureSchemaTest {
  private static final Path FOLDER = Path.of("../shared/fixtures/capture");

  private final Schema schema;

  CaptureSchemaTest() throws IOException {
    schema =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(
                Files.readString(Path.of("docs/reference/capture.schema.json")), InputFormat.JSON);
  }

  @Test
  void what_is_written_is_as_the_schema_has_it() throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    try (CaptureWriter out =
        CaptureWriter.create(file, SignalCatalogue.load(), Instant.EPOCH, "test/1")) {
      for (var input : CaptureTest.inputs()) {
        out.write(input);
      }
    }

    List<String> lines = file.toString(StandardCharsets.UTF_8).lines().toList();
    assertThat(lines).hasSize(12);
    assertThat(lines).allSatisfy(this::assertValid);
  }

  @ParameterizedTest
  @ValueSource(strings = {"healthy", "flapping-link", "speed-downgrade"})
  void the_records_of_another_writer_are_as_the_schema_has_them(String name) throws IOException {
    Path file = FOLDER.resolve(name + ".ndjson.gz");
    assumeTrue(Files.exists(file), () -> "skipped: " + file + " is not there");
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      List<String> lines = in.lines().toList();
      assertThat(lines.size()).isGreaterThan(5_000);
      lines.forEach(this::assertValid);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"poll\"}",
        "{\"type\":\"pol\",\"at\":\"2026-03-01T00:00:00Z\"}",
        "{\"type\":\"poll\",\"at\":\"2026-03-01T00:00:00Z\"}",
        "{\"type\":\"poll\",\"at\":\"2026-03-01T01:00:00+01:00\",\"device\":\"d\"}",
        "{\"type\":\"poll\",\"at\":\"2026-03-01T00:00:00Z\",\"device\":\"d\","
            + "\"ports\":{\"p\":{\"port.in_octets\":\"1\"}}}",
        "{\"type\":\"poll\",\"at\":\"2026-03-01T00:00:00Z\",\"device\":\"d\","
            + "\"quality\":{\"p\":{\"port.in_octets\":\"FINE\"}}}",
        "{\"type\":\"capture\",\"at\":\"2026-03-01T00:00:00Z\",\"version\":2}",
        "{\"type\":\"topology\",\"at\":\"2026-03-01T00:00:00Z\",\"links\":[{\"b\":null}]}",
        "{\"type\":\"probe\",\"at\":\"2026-03-01T00:00:00Z\",\"sent\":1,\"lost\":0}",
        "{\"type\":\"collective\",\"at\":\"2026-03-01T00:00:00Z\",\"job\":\"j\",\"group\":\"g\","
            + "\"seq\":1,\"op\":\"all_reduce\",\"ranks\":[[0,1.0]]}"
      })
  void what_is_no_record_is_refused(String line) {
    assertThat(schema.validate(line, InputFormat.JSON)).isNotEmpty();
  }

  @Test
  void fields_may_be_added() {
    assertValid(
        "{\"type\":\"event\",\"at\":\"2026-03-01T00:00:00Z\",\"device\":\"d\",\"event\":\"e\","
            + "\"new\":1}");
  }

  private void assertValid(String line) {
    assertThat(schema.validate(line, InputFormat.JSON))
        .as(() -> line.substring(0, Math.min(line.length(), 200)))
        .isEmpty();
  }
}
