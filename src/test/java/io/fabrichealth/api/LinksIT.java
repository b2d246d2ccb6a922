package io.fabrichealth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fabrichealth.testing.Http;
import io.fabrichealth.testing.SampleFabric;
import io.fabrichealth.testing.WebSlice;
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
class LinksIT {
  private static final String LINKS = "/api/v1/links";

  @LocalServerPort private int port;
  private Http http;

  @BeforeEach
  void connect() {
    http = new Http(port);
  }

  @Test
  void an_id_with_slashes_and_colons_is_found_percent_encoded() {
    assertThat(Http.segment(SampleFabric.HEALTHY)).contains("%2F", "%3A");

    Http.Answer answer = http.get(LINKS + "/" + Http.segment(SampleFabric.HEALTHY));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().get("id").asString()).isEqualTo(SampleFabric.HEALTHY);
  }

  @Test
  void colons_need_no_encoding_and_evidence_lies_below_the_id() {
    String id = "leaf1:Ethernet1%2F1--gpu-001:mlx5_0%2F1";

    assertThat(http.get(LINKS + "/" + id).status()).isEqualTo(200);
    assertThat(http.get(LINKS + "/" + id + "/evidence").json().get("linkId").asString())
        .isEqualTo(SampleFabric.HEALTHY);
  }

  @Test
  void a_link_says_what_is_wrong_and_what_to_do() {
    JsonNode link = http.get(LINKS + "/" + Http.segment(SampleFabric.DIRTY_LANE)).json();

    assertThat(link.propertyNames())
        .containsExactlyInAnyOrder(
            "id",
            "a",
            "b",
            "tier",
            "rail",
            "speedBitsPerSecond",
            "lanes",
            "state",
            "probability",
            "cause",
            "since",
            "summary",
            "recommendedAction",
            "incidentId",
            "impact",
            "coverage",
            "ends",
            "mismatches");
    assertThat(link.at("/a/device").asString()).isEqualTo("gpu-002");
    assertThat(link.at("/a/port").asString()).isEqualTo("mlx5_0/1");
    assertThat(link.at("/b/device").asString()).isEqualTo("leaf1");
    assertThat(link.get("tier").asString()).isEqualTo("host-leaf");
    assertThat(link.get("rail").asInt()).isZero();
    assertThat(link.get("speedBitsPerSecond").asLong()).isEqualTo(400_000_000_000L);
    assertThat(link.get("lanes").asInt()).isEqualTo(8);
    assertThat(link.get("state").asString()).isEqualTo("DEGRADED");
    assertThat(link.get("cause").asString()).isEqualTo("PHY_LANE");
    assertThat(link.get("probability").asDouble()).isEqualTo(.9995);
    assertThat(link.get("since").asString()).isEqualTo("2026-03-01T11:55:00Z");
    assertThat(link.get("recommendedAction").asString()).startsWith("Clean and reseat");
    assertThat(link.get("incidentId").asString()).isEqualTo("00000000-0000-0000-0000-000000000001");
    assertThat(link.at("/impact/jobs").isArray()).isTrue();
    assertThat(link.at("/coverage/ratio").asDouble()).isEqualTo(1);
    assertThat(link.at("/coverage/missing").isArray()).isTrue();
    assertThat(link.at("/ends/0/device").asString()).isEqualTo("gpu-002");
    assertThat(link.at("/ends/1/device").asString()).isEqualTo("leaf1");
    assertThat(link.get("mismatches").isArray()).isTrue();
  }

  @Test
  void a_half_link_has_no_b_and_what_is_unknown_is_null_and_not_zero() {
    JsonNode half = http.get(LINKS + "/" + Http.segment(SampleFabric.HALF)).json();

    for (String absent : List.of("b", "rail", "speedBitsPerSecond", "lanes", "cause")) {
      assertThat(half.has(absent)).as(absent).isTrue();
      assertThat(half.get(absent).isNull()).as(absent).isTrue();
    }
    assertThat(half.get("state").asString()).isEqualTo("UNKNOWN");
  }

  @Test
  void the_nats_of_the_evidence_add_up_to_the_logit_of_the_probability() {
    JsonNode evidence =
        http.get(LINKS + "/" + Http.segment(SampleFabric.FLAPPING) + "/evidence").json();

    double sum = 0;
    for (JsonNode line : evidence.get("items")) {
      assertThat(line.propertyNames())
          .containsExactlyInAnyOrder(
              "family",
              "signal",
              "subject",
              "observed",
              "expected",
              "reference",
              "nats",
              "from",
              "to",
              "source");
      sum += line.get("nats").asDouble();
    }
    double probability = evidence.get("probability").asDouble();
    assertThat(evidence.at("/items/0/family").asString()).isEqualTo("prior");
    assertThat(evidence.at("/items/1/subject/type").asString()).isEqualTo("port");
    assertThat(sum).isCloseTo(Math.log(probability / (1 - probability)), within(1e-9));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          state=DEGRADED                              | 2
          state=DEGRADED&state=DOWN                   | 3
          state=DEGRADED,DOWN                         | 3
          device=leaf1                                | 3
          device=leaf1&device=gpu-001                 | 4
          device=nobody                               | 0
          rail=1                                      | 1
          rail=0&rail=1                               | 3
          tier=leaf-spine                             | 2
          cause=LINK_FLAP&cause=PHY_LANE              | 2
          minProbability=0.9992                       | 2
          state=DEGRADED&device=leaf2                 | 1
          state=                                      | 6
          """)
  void filters_restrict_each_other_and_repeated_values_widen(String query, int expected) {
    assertThat(ids(http.get(LINKS + "?" + query).json())).hasSize(expected);
  }

  @Test
  void links_are_sorted_by_what_is_asked_for_and_then_by_id() {
    assertThat(ids(http.get(LINKS + "?sort=-probability").json()))
        .containsExactly(
            SampleFabric.DOWN,
            SampleFabric.DIRTY_LANE,
            SampleFabric.FLAPPING,
            SampleFabric.HEALTHY,
            SampleFabric.UPLINK,
            SampleFabric.HALF);
    assertThat(ids(http.get(LINKS + "?sort=since").json()).getLast()).isEqualTo(SampleFabric.HALF);
    assertThat(ids(http.get(LINKS + "?sort=id").json())).isSorted();
  }

  @ParameterizedTest
  @ValueSource(strings = {"id", "-id", "probability", "-probability", "since", "-since"})
  void pages_of_one_give_every_link_once_in_the_order_of_the_whole(String sort) {
    List<String> walked = new ArrayList<>();
    String cursor = "";
    while (cursor != null) {
      JsonNode page = http.get(LINKS + "?limit=1&sort=" + sort + cursor).json();
      walked.addAll(ids(page));
      cursor =
          page.get("nextCursor").isNull() ? null : "&cursor=" + page.get("nextCursor").asString();
    }

    assertThat(walked).isEqualTo(ids(http.get(LINKS + "?sort=" + sort).json())).hasSize(6);
  }

  @Test
  void the_next_page_is_linked_with_all_filters() {
    Http.Answer first = http.get(LINKS + "?device=leaf1&limit=2");
    String link = first.header("Link");

    assertThat(link).startsWith("<?").endsWith(">; rel=\"next\"");
    Http.Answer second = http.get(LINKS + link.substring(1, link.indexOf('>')));
    assertThat(ids(second.json())).hasSize(1).doesNotContainAnyElementsOf(ids(first.json()));
    assertThat(second.header("Link")).isNull();
  }

  static List<String> ids(JsonNode page) {
    List<String> ids = new ArrayList<>();
    page.get("items").forEach(item -> ids.add(item.get("id").asString()));
    return ids;
  }
}
