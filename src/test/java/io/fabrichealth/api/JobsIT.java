package io.fabrichealth.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fabrichealth.collect.torchdebug.LiveReport;
import io.fabrichealth.collective.JobAnalysis;
import io.fabrichealth.collective.UnknownRank;
import io.fabrichealth.runtime.LiveJobs;
import io.fabrichealth.testing.FakeJobIntake;
import io.fabrichealth.testing.FakeJobStore;
import io.fabrichealth.testing.GeneratedDumps;
import io.fabrichealth.testing.Http;
import io.fabrichealth.testing.Http.Answer;
import io.fabrichealth.testing.WebSlice;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@SpringBootTest(
    classes = WebSlice.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {"management.server.port=0", "fabric-health.jobs.max-upload=3MB"})
class JobsIT {
  private static final String JOBS = "/api/v1/jobs";
  private static final String JSON = "application/json";
  private static final String BYTES = "application/octet-stream";
  private static final Path DUMPS = Path.of("../shared/fixtures/flight-recorder");
  private static final int HUNG = 5;
  private static final GeneratedDumps JOB = new GeneratedDumps(16, 60, HUNG);
  private static final String ROSTER =
      """
      {"job": "train-7", "at": "2026-03-01T00:00:00Z", "ended": false,
       "ranks": [{"rank": 0, "host": "gpu-001", "gpu": 0, "port": "mlx5_0/1"},
                 {"rank": 5, "host": "gpu-002", "gpu": 1}],
       "groups": [{"name": "dp0", "ranks": [0, 5]}]}
      """;

  @LocalServerPort private int port;
  @Autowired private FakeJobStore store;
  @Autowired private FakeJobIntake intake;
  @Autowired private LiveJobs live;
  private Http http;

  @BeforeEach
  void connect() {
    http = new Http(port);
    store.clear();
    intake.clear();
  }

  // --- rosters

  @Test
  void a_roster_is_stored_told_to_the_engine_and_answered() {
    Answer first = http.sendBody("PUT", JOBS + "/train-7", JSON, ROSTER);
    Answer second = http.sendBody("PUT", JOBS + "/train-7", JSON, ROSTER);

    assertThat(first.status()).isEqualTo(201);
    assertThat(first.header("Location")).endsWith("/api/v1/jobs/train-7");
    assertThat(second.status()).isEqualTo(200);
    assertThat(intake.jobs()).hasSize(2);
    assertThat(intake.jobs().getFirst().name()).isEqualTo("train-7");
    JsonNode job = http.get(JOBS + "/train-7").json();
    assertThat(job.at("/ranks/0/port").asString()).isEqualTo("mlx5_0/1");
    assertThat(job.at("/ranks/1/port").isNull()).isTrue();
    assertThat(job.at("/groups/0/ranks/1").asInt()).isEqualTo(5);
    assertThat(job.get("lastAnalysis").isNull()).isTrue();
    assertThat(job.get("ended").asBoolean()).isFalse();
  }

  @Test
  void a_hostlist_is_a_roster_too() {
    Answer answer =
        http.sendBody("PUT", JOBS + "/a%2Fb?ranksPerHost=2", "text/plain", "gpu-[001-003]");

    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.json().get("ranks")).hasSize(6);
    assertThat(answer.json().at("/ranks/5/host").asString()).isEqualTo("gpu-003");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"job\": \"train-7\"} | ranks",
        "{\"ranks\": [{\"host\": \"a\"}]} | ranks[0].rank",
        "{\"ranks\": [{\"rank\": 0, \"host\": \"a\"}, {\"rank\": 1}]} | ranks[1].host",
        "{\"job\": \"other\", \"ranks\": [{\"rank\": 0, \"host\": \"a\"}]} | job",
        "{\"ranks\": [{\"rank\": 0, \"host\": \"a\"}], \"groups\": [{}]} | groups[0]"
      })
  void a_roster_that_lacks_something_is_refused_with_the_field(String roster, String field) {
    Answer answer = http.sendBody("PUT", JOBS + "/train-7", JSON, roster);

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.json().get("code").asString()).isEqualTo("unusable-roster");
    assertThat(answer.json().at("/errors/0/parameter").asString()).isEqualTo(field);
    assertThat(intake.jobs()).isEmpty();
    assertThat(http.get(JOBS + "/train-7").status()).isEqualTo(404);
  }

  // --- uploads

  @Test
  void dumps_are_analysed_and_the_analysis_is_there_to_get() throws IOException {
    Answer answer = upload("flight-recorder", dumps(16));

    assertThat(answer.status()).as(answer.text()).isEqualTo(201);
    JsonNode analysis = answer.json();
    assertThat(analysis.at("/findings/0/ranks").toString()).isEqualTo("[" + HUNG + "]");
    assertThat(analysis.at("/findings/0/subject/id").asString()).isEqualTo("train-7/" + HUNG);
    assertThat(analysis.get("inputs")).hasSize(16);
    assertThat(analysis.get("at").asString()).isEqualTo("2026-03-01T12:00:03Z");
    String location = answer.header("Location");
    assertThat(location).endsWith("/analyses/" + analysis.get("id").asString());
    assertThat(http.get(location.substring(location.indexOf(JOBS))).json()).isEqualTo(analysis);
    JsonNode listed = http.get(JOBS).json();
    assertThat(listed.at("/items/0/job").asString()).isEqualTo("train-7");
    assertThat(listed.at("/items/0/lastAnalysis")).isEqualTo(analysis.get("id"));
  }

  @Test
  void what_comes_later_joins_what_came_before() {
    for (int rank = 0; rank < 16; rank++) {
      Answer answer =
          http.post(
              JOBS + "/by-rank/flight-recorder?rank=" + rank,
              JOB.dump(rank),
              "Content-Type",
              BYTES);
      assertThat(answer.status()).isEqualTo(201);
      assertThat(answer.json().get("inputs")).hasSize(rank + 1);
    }
    Answer log =
        http.post(
            JOBS + "/by-rank/log?name=host1/job.log",
            "iteration 12 of 500\n".getBytes(UTF_8),
            "Content-Type",
            "text/plain");

    assertThat(log.json().get("inputs")).hasSize(17);
    assertThat(log.json().at("/findings/0/ranks").toString()).isEqualTo("[" + HUNG + "]");
    Answer again =
        http.post(JOBS + "/by-rank/flight-recorder?rank=3", JOB.dump(3), "Content-Type", BYTES);
    assertThat(again.json().get("inputs")).hasSize(17);
    Answer fresh =
        http.post(
            JOBS + "/by-rank/flight-recorder?rank=3&fresh=true",
            JOB.dump(3),
            "Content-Type",
            BYTES);
    assertThat(fresh.json().get("inputs")).hasSize(1);
  }

  @Test
  void what_is_found_is_told_to_the_engine() {
    for (int rank = 0; rank < 16; rank++) {
      if (rank != HUNG) {
        http.post(
            JOBS + "/told/flight-recorder?rank=" + rank, JOB.dump(rank), "Content-Type", BYTES);
      }
    }

    assertThat(intake.findings().get("told"))
        .singleElement()
        .satisfies(finding -> assertThat(finding.ranks()).containsExactly(HUNG));
  }

  @Test
  void what_a_running_job_said_last_is_answered_and_of_others_nothing() {
    live.take(
        new LiveReport(
            "running/7",
            Instant.parse("2026-03-01T00:00:00Z"),
            4,
            3,
            100,
            2,
            1,
            new JobAnalysis(List.of(), List.of(1), List.of(new UnknownRank(3, "no answer")))));

    JsonNode job = http.get(JOBS + "/running%2F7/live").json();

    assertThat(job.get("answered").asInt()).isEqualTo(3);
    assertThat(job.get("ranks").asInt()).isEqualTo(4);
    assertThat(job.at("/victims/0").asInt()).isEqualTo(1);
    assertThat(job.at("/unknown/0/reason").asString()).isEqualTo("no answer");
    assertThat(http.get(JOBS + "/other/live").status()).isEqualTo(404);
  }

  @Test
  void what_came_before_another_roster_is_not_judged_with_what_comes_after() {
    String roster = JOBS + "/moved?ranksPerHost=2";
    String dumps = JOBS + "/moved/flight-recorder?rank=";
    http.sendBody("PUT", roster, "text/plain", "gpu-[001-008]");
    http.post(dumps + 0, JOB.dump(0), "Content-Type", BYTES);

    http.sendBody("PUT", roster, "text/plain", "gpu-[001-008]");
    Answer same = http.post(dumps + 1, JOB.dump(1), "Content-Type", BYTES);
    http.sendBody("PUT", roster, "text/plain", "gpu-[009-016]");
    Answer other = http.post(dumps + 2, JOB.dump(2), "Content-Type", BYTES);

    assertThat(same.json().get("inputs")).hasSize(2);
    assertThat(other.json().get("inputs")).hasSize(1);
  }

  @Test
  void archives_are_read_and_hosts_come_from_the_roster() throws IOException {
    http.sendBody("PUT", JOBS + "/train-7", JSON, ROSTER);
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(packed)) {
      for (int rank = 0; rank < 16; rank++) {
        zip.putNextEntry(new ZipEntry("dumps/trace_rank_" + rank));
        zip.write(JOB.dump(rank));
      }
    }

    Answer answer =
        http.post(
            JOBS + "/train-7/flight-recorder?fresh=true",
            packed.toByteArray(),
            "Content-Type",
            "application/zip");

    assertThat(answer.status()).as(answer.text()).isEqualTo(201);
    assertThat(answer.json().at("/findings/0/hosts").toString()).isEqualTo("[\"gpu-002\"]");
  }

  @Test
  void damaged_dumps_stand_in_the_inputs_where_others_can_be_read() throws IOException {
    Map<String, byte[]> files = dumps(15);
    files.put("trace_rank_15", new byte[] {(byte) 0x80, 2, 'c', 'o', 's', '\n', 'x', '\n'});

    JsonNode analysis = upload("flight-recorder", files).json();

    assertThat(analysis.get("unknown").toString()).contains("\"rank\":15");
    assertThat(
            analysis
                .get("inputs")
                .valueStream()
                .filter(input -> input.get("path").asString().equals("trace_rank_15")))
        .singleElement()
        .satisfies(input -> assertThat(input.get("reason").asString()).contains("byte"));
  }

  @Test
  void an_upload_of_which_nothing_can_be_read_is_refused_with_file_and_reason() {
    byte[] cutOff = Arrays.copyOf(new byte[] {(byte) 0x80, 2, 'c', 'o', 's', '\n', 'x', '\n'}, 8);

    Answer answer =
        http.post(JOBS + "/broken/flight-recorder?rank=4", cutOff, "Content-Type", BYTES);
    Answer unnamed =
        http.post(JOBS + "/broken/flight-recorder", JOB.dump(1), "Content-Type", BYTES);

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.json().get("code").asString()).isEqualTo("unusable-upload");
    assertThat(answer.json().at("/errors/0/parameter").asString()).isEqualTo("dump_rank_4");
    assertThat(answer.json().at("/errors/0/detail").asString()).contains("byte");
    assertThat(unnamed.status()).isEqualTo(422);
    assertThat(unnamed.json().at("/errors/0/detail").asString()).contains("rank");
    assertThat(http.get(JOBS + "/broken").status()).isEqualTo(404);
  }

  @Test
  void an_upload_over_the_limit_is_refused_by_413() throws IOException {
    byte[] large = new byte[3_300_000];

    Answer raw = http.post(JOBS + "/large/log", large, "Content-Type", "text/plain");
    Answer parts = upload("log", Map.of("job.log", large));

    for (Answer answer : List.of(raw, parts)) {
      assertThat(answer.status()).isEqualTo(413);
      assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
      assertThat(answer.json().get("code").asString()).isEqualTo("too-large");
    }
  }

  @Test
  void other_media_types_are_refused_by_415() {
    assertThat(http.sendBody("PUT", JOBS + "/train-7", "text/csv", "a").status()).isEqualTo(415);
    assertThat(http.sendBody("POST", JOBS + "/train-7/log", "image/png", "a").status())
        .isEqualTo(415);
    assertThat(
            http.post(
                    JOBS + "/train-7/log",
                    "a".getBytes(UTF_8),
                    "Content-Type",
                    "text/plain",
                    "Content-Encoding",
                    "gzip")
                .status())
        .isEqualTo(415);
  }

  @Test
  void names_lead_nowhere_and_secrets_are_not_kept() throws IOException {
    String secret = "hunter2-Zm9v";
    String log =
        "[rank0]: export HF_TOKEN=" + secret + "\nWATCHDOG password=" + secret + "\nstep 1\n";

    Answer answer = upload("log", Map.of("../../../etc/passwd", log.getBytes(UTF_8)));

    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.json().at("/inputs/0/path").asString()).isEqualTo("etc/passwd");
    assertThat(answer.text()).doesNotContain(secret);
    assertThat(store.job("train-7").toString()).doesNotContain(secret);
  }

  // --- what is known

  @Test
  void collectives_are_listed_by_group_and_operation_in_pages() throws IOException {
    upload("flight-recorder", dumps(16));

    JsonNode first = http.get(JOBS + "/train-7/collectives?limit=2").json();
    JsonNode rest =
        http.get(
                JOBS
                    + "/train-7/collectives?limit=1000&cursor="
                    + first.get("nextCursor").asString())
            .json();
    JsonNode sends = http.get(JOBS + "/train-7/collectives?operation=send").json();

    assertThat(first.get("items")).hasSize(2);
    assertThat(rest.get("items")).isNotEmpty();
    assertThat(rest.get("nextCursor").isNull()).isTrue();
    assertThat(sends.get("items")).isNotEmpty();
    for (JsonNode one : sends.get("items")) {
      assertThat(one.get("operation").asString()).isEqualTo("send");
      assertThat(one.get("entries").asInt()).isPositive();
      assertThat(one.get("lastSequence").asLong())
          .isGreaterThanOrEqualTo(one.get("leastSequence").asLong());
    }
  }

  @Test
  void what_there_is_not_is_404() {
    for (String path :
        List.of(
            "/none",
            "/none/collectives",
            "/none/analyses/x",
            "/none/analyses/5f3c8e0e-0000-4000-8000-000000000000")) {
      Answer answer = http.get(JOBS + path);
      assertThat(answer.status()).as(path).isEqualTo(404);
      assertThat(answer.json().get("code").asString()).isEqualTo("unknown-id");
    }
  }

  // --- recorded jobs

  @ParameterizedTest
  @CsvSource({"gpu_error_1st, '[12,14]'", "lock_gil_1st, '[9,14]'"})
  void dumps_of_a_real_training_name_exactly_the_injected_ranks(String name, String ranks)
      throws IOException {
    assumeThat(DUMPS).as("recorded dumps are not here").isDirectory();
    Map<String, byte[]> files = new LinkedHashMap<>();
    try (Stream<Path> all = Files.list(DUMPS.resolve(name))) {
      for (Path file :
          all.filter(one -> one.getFileName().toString().startsWith("_dump_")).toList()) {
        files.put(file.getFileName().toString(), Files.readAllBytes(file));
      }
    }

    Answer answer = upload("flight-recorder", files);

    assertThat(answer.status()).as(answer.text()).isEqualTo(201);
    List<Integer> culprits =
        answer
            .json()
            .get("findings")
            .valueStream()
            .flatMap(finding -> finding.get("ranks").valueStream())
            .map(JsonNode::asInt)
            .sorted()
            .toList();
    assertThat(JsonMapper.shared().writeValueAsString(culprits)).isEqualTo(ranks);
    assertThat(answer.json().get("victims")).hasSize(14);
  }

  private static Map<String, byte[]> dumps(int ranks) {
    Map<String, byte[]> files = new LinkedHashMap<>();
    for (int rank = 0; rank < ranks; rank++) {
      files.put("trace_rank_" + rank, JOB.dump(rank));
    }
    return files;
  }

  private Answer upload(String what, Map<String, byte[]> files) throws IOException {
    ByteArrayOutputStream form = new ByteArrayOutputStream();
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      form.write(
          ("--b0undary\r\nContent-Disposition: form-data; name=\"file\"; filename=\""
                  + file.getKey()
                  + "\"\r\nContent-Type: application/octet-stream\r\n\r\n")
              .getBytes(UTF_8));
      form.write(file.getValue());
      form.write("\r\n".getBytes(UTF_8));
    }
    form.write("--b0undary--\r\n".getBytes(UTF_8));
    return http.post(
        JOBS + "/train-7/" + what + "?fresh=true",
        form.toByteArray(),
        "Content-Type",
        "multipart/form-data; boundary=b0undary");
  }
}
