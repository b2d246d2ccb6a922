package io.fabrichealth.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.testing.FakeIngest;
import io.fabrichealth.testing.Http;
import io.fabrichealth.testing.WebSlice;
import io.fabrichealth.topology.Role;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

@SpringBootTest(
    classes = WebSlice.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = "management.server.port=0")
class PushIT {
  private static final String READINGS = "/api/v1/readings";
  private static final String JSON = "application/json";
  private static final String POLL =
      """
      {"type":"poll","at":"2026-03-01T12:00:00Z","device":"%s",
       "ports":{"swp1":{"port.in_octets":18446744073709551615,"port.speed_bits_per_second":4e11}}}
      """;

  @LocalServerPort private int port;
  @Autowired private FakeIngest ingest;
  private Http http;

  @BeforeEach
  void connect() {
    http = new Http(port);
    ingest.clear();
  }

  @Test
  void a_poll_is_taken_in_with_its_device_and_ports() {
    Http.Answer answer = post(READINGS + "?role=LEAF", POLL.formatted("leaf77"));

    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    assertThat(answer.json().get("polls").asInt()).isOne();
    assertThat(answer.json().get("readings").asInt()).isEqualTo(2);
    assertThat(answer.json().get("refusedCount").asInt()).isZero();
    CollectOutcome outcome = ingest.outcomes().getFirst();
    assertThat(outcome.batch().collector()).isEqualTo("push");
    assertThat(outcome.batch().raw(0)).isEqualTo(-1L);
    assertThat(outcome.sighting().role()).isEqualTo(Role.LEAF);
    assertThat(outcome.sighting().ports())
        .singleElement()
        .satisfies(seen -> assertThat(seen.name()).isEqualTo("swp1"))
        .satisfies(seen -> assertThat(seen.speedBitsPerSecond()).isEqualTo(400_000_000_000L));
  }

  @Test
  void a_device_that_is_known_keeps_its_role() {
    post(READINGS, POLL.formatted("leaf2"));
    post(READINGS, POLL.formatted("unheard-of"));

    assertThat(ingest.outcomes())
        .extracting(outcome -> outcome.sighting().role())
        .containsExactly(Role.LEAF, Role.HOST);
  }

  @Test
  void of_a_list_each_device_has_one_poll_in_an_outcome() {
    Http.Answer answer =
        post(
            READINGS,
            "[%s,%s,%s]".formatted(POLL.formatted("a"), POLL.formatted("b"), POLL.formatted("a")));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(ingest.outcomes())
        .extracting(
            outcome -> outcome.batches().stream().map(PollBatch::device).toList().toString())
        .containsExactly("[a, b]", "[a]");
  }

  @Test
  void what_cannot_be_used_is_named_and_loses_nothing_else() {
    Http.Answer answer =
        post(
            READINGS,
            """
            [{"at":"2026-03-01T12:00:00Z","device":"a",
              "ports":{"swp1":{"port.in_octet":1,"port.in_octets":7,"port.out_octets":-1}}},
             {"device":"b"},
             7,
             {"at":"2026-02-01T12:00:00Z","device":"c","ports":{"swp1":{"port.in_octets":7}}},
             {"at":"2026-03-01T12:00:00Z","device":"d","complete":false}]
            """);

    assertThat(answer.status()).isEqualTo(207);
    JsonNode body = answer.json();
    assertThat(body.get("polls").asInt()).isEqualTo(2);
    assertThat(body.get("refusedCount").asInt()).isEqualTo(5);
    assertThat(body.get("refused").findValuesAsString("pointer"))
        .containsExactly(
            "/0/ports/swp1/port.in_octet", "/0/ports/swp1/port.out_octets", "/1/at", "/2", "/3/at");
    assertThat(body.at("/refused/0/detail").asString()).isEqualTo("is no signal");
    assertThat(ingest.outcomes().getFirst().batches())
        .extracting(PollBatch::device)
        .containsExactly("a", "d");
  }

  @Test
  void where_nothing_can_be_used_the_problem_says_why() {
    JsonNode problem =
        problem(
            post(
                READINGS,
                """
                {"at":"2026-03-01T12:00:00Z","device":"a","ports":{"swp1":{"no.signal":1}}}
                """),
            422,
            "unusable-readings");

    assertThat(problem.get("errors").findValuesAsString("parameter"))
        .containsExactly("/ports/swp1/no.signal", "/ports");
    assertThat(ingest.outcomes()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[",
        "[{}",
        "{\"at\":1} {}",
        "nil",
        "{\"device\":\"a\",\"device\":\"b\"}",
        "\u0000"
      })
  void a_body_that_is_no_json_is_a_problem(String body) {
    int status = post(READINGS, body).status();

    assertThat(status).isBetween(400, 422);
    assertThat(ingest.outcomes()).isEmpty();
  }

  @Test
  void a_body_that_is_too_large_or_too_deep_is_a_problem() {
    problem(post(READINGS, "[" + "1,".repeat(5 << 20)), 413, "too-large");
    problem(post(READINGS, "[".repeat(100_000)), 413, "too-large");
    problem(post(READINGS, "{\"device\":\"" + "x".repeat(1 << 20) + "\"}"), 413, "too-large");
  }

  @Test
  void where_there_is_no_room_the_sender_is_to_come_again() {
    ingest.full(true);

    Http.Answer answer = post(READINGS, POLL.formatted("a"));

    problem(answer, 503, "busy");
    assertThat(answer.header("Retry-After")).isEqualTo("2");
  }

  @ParameterizedTest
  @CsvSource({
    "/api/v1/readings, text/plain, 415",
    "/api/v1/write, application/json, 415",
    "/v1/metrics, text/plain, 415",
    "/api/v1/readings?role=ROUTER, application/json, 400"
  })
  void what_is_not_served_is_a_problem(String path, String type, int status) {
    Http.Answer answer = http.post(path, new byte[] {'{', '}'}, "Content-Type", type);

    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
  }

  @Test
  void remote_write_answers_no_content_and_a_bad_body_is_a_problem() {
    Http.Answer empty =
        http.post(
            "/api/v1/write",
            new byte[] {0},
            "Content-Type",
            "application/x-protobuf",
            "Content-Encoding",
            "snappy");
    assertThat(empty.status()).as(empty.text()).isEqualTo(204);
    assertThat(empty.text()).isEmpty();

    problem(
        http.post(
            "/api/v1/write",
            "nonsense".getBytes(UTF_8),
            "Content-Type",
            "application/x-protobuf",
            "Content-Encoding",
            "snappy"),
        400,
        "bad-request");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/metrics", "/api/v1/otlp/v1/metrics"})
  void otlp_answers_in_its_own_form(String path) {
    Http.Answer answer = post(path, "{\"resourceMetrics\":[]}");
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    assertThat(answer.text()).isEqualTo("{}");

    Http.Answer broken = post(path, "{\"resourceMetrics\":7}");
    assertThat(broken.status()).isEqualTo(400);
    assertThat(broken.json().get("message").asString())
        .contains("resourceMetrics: expected a list");

    Http.Answer protobuf =
        http.post(path, new byte[] {(byte) 0xFF}, "Content-Type", "application/x-protobuf");
    assertThat(protobuf.status()).isEqualTo(400);
    assertThat(protobuf.header("Content-Type")).isEqualTo("application/x-protobuf");
  }

  private Http.Answer post(String path, String body) {
    return http.post(path, body.getBytes(UTF_8), "Content-Type", JSON);
  }

  private static JsonNode problem(Http.Answer answer, int status, String code) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(answer.json().get("code").asString()).isEqualTo(code);
    return answer.json();
  }
}
