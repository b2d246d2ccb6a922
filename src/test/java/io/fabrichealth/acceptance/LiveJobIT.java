package io.fabrichealth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabrichealth.collect.torchdebug.FakeJob;
import io.fabrichealth.collect.torchdebug.RealJob;
import io.fabrichealth.testing.ServiceProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A running job that the service asks: what is wrong with it is found over the API. */
class LiveJobIT {
  private static final int WORLD = 4;
  private static final long START = 1_790_000_000L;
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String JOB = "/api/v1/jobs/llm/live";

  @TempDir private Path directory;

  @BeforeEach
  void require() {
    assumeTrue(ServiceProcess.isPackaged(), "skipped: target/fabric-health.jar is not packaged");
  }

  private ServiceProcess service(IntFunction<URI> url) throws IOException {
    StringBuilder workers = new StringBuilder();
    for (int rank = 0; rank < WORLD; rank++) {
      workers.append("            - {rank: %d, url: \"%s\"}\n".formatted(rank, url.apply(rank)));
    }
    Path config = Files.createDirectories(directory.resolve("config"));
    Files.writeString(
        config.resolve("fabric-health.yaml"),
        """
        fabric-health:
          collect:
            torch-debug:
              interval: 3s
              jobs:
                - name: llm
                  backends: [gloo]
                  workers:
        """
            + workers.toString().indent(8));
    return ServiceProcess.start(List.of(), "127.0.0.1", directory);
  }

  private static boolean isFound(JsonNode job, String cause) {
    return job.path("findings").path(0).path("cause").asString("").equals(cause);
  }

  @Test
  void a_hung_rank_is_named_over_the_api_with_its_stack_and_opens_an_incident() throws Exception {
    try (FakeJob job = new FakeJob()) {
      job.dumps = rank -> FakeJob.loop(WORLD, 1, rank == 2 ? 59 : 60, START);
      try (ServiceProcess service = service(job::url)) {
        JsonNode said = service.await(JOB, SOON, answer -> isFound(answer, "HUNG_RANK"));

        assertThat(said.at("/findings/0/ranks")).extracting(JsonNode::asInt).containsExactly(2);
        assertThat(said.get("victims")).extracting(JsonNode::asInt).containsExactly(0, 1, 3);
        assertThat(said.at("/findings/0/evidence").toString()).contains("/job/data.py");
        JsonNode incidents =
            service.await(
                "/api/v1/incidents",
                SOON,
                answer -> answer.get("items").toString().contains("llm/2"));
        assertThat(incidents.get("items"))
            .singleElement()
            .satisfies(
                incident -> {
                  assertThat(incident.get("cause").asString()).isEqualTo("HUNG_RANK");
                  assertThat(incident.at("/subject/id").asString()).isEqualTo("llm/2");
                  assertThat(incident.get("evidence").toString()).contains("/job/data.py");
                });
      }
    }
  }

  @Test
  void a_hung_rank_of_a_real_job_is_named_over_the_api() throws Exception {
    String missing = RealJob.missing();
    assumeTrue(missing.isEmpty(), () -> "skipped: " + missing);
    try (RealJob job =
            RealJob.start(
                directory,
                WORLD,
                "hung-rank:ranks=1,step=6",
                "--hang-after",
                "60",
                "--limit",
                "120");
        ServiceProcess service = service(job::url)) {
      JsonNode said = service.await(JOB, SOON, answer -> isFound(answer, "HUNG_RANK"));

      assertThat(said.at("/findings/0/ranks")).extracting(JsonNode::asInt).containsExactly(1);
      assertThat(said.at("/findings/0/summary").asString()).containsPattern("\\.py:\\d+");
    }
  }

  @Test
  void a_straggler_of_a_real_job_is_named_over_the_api() throws Exception {
    String missing = RealJob.missing();
    assumeTrue(missing.isEmpty(), () -> "skipped: " + missing);
    try (RealJob job =
            RealJob.start(
                directory, WORLD, "straggler:ranks=2,step=2", "--steps", "400", "--limit", "120");
        ServiceProcess service = service(job::url)) {
      JsonNode said = service.await(JOB, SOON, answer -> isFound(answer, "COMPUTE_STRAGGLER"));

      assertThat(said.at("/findings/0/ranks")).extracting(JsonNode::asInt).containsExactly(2);
    }
  }
}
