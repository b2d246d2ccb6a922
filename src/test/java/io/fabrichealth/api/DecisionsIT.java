package io.fabrichealth.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.testing.Http;
import io.fabrichealth.testing.Http.Answer;
import io.fabrichealth.testing.WebSlice;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import tools.jackson.databind.JsonNode;

@SpringBootTest(
    classes = WebSlice.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = "management.server.port=0")
@DirtiesContext(classMode = DirtiesContext.ClassMode.AFTER_EACH_TEST_METHOD)
class DecisionsIT {
  private static final String ACKNOWLEDGED = "{\"by\": \"ada\", \"comment\": \"on my way\"}";
  private static final String REPAIRED =
      "{\"by\": \"ada\", \"reason\": \"REPAIRED\", \"comment\": \"new module\"}";

  @LocalServerPort private int port;
  private Http http;
  private String incident;
  private String eTag;

  @BeforeEach
  void look() {
    http = new Http(port);
    String id =
        http.get("/api/v1/incidents?state=OPEN").json().get("items").get(0).get("id").asString();
    incident = "/api/v1/incidents/" + id;
    eTag = http.get(incident).header("ETag");
  }

  @Test
  void an_acknowledgement_shows_in_the_state_and_the_trail() {
    Answer answer = decide("/acknowledgement", ACKNOWLEDGED, eTag);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("ETag")).isNotEqualTo(eTag);
    Answer seen = http.get(incident);
    assertThat(seen.header("ETag")).isEqualTo(answer.header("ETag"));
    assertThat(seen.json().get("state").asString()).isEqualTo("ACKNOWLEDGED");
    JsonNode last = seen.json().get("changes").get(seen.json().get("changes").size() - 1);
    assertThat(last.get("by").asString()).isEqualTo("ada");
    assertThat(last.get("kind").asString()).isEqualTo("ACKNOWLEDGED");
    assertThat(last.get("comment").asString()).isEqualTo("on my way");
  }

  @Test
  void a_resolution_says_why() {
    JsonNode resolved = decide("/resolution", REPAIRED, eTag).json();

    assertThat(resolved.get("state").asString()).isEqualTo("RESOLVED");
    assertThat(resolved.get("resolution").asString()).isEqualTo("REPAIRED");
    assertThat(resolved.get("resolvedAt").isNull()).isFalse();
  }

  @Test
  void without_a_precondition_nothing_is_changed() {
    assertThat(decide("/resolution", REPAIRED, null).json().get("code").asString())
        .isEqualTo("precondition-required");
    assertThat(http.get(incident).header("ETag")).isEqualTo(eTag);
  }

  @Test
  void what_was_seen_before_or_weakly_is_refused() {
    for (String other : new String[] {"\"9999\"", "W/" + eTag, "9999", "\"a\"", ""}) {
      Answer answer = decide("/acknowledgement", ACKNOWLEDGED, other);
      assertThat(answer.status()).as(other).isEqualTo(412);
      assertThat(answer.json().get("code").asString()).isEqualTo("precondition-failed");
    }
    assertThat(http.get(incident).header("ETag")).isEqualTo(eTag);
  }

  @Test
  void one_of_several_tags_or_a_star_will_do() {
    assertThat(decide("/acknowledgement", ACKNOWLEDGED, "\"9999\", " + eTag).status())
        .isEqualTo(200);
    assertThat(decide("/resolution", REPAIRED, "*").status()).isEqualTo(200);
  }

  @Test
  void a_body_that_says_too_little_too_much_or_the_wrong_thing_is_refused() {
    assertThat(errors("/resolution", "{\"by\": \" \", \"reason\": \"CLEARED\", \"x\": 1}"))
        .contains("/by", "/reason", "/x", "FALSE_ALARM");
    assertThat(errors("/acknowledgement", "{\"by\": 7}")).contains("/by");
    assertThat(errors("/acknowledgement", "{\"by\": \"a\\nb\"}")).contains("one line");
    assertThat(
            errors(
                "/acknowledgement",
                "{\"by\": \"a\", \"comment\": \"%s\"}".formatted("x".repeat(2_001))))
        .contains("/comment");
    assertThat(decide("/acknowledgement", "[]", eTag).status()).isEqualTo(400);
    assertThat(decide("/acknowledgement", "{\"by\":", eTag).status()).isEqualTo(400);
    assertThat(decide("/acknowledgement", "\"" + "x".repeat(70_000) + "\"", eTag).status())
        .isEqualTo(413);
    assertThat(http.get(incident).header("ETag")).isEqualTo(eTag);
  }

  @Test
  void there_is_nothing_to_decide_on_an_incident_that_there_is_not() {
    incident = "/api/v1/incidents/00000000-0000-0000-0000-00000000dead";

    assertThat(decide("/acknowledgement", ACKNOWLEDGED, "*").status()).isEqualTo(404);
  }

  private String errors(String what, String body) {
    Answer answer = decide(what, body, eTag);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().get("code").asString()).isEqualTo("invalid-body");
    return answer.json().get("errors").toString();
  }

  private Answer decide(String what, String body, String ifMatch) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return ifMatch == null
        ? http.post(incident + what, bytes, "Content-Type", "application/json")
        : http.post(
            incident + what, bytes, "Content-Type", "application/json", "If-Match", ifMatch);
  }
}
