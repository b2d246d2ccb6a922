package io.fabrichealth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.fabrichealth.testing.GeneratedDumps;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class AnalyzeCommandTest {
  private static final Path FIXTURES = Path.of("../shared/fixtures/flight-recorder");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"16, 5", "16, 0", "32, 31", "64, 63", "64, 17", "256, 131", "256, 40"})
  void the_rank_that_hangs_in_a_generated_job_is_named_and_no_other(int ranks, int hung)
      throws IOException {
    new GeneratedDumps(ranks, 200, hung).writeTo(folder);

    assertThat(run(folder.toString())).isEqualTo(1);

    JsonNode answer = answer();
    assertThat(answer.get("findings").size()).isEqualTo(1);
    JsonNode finding = answer.get("findings").get(0);
    assertThat(finding.get("cause").stringValue()).isEqualTo("HUNG_RANK");
    assertThat(integers(finding.get("ranks"))).containsExactly(hung);
    assertThat(finding.at("/subject/id").stringValue()).isEqualTo("-/" + hung);
    assertThat(integers(answer.get("victims"))).doesNotContain(hung).isNotEmpty();
    assertThat(answer.get("unknown").isEmpty()).isTrue();
    assertThat(answer.get("inputs").size()).isEqualTo(ranks);
  }

  @Test
  void hosts_come_from_the_roster() throws IOException {
    new GeneratedDumps(16, 60, 9).writeTo(folder.resolve("dumps"));
    Path roster =
        Files.writeString(folder.resolve("hosts"), "gpu-[001-002]\n", StandardCharsets.UTF_8);

    assertThat(
            run(
                "--job",
                roster.toString(),
                "--ranks-per-host",
                "8",
                folder.resolve("dumps").toString()))
        .isEqualTo(1);

    assertThat(answer().at("/findings/0/hosts/0").stringValue()).isEqualTo("gpu-002");
  }

  @Test
  void several_jobs_are_told_apart_by_their_directories() throws IOException {
    new GeneratedDumps(16, 60, 9).writeTo(folder.resolve("one"));
    new GeneratedDumps(16, 60, 3).writeTo(folder.resolve("two"));

    assertThat(run(folder.toString())).isEqualTo(1);

    JsonNode answer = answer();
    assertThat(answer.get("jobs").intValue()).isEqualTo(2);
    assertThat(answer.at("/findings/0/subject/id").stringValue()).isEqualTo("one/9");
    assertThat(answer.at("/findings/1/subject/id").stringValue()).isEqualTo("two/3");
    assertThat(answer.at("/findings/1/job").stringValue()).isEqualTo("two");
  }

  @Test
  void a_dump_that_is_lost_is_said_and_the_rest_is_judged() throws IOException {
    new GeneratedDumps(16, 60, 9).writeTo(folder);
    Files.delete(folder.resolve("comm_lib_trace_rank_2"));
    Files.writeString(
        folder.resolve("comm_lib_trace_rank_3"), "\u0080\u0002", StandardCharsets.ISO_8859_1);

    run(folder.toString());

    JsonNode answer = answer();
    assertThat(integers(answer.at("/findings/0/ranks"))).contains(9);
    List<Integer> unknown = new ArrayList<>();
    answer.get("unknown").forEach(row -> unknown.add(row.get("rank").intValue()));
    assertThat(unknown).contains(2, 3);
  }

  @Test
  void nothing_that_can_be_read_is_exit_code_2() throws IOException {
    assertThat(run(folder.resolve("nowhere").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("no dump or log could be read");
    assertThat(answer().at("/inputs/0/reason").stringValue()).isEqualTo("there is no such file");

    assertThat(run("--job", folder.resolve("none").toString(), folder.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("none cannot be read");
  }

  @Test
  void a_table_is_for_people() throws IOException {
    new GeneratedDumps(16, 60, 9).writeTo(folder);

    assertThat(run("--output", "table", folder.toString())).isEqualTo(1);

    assertThat(out.toString())
        .contains("CAUSE", "HUNG_RANK", "rank -/9", "Only waited", "16 of 16 files read");
  }

  @ParameterizedTest
  @CsvSource({"gpu_error_1st, 12, 14", "lock_gil_1st, 9, 14"})
  void both_culprits_of_a_megatron_run_are_named_without_its_truth(String name, int one, int other)
      throws IOException {
    Path run = FIXTURES.resolve(name);
    assumeTrue(Files.isDirectory(run), () -> "skipped: " + run + " is not there");
    for (int rank = 0; rank < 16; rank++) {
      Files.copy(run.resolve("_dump_" + rank), folder.resolve("_dump_" + rank));
    }

    assertThat(run(folder.toString())).isEqualTo(1);
    String without = out.toString().replace(folder.toString(), "-");
    List<Integer> named = new ArrayList<>();
    answer().get("findings").forEach(finding -> named.addAll(integers(finding.get("ranks"))));
    assertThat(named).containsExactlyInAnyOrder(one, other);

    out.getBuffer().setLength(0);
    run(run.toString());
    assertThat(out.toString().replace(run.toString(), "-")).isEqualTo(without);
  }

  private static List<Integer> integers(JsonNode array) {
    List<Integer> values = new ArrayList<>();
    array.forEach(value -> values.add(value.intValue()));
    return values;
  }

  private int run(String... args) {
    CommandLine command = new CommandLine(new AnalyzeCommand());
    return command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(args);
  }

  private JsonNode answer() throws IOException {
    Schema schema =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(
                Files.readString(Path.of("docs/reference/analyze.schema.json")), InputFormat.JSON);
    assertThat(schema.validate(out.toString(), InputFormat.JSON)).isEmpty();
    return JsonMapper.shared().readTree(out.toString());
  }
}
