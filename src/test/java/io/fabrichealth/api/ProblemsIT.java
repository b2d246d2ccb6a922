package io.fabrichealth.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.testing.Http;
import io.fabrichealth.testing.WebSlice;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

@SpringBootTest(
    classes = WebSlice.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = "management.server.port=0")
class ProblemsIT {
  private static final String LINKS = "/api/v1/links";

  @LocalServerPort private int port;
  private Http http;

  @BeforeEach
  void connect() {
    http = new Http(port);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          state=degraded                    | state          | degraded | must be one of HEALTHY
          state=DEGRADED,NOPE               | state          | NOPE     | must be one of HEALTHY
          state=DEGRADED&state=NOPE         | state          | NOPE     | must be one of HEALTHY
          cause=DUST                        | cause          | DUST     | must be one of PHY_LANE
          tier=LEAF_SPINE                   | tier           | LEAF_SPINE | must be one of host-leaf
          tier=host-leaf&tier=x             | tier           | x        | must be one of host-leaf
          sort=-size                        | sort           | -size    | must be one of id, -id
          rail=one                          | rail           | one      | must be a whole number
          limit=0                           | limit          | 0        | must be 1 to 1000
          limit=1001                        | limit          | 1001     | must be 1 to 1000
          limit=ten                         | limit          | ten      | must be a whole number
          limit=99999999999                 | limit          | 99999999999 | must be a whole number
          minProbability=1.5                | minProbability | 1.5      | must be 0 to 1
          minProbability=NaN                | minProbability | NaN      | must be 0 to 1
          minProbability=high               | minProbability | high     | must be a number
          limit=5&limit=6                   | limit          | 5,6      | may be given once
          """)
  void a_bad_value_is_named_with_what_is_allowed(
      String query, String parameter, String value, String detail) {
    JsonNode problem = problem(http.get(LINKS + "?" + query), 400, "invalid-parameter");

    assertThat(problem.get("errors")).hasSize(1);
    JsonNode error = problem.at("/errors/0");
    assertThat(error.get("parameter").asString()).isEqualTo(parameter);
    assertThat(error.get("value").asString()).isEqualTo(value);
    assertThat(error.get("detail").asString()).startsWith(detail);
  }

  @Test
  void all_bad_parameters_are_named_at_once() {
    JsonNode problem =
        problem(http.get(LINKS + "?state=a&state=b&limit=0&sort=x"), 400, "invalid-parameter");

    List<String> named = new ArrayList<>();
    problem.get("errors").forEach(e -> named.add(e.get("parameter").asString()));
    assertThat(named).containsExactlyInAnyOrder("state", "state", "limit", "sort");
  }

  @Test
  void a_misspelt_parameter_is_refused_and_the_right_ones_are_listed() {
    JsonNode problem = problem(http.get(LINKS + "?stat=DEGRADED"), 400, "invalid-parameter");

    assertThat(problem.at("/errors/0/parameter").asString()).isEqualTo("stat");
    assertThat(problem.at("/errors/0/allowed").toString()).contains("\"state\"", "\"cursor\"");
  }

  @Test
  void one_link_takes_no_parameters() {
    problem(http.get(LINKS + "/leaf2:Ethernet1%2F2?state=DEGRADED"), 400, "invalid-parameter");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "", "AAAA", "%00", "bm90LW91cnM", "ÄÖÜ"})
  void a_cursor_that_is_not_ours_is_a_problem(String cursor) {
    JsonNode problem =
        problem(http.get(LINKS + "?cursor=" + Http.segment(cursor)), 400, "invalid-cursor");

    assertThat(problem.at("/errors/0/parameter").asString()).isEqualTo("cursor");
  }

  @Test
  void a_cursor_changed_in_any_character_is_a_problem() {
    String cursor = http.get(LINKS + "?limit=1").json().get("nextCursor").asString();

    for (int index = 0; index < cursor.length(); index++) {
      char changed = cursor.charAt(index) == 'A' ? 'B' : 'A';
      String tampered = cursor.substring(0, index) + changed + cursor.substring(index + 1);
      problem(http.get(LINKS + "?limit=1&cursor=" + tampered), 400, "invalid-cursor");
    }
  }

  @Test
  void a_cursor_of_other_filters_is_a_problem() {
    String cursor = http.get(LINKS + "?limit=1").json().get("nextCursor").asString();

    problem(http.get(LINKS + "?limit=1&state=DOWN&cursor=" + cursor), 400, "invalid-cursor");
    assertThat(http.get(LINKS + "?limit=2&cursor=" + cursor).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/v1/links/leaf9:Ethernet1%2F1",
        "/api/v1/links/leaf9:Ethernet1%2F1/evidence",
        "/api/v1/links/%3Cscript%3E"
      })
  void an_unknown_id_is_a_problem_that_names_it(String path) {
    problem(http.get(path), 404, "unknown-id");
  }

  @Test
  void a_huge_unknown_id_is_not_echoed_whole() {
    Http.Answer answer = http.get(LINKS + "/" + "x".repeat(4_000));

    JsonNode problem = problem(answer, 404, "unknown-id");
    assertThat(problem.get("detail").asString()).hasSizeLessThan(300);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/api/v1/nothing", "/api/v1/links/leaf1:Ethernet1/1", "/favicon.ico"})
  void an_unknown_path_is_a_problem(String path) {
    problem(http.get(path), 404, "unknown-path");
  }

  @Test
  void a_method_that_is_not_served_is_a_problem_and_says_which_are() {
    Http.Answer answer = http.send("DELETE", LINKS);

    problem(answer, 405, "method-not-allowed");
    assertThat(answer.header("Allow")).contains("GET");
  }

  @Test
  void a_format_that_is_not_served_is_a_problem() {
    problem(http.get(LINKS, "Accept", "application/xml"), 406, "not-acceptable");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /api/v1/links/%zz HTTP/1.1",
        "GET /api/v1/links?state=%zz HTTP/1.1",
        "GET /api/v1/links?%zz HTTP/1.1",
        "GET /api/v1/links/a\\b HTTP/1.1",
        "GET /api/v1/links/{a} HTTP/1.1",
        "GET /api/v1/links/%00 HTTP/1.1"
      })
  void a_request_that_cannot_be_decoded_is_a_problem_and_no_page_of_the_web_server(String line)
      throws IOException {
    String answer = raw(line);

    assertThat(answer).startsWith("HTTP/1.1 40").doesNotContain("<html", "\tat ", "Tomcat");
    assertThat(answer).contains("application/problem+json", "https://fabrichealth.io/problems/");
  }

  @Test
  void a_header_that_is_too_large_is_refused_without_a_stack_trace() throws IOException {
    String answer = raw("GET /api/v1/links HTTP/1.1\r\nX-Large: " + "x".repeat(20_000));

    assertThat(answer).startsWith("HTTP/1.1 4").doesNotContain("\tat ", "java.", "Tomcat");
  }

  @Test
  void a_backslash_in_an_id_is_but_a_character() {
    problem(http.get(LINKS + "/a%5Cb"), 404, "unknown-id");
  }

  private String raw(String requestLine) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(10_000);
      socket
          .getOutputStream()
          .write((requestLine + "\r\nHost: x\r\nConnection: close\r\n\r\n").getBytes(UTF_8));
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }
  }

  @Test
  void answers_tell_browsers_to_keep_their_hands_off() {
    Http.Answer answer = http.get(LINKS);

    assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(answer.header("X-Frame-Options")).isEqualTo("DENY");
    assertThat(answer.header("Content-Type")).isEqualTo("application/json");
  }

  private static JsonNode problem(Http.Answer answer, int status, String code) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
    JsonNode problem = answer.json();
    assertThat(problem.get("type").asString())
        .isEqualTo("https://fabrichealth.io/problems/" + code);
    assertThat(problem.get("code").asString()).isEqualTo(code);
    assertThat(problem.get("status").asInt()).isEqualTo(status);
    assertThat(problem.get("title").asString()).isNotBlank();
    assertThat(problem.get("errors").isArray()).isTrue();
    assertThat(answer.text()).doesNotContain("java.", "\tat ", "trace");
    return problem;
  }
}
