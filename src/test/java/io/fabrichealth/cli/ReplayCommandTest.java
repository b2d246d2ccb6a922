package io.fabrichealth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.fabrichealth.testing.SmallCapture;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReplayCommandTest {
  private static final Path FIXTURES = Path.of("../shared/fixtures/capture");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder;

  @Test
  void what_is_found_is_printed_as_the_schema_has_it() throws IOException {
    Path file = SmallCapture.write(folder.resolve("c.zst"), SmallCapture.withLinkDown());

    assertThat(run(file.toString())).isEqualTo(1);

    JsonNode answer = answer();
    assertThat(answer.get("incidents").size()).isEqualTo(1);
    JsonNode incident = answer.get("incidents").get(0);
    assertThat(incident.at("/subject/type").stringValue()).isEqualTo("link");
    assertThat(incident.at("/subject/id").stringValue()).isEqualTo(SmallCapture.BAD);
    assertThat(incident.at("/evidence/0/family").stringValue()).isEqualTo("prior");
    assertThat(incident.get("resolvedAt").isNull()).isTrue();
    assertThat(answer.get("links").intValue()).isEqualTo(2);
    assertThat(answer.get("records").longValue()).isEqualTo(361);
    assertThat(answer.get("virtualSeconds").doubleValue()).isEqualTo(1_190);
  }

  @Test
  void the_same_file_gives_the_same_answer() throws IOException {
    Path file = SmallCapture.write(folder.resolve("c"), SmallCapture.withLinkDown());
    run(file.toString());
    String first = out.toString();
    out.getBuffer().setLength(0);

    run(file.toString());

    assertThat(out.toString()).isEqualTo(first);
  }

  @Test
  void nothing_found_is_exit_code_0() throws IOException {
    Path file = SmallCapture.write(folder.resolve("c.gz"), SmallCapture.healthy());

    assertThat(run(file.toString())).isZero();

    assertThat(answer().get("incidents").isEmpty()).isTrue();
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void a_table_is_for_people() throws IOException {
    Path file = SmallCapture.write(folder.resolve("c"), SmallCapture.withLinkDown());

    assertThat(run("--output", "table", file.toString())).isEqualTo(1);

    assertThat(out.toString())
        .containsPattern("LINK_DOWN +0\\.99\\d+ +link " + SmallCapture.BAD)
        .contains("361 records, 2 links");
  }

  @Test
  void a_file_that_is_cut_off_gives_exit_code_2_and_what_was_found_so_far() throws IOException {
    Path file = SmallCapture.write(folder.resolve("c"), SmallCapture.withLinkDown());
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length - 100));

    assertThat(run(file.toString())).isEqualTo(2);

    assertThat(answer().get("incidents").size()).isEqualTo(1);
    assertThat(answer().at("/skipped/brokenOff").stringValue()).contains("line");
    assertThat(err.toString()).contains("is cut off");
  }

  @ParameterizedTest
  @CsvSource({"3, 1", "4, 2"})
  void one_line_in_a_hundred_may_be_unreadable(int lines, int exitCode) throws IOException {
    Path file = SmallCapture.write(folder.resolve("c"), SmallCapture.withLinkDown());
    Files.writeString(file, "{not JSON}\n".repeat(lines), StandardOpenOption.APPEND);

    assertThat(run(file.toString())).isEqualTo(exitCode);

    assertThat(answer().at("/skipped/lines").intValue()).isEqualTo(lines);
    assertThat(err.toString()).contains(lines + " of ", "line 363");
  }

  @Test
  void thresholds_that_are_wrong_are_exit_code_2_and_the_line() throws IOException {
    Path file = SmallCapture.write(folder.resolve("c"), SmallCapture.healthy());
    Path site = Files.writeString(folder.resolve("t.yaml"), "budget: {poll-seconds: 0}\n");

    assertThat(run("--thresholds", site.toString(), file.toString())).isEqualTo(2);

    assertThat(err.toString()).contains("t.yaml:1:24", "allowed: 1 to 300");
  }

  @Test
  void a_comparison_says_what_other_thresholds_would_have_done() throws IOException {
    Path file = SmallCapture.write(folder.resolve("c"), SmallCapture.withLinkDown());
    Path site = Files.writeString(folder.resolve("t.yaml"), "budget: {poll-seconds: 20}\n");

    assertThat(run("--compare", site.toString(), file.toString())).isEqualTo(1);

    JsonNode comparison = answer().get("comparison");
    assertThat(comparison.get("same").intValue()).isEqualTo(1);
    assertThat(comparison.get("gained").isEmpty()).isTrue();
    assertThat(comparison.get("lost").isEmpty()).isTrue();
    assertThat(comparison.get("moved").isEmpty()).isTrue();
  }

  @Test
  void what_is_no_capture_is_exit_code_2() throws IOException {
    assertThat(run(folder.resolve("none").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("no such file");

    Path file = Files.writeString(folder.resolve("c"), "{}\n", StandardCharsets.UTF_8);
    assertThat(run(file.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("is no capture");

    String next = "{\"type\":\"capture\",\"version\":2,\"at\":\"2026-03-01T00:00:00Z\"}\n";
    Files.writeString(file, next);
    assertThat(run(file.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("version 2");
    assertThat(out.toString()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"healthy, 0", "flapping-link, 1"})
  void captures_of_another_writer_are_replayed(String name, int exitCode) throws IOException {
    Path file = FIXTURES.resolve(name + ".ndjson.gz");
    assumeTrue(Files.exists(file), () -> "skipped: " + file + " is not there");

    assertThat(run(file.toString())).isEqualTo(exitCode);

    assertThat(answer().get("links").intValue()).isEqualTo(40);
  }

  private int run(String... args) {
    CommandLine command = new CommandLine(new ReplayCommand());
    return command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(args);
  }

  /** What stands on standard output, which is one document of the contract. */
  private JsonNode answer() throws IOException {
    Schema schema =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(
                Files.readString(Path.of("docs/reference/replay.schema.json")), InputFormat.JSON);
    assertThat(schema.validate(out.toString(), InputFormat.JSON)).isEmpty();
    return JsonMapper.shared().readTree(out.toString());
  }
}
