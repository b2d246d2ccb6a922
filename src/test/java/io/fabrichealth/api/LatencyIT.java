package io.fabrichealth.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.latency.ProbeSample;
import io.fabrichealth.latency.ProbeSample.Endpoint;
import io.fabrichealth.latency.ProbeSample.RoundTrip;
import io.fabrichealth.testing.FakeIngest;
import io.fabrichealth.testing.FakeLatencyDesk;
import io.fabrichealth.testing.Http;
import io.fabrichealth.testing.Http.Answer;
import io.fabrichealth.testing.WebSlice;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

@SpringBootTest(
    classes = WebSlice.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = "management.server.port=0")
class LatencyIT {
  private static final String SAMPLES = "/api/v1/latency/samples";
  private static final String JSON = "application/json";
  private static final String GOOD =
      """
      {"at": "2026-03-01T11:59:30Z", "src": {"device": "gpu-001", "port": "mlx5_0/1"},
       "dst": {"device": "gpu-002"}, "tool": "fping", "sourcePort": 49152, "new": [1],
       "path": ["a--b"], "sent": 100, "lost": 3, "rttMicros": {"min": 7.1, "median": 7.9}}
      """;

  @LocalServerPort private int port;
  @Autowired private FakeIngest ingest;
  @Autowired private FakeLatencyDesk desk;
  private Http http;

  @BeforeEach
  void connect() {
    http = new Http(port);
    ingest.clear();
  }

  @AfterEach
  void end() {
    ingest.clear();
    desk.busy(false);
  }

  private List<EngineInput> taken() {
    return ingest.outcomes().stream().flatMap(outcome -> outcome.records().stream()).toList();
  }

  @Test
  void a_sample_is_taken_with_its_own_time() {
    Answer answer = http.sendBody("POST", SAMPLES, JSON, GOOD);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().get("samples").asInt()).isEqualTo(1);
    EngineInput.Probe probe = (EngineInput.Probe) taken().getFirst();
    assertThat(probe.at()).isEqualTo("2026-03-01T11:59:30Z");
    ProbeSample sample = probe.sample();
    assertThat(sample.src()).isEqualTo(new Endpoint("gpu-001", "mlx5_0/1"));
    assertThat(sample.dst().port()).isNull();
    assertThat(sample.lost()).isEqualTo(3);
    assertThat(sample.path()).containsExactly("a--b");
    assertThat(sample.rtt().p99()).isNaN();
  }

  @Test
  void one_that_cannot_be_used_costs_no_other() {
    String lossy = GOOD.replace("\"lost\": 3", "\"lost\": 300");
    String old = GOOD.replace("11:59:30", "10:59:30");

    Answer answer =
        http.sendBody("POST", SAMPLES, JSON, "[" + lossy + "," + GOOD + ",7," + old + "]");

    assertThat(answer.status()).isEqualTo(207);
    assertThat(answer.json().get("samples").asInt()).isEqualTo(1);
    assertThat(answer.json().get("refused"))
        .extracting(each -> each.get("pointer").asString())
        .containsExactly("/0", "/2", "/3/at");
    assertThat(taken()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | 422 | unusable-readings",
        "[{\"src\": 1}] | 422 | unusable-readings",
        "{\"src\": | 400 | bad-request",
        "[] | 200 | "
      })
  void what_holds_no_sample_is_refused(String body, int status, String code) {
    Answer answer = http.sendBody("POST", SAMPLES, JSON, body);

    assertThat(answer.status()).isEqualTo(status);
    if (code != null) {
      assertThat(answer.json().get("code").asString()).isEqualTo(code);
    }
    assertThat(taken()).isEmpty();
  }

  @Test
  void a_sender_comes_again_where_there_is_no_room() {
    ingest.full(true);

    assertThat(http.sendBody("POST", SAMPLES, JSON, GOOD).status()).isEqualTo(503);
  }

  @Test
  void the_matrix_has_gaps_where_nothing_was_probed() {
    for (int window = 4; window >= 0; window--) {
      desk.pairs()
          .add(
              WebSlice.AT.minus(Duration.ofMinutes(5L * window)),
              new ProbeSample(
                  new Endpoint("gpu-001", "mlx5_0/1"),
                  new Endpoint("gpu-002", "mlx5_0/1"),
                  "test",
                  1,
                  64,
                  List.of(),
                  100,
                  1,
                  new RoundTrip(7 + window, 9, 12, 15)));
    }

    Answer answer = http.get("/api/v1/latency/matrix?level=HOST");
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    JsonNode matrix = answer.json();

    assertThat(matrix.get("names"))
        .extracting(JsonNode::asString)
        .containsExactly("gpu-001", "gpu-002");
    assertThat(matrix.at("/recentMicros/0/1").asDouble()).isEqualTo(7);
    assertThat(matrix.at("/lossRatio/0/1").asDouble()).isEqualTo(.01);
    assertThat(matrix.at("/recentMicros/1/0").isNull()).isTrue();
    assertThat(matrix.at("/lossRatio/1/0").isNull()).isTrue();
    assertThat(matrix.at("/recentMicros/0/0").isNull()).isTrue();
  }

  @Test
  void what_a_tool_printed_becomes_samples() {
    String url = "/api/v1/latency/import?format=FPING&src=gpu-001&srcPort=mlx5_0%2F1";

    Answer answer =
        http.sendBody("POST", url, "text/plain", "gpu-002 : 0.05 0.06 -\ngpu-003 : - - -\n");

    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    assertThat(answer.json().get("samples").asInt()).isEqualTo(2);
    EngineInput.Probe probe = (EngineInput.Probe) taken().getFirst();
    assertThat(probe.at()).isEqualTo(WebSlice.AT.plusSeconds(3));
    assertThat(probe.sample().src()).isEqualTo(new Endpoint("gpu-001", "mlx5_0/1"));
    assertThat(probe.sample().rtt().min()).isEqualTo(50);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "format=FPING | gpu-002 : 0.05 | 400",
        "src=gpu-001 | gpu-002 : 0.05 | 400",
        "format=SMOKE&src=a | gpu-002 : 0.05 | 400",
        "format=OSU&src=a | nothing of it | 422"
      })
  void output_of_nobody_or_of_no_tool_is_refused(String query, String body, int status) {
    Answer answer = http.sendBody("POST", "/api/v1/latency/import?" + query, "text/plain", body);

    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    assertThat(answer.json().get("errors")).as(answer.text()).isNotEmpty();
    assertThat(taken()).isEmpty();
  }

  @Test
  void a_level_that_is_none_is_refused_and_a_busy_engine_said() {
    Answer refused = http.get("/api/v1/latency/matrix?level=CITY");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.json().at("/errors/0/allowed").toString()).contains("RACK");
    desk.busy(true);
    assertThat(http.get("/api/v1/latency/matrix").status()).isEqualTo(503);
  }
}
