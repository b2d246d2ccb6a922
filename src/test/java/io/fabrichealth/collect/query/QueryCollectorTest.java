package io.fabrichealth.collect.query;

import static io.fabrichealth.collect.query.FakeDatabase.json;
import static io.fabrichealth.collect.query.FakeDatabase.series;
import static io.fabrichealth.collect.query.FakeDatabase.success;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.collect.prometheus.MetricMapping;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.testing.Batches;
import io.fabrichealth.topology.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryCollectorTest {
  private static final SignalDictionary DICTIONARY = SignalCatalogue.load();
  private static final MetricMapping MAPPING = MetricMapping.load(DICTIONARY);
  private static final String RECEIVED = "node_network_receive_bytes_total";
  private static final String SENT = "node_network_transmit_bytes_total";
  private static final String HOST1 =
      "\"instance\":\"host1:9100\",\"job\":\"node\",\"device\":\"eth0\"";
  private static final String HOST2 =
      "\"instance\":\"host2:9100\",\"job\":\"node\",\"device\":\"eth0\"";

  private final FakeDatabase database = new FakeDatabase();
  private Instant now = Instant.ofEpochSecond(1_772_323_200);
  private final QueryCollectors collectors = new QueryCollectors(MAPPING, () -> now);
  private final Collector collector = collectors.collector(target(Duration.ofSeconds(5)));

  private QueryTarget target(Duration timeout) {
    return new QueryTarget(
        "metrics",
        database.url(),
        Map.of("cluster", "a\"b"),
        "instance",
        "([^:]+)(?::\\d+)?",
        Role.HOST,
        Duration.ofSeconds(15),
        timeout,
        "secret",
        null,
        null);
  }

  @AfterEach
  void close() {
    collectors.close();
    database.close();
  }

  private CollectOutcome collect() throws InterruptedException {
    return collector.collect(now.plusSeconds(15));
  }

  private String sample(int secondsAgo, String value) {
    return "[%d.25,\"%s\"]".formatted(now.getEpochSecond() - secondsAgo, value);
  }

  private void answer(String... series) {
    String all = String.join(",", series);
    // What is asked for in another query is not in this answer.
    database.answers = form -> form.contains(RECEIVED) ? success(all) : success("");
  }

  private static List<String> devices(CollectOutcome outcome) {
    return outcome.batches().stream()
        .map(batch -> batch.device() + " " + batch.collector() + " " + (batch.size() > 0))
        .toList();
  }

  @Test
  void each_exporter_becomes_a_batch_with_the_time_of_its_scrape() throws InterruptedException {
    answer(
        series(RECEIVED, HOST1, sample(26, "4") + "," + sample(11, "18446744073709549568")),
        series(SENT, HOST1, sample(26, "6") + "," + sample(11, "7")),
        series(RECEIVED, HOST2, sample(12, "1e3")));

    CollectOutcome outcome = collect();

    assertThat(outcome.problems()).isEmpty();
    assertThat(devices(outcome))
        .containsExactly("host1 prometheus-query true", "host2 prometheus-query true");
    assertThat(outcome.batch().at()).isEqualTo(now.minusMillis(10_750));
    assertThat(Batches.lines(outcome.batch(), DICTIONARY))
        .contains("eth0 port.in_octets[0] 18446744073709549568 OK", "eth0 port.out_octets[0] 7 OK");
    assertThat(outcome.sightings()).hasSize(2);
  }

  @Test
  void few_queries_of_bounded_length_ask_for_all_metrics_at_one_moment()
      throws InterruptedException {
    collect();

    assertThat(database.forms).hasSizeLessThanOrEqualTo(4);
    assertThat(database.forms)
        .allSatisfy(form -> assertThat(form).hasSizeLessThan(14_000))
        .allSatisfy(
            form ->
                assertThat(form)
                    .contains(",cluster=\"a\\\"b\"}[40s]&time=1772323200.000&timeout="));
    assertThat(database.authorizations).containsOnly("Bearer secret");
    String all = String.join(" ", database.forms);
    for (String metric : MAPPING.metrics()) {
      assertThat(all).contains(metric.replaceAll("(?<=[a-zA-Z_])\\d+(?=_|$)", "[0-9]+"));
    }
  }

  @Test
  void a_scrape_becomes_readings_once() throws InterruptedException {
    answer(series(RECEIVED, HOST1, sample(11, "4")));
    assertThat(devices(collect())).hasSize(1);

    CollectOutcome again = collect();
    assertThat(again.batches()).isEmpty();
    assertThat(again.problems()).isEmpty();

    now = now.plusSeconds(15);
    answer(series(RECEIVED, HOST1, sample(26, "4") + "," + sample(3, "9")));
    assertThat(Batches.lines(collect().batch(), DICTIONARY))
        .contains("eth0 port.in_octets[0] 9 OK");
  }

  @Test
  void a_scrape_that_is_still_being_written_waits_for_the_next_pass() throws InterruptedException {
    answer(series(RECEIVED, HOST1, sample(11, "4")), series(SENT, HOST1, sample(11, "4")));
    collect();

    now = now.plusSeconds(15);
    answer(series(RECEIVED, HOST1, sample(2, "5")), series(SENT, HOST1, sample(26, "4")));
    assertThat(collect().batches()).isEmpty();

    now = now.plusSeconds(15);
    answer(series(RECEIVED, HOST1, sample(17, "5")), series(SENT, HOST1, sample(17, "5")));
    assertThat(Batches.lines(collect().batch(), DICTIONARY))
        .contains("eth0 port.in_octets[0] 5 OK", "eth0 port.out_octets[0] 5 OK");
  }

  @Test
  void the_first_scrape_of_an_exporter_waits_until_it_must_be_whole() throws InterruptedException {
    answer(series(RECEIVED, HOST1, sample(2, "5")));
    assertThat(collect().batches()).isEmpty();

    answer(
        series(RECEIVED, HOST1, sample(5, "4") + "," + sample(2, "5")),
        series(SENT, HOST1, sample(5, "4")));
    assertThat(Batches.lines(collect().batch(), DICTIONARY))
        .contains("eth0 port.in_octets[0] 4 OK", "eth0 port.out_octets[0] 4 OK");
  }

  @Test
  void a_series_that_is_not_scraped_any_more_is_lost() throws InterruptedException {
    answer(series(RECEIVED, HOST1, sample(11, "4")), series(SENT, HOST1, sample(11, "4")));
    collect();

    now = now.plusSeconds(30);
    answer(series(RECEIVED, HOST1, sample(12, "5")));
    assertThat(Batches.lines(collect().batch(), DICTIONARY))
        .contains(
            "eth0 port.out_octets[0] UNREADABLE the exporter gave it before and does not now");
  }

  @Test
  void an_exporter_that_is_not_scraped_any_more_is_missed() throws InterruptedException {
    for (int pass = 0; pass < 3; pass++) {
      answer(series(RECEIVED, HOST1, sample(11, "4")), series(RECEIVED, HOST2, sample(11, "4")));
      assertThat(devices(collect())).hasSize(2);
      now = now.plusSeconds(15);
    }

    now = now.plusSeconds(60);
    answer(series(RECEIVED, HOST1, sample(1, "5")));
    CollectOutcome outcome = collect();

    assertThat(devices(outcome))
        .containsExactly("host1 prometheus-query true", "host2 prometheus-query false");
    assertThat(outcome.problems())
        .extracting(CollectOutcome.Problem::message)
        .containsExactly("host2:9100 was not scraped lately");
  }

  @Test
  void a_query_that_asks_for_too_much_is_split_for_good() throws InterruptedException {
    database.answers =
        form ->
            form.length() > 2_000
                ? json(
                    422,
                    """
                    {"status":"error","errorType":"execution",
                     "error":"query processing would load too many samples into memory"}
                    """)
                : form.contains(RECEIVED)
                    ? success(series(RECEIVED, HOST1, sample(11, "4")))
                    : success("");

    CollectOutcome outcome = collect();
    assertThat(outcome.problems()).isEmpty();
    assertThat(devices(outcome)).hasSize(1);

    database.forms.clear();
    collect();
    assertThat(database.forms).allSatisfy(form -> assertThat(form).hasSizeLessThan(2_000));
  }

  @Test
  void one_query_that_fails_leaves_the_others_and_makes_nothing_lost() throws InterruptedException {
    database.answers =
        form ->
            form.contains(RECEIVED)
                ? success(series(RECEIVED, HOST1, sample(11, "4")))
                : json(400, "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"no\"}");

    CollectOutcome outcome = collect();
    // With a single query there is nothing that could fail beside it.
    if (database.forms.size() > 1) {
      assertThat(outcome.problems().getFirst().message())
          .isEqualTo("metrics: " + collector.address() + " refused the query: no");
      assertThat(outcome.batch().complete()).isFalse();
    }
    assertThat(Batches.lines(outcome.batch(), DICTIONARY)).contains("eth0 port.in_octets[0] 4 OK");
  }

  @Test
  void what_the_database_warns_of_is_a_remark_and_a_partial_answer_a_problem()
      throws InterruptedException {
    database.answers =
        form ->
            json(
                200,
                """
                {"warnings":["a store is away"],"isPartial":true,"status":"success",
                 "data":{"result":[%s],"resultType":"matrix"},"new":{"x":[1]}}
                """
                    .formatted(
                        form.contains(RECEIVED) ? series(RECEIVED, HOST1, sample(11, "4")) : ""));

    CollectOutcome outcome = collect();

    assertThat(outcome.remarks()).containsExactly("a store is away");
    assertThat(outcome.problems().getFirst().code()).isEqualTo(FailureCode.PARTIAL);
    assertThat(outcome.batch().complete()).isFalse();
    assertThat(outcome.batch().size()).isPositive();
  }

  @Test
  void series_that_cannot_be_read_or_placed_lose_no_other() throws InterruptedException {
    answer(
        "7",
        "{\"metric\":[],\"values\":[]}",
        series(RECEIVED, HOST1, "[\"x\",\"1\"]"),
        series(SENT, HOST1, "[1,2]"),
        series(RECEIVED, HOST1, sample(11, "four")),
        "{\"metric\":{\"__name__\":\"%s\"},\"values\":[%s]}".formatted(RECEIVED, sample(11, "1")),
        series("up", HOST1, sample(11, "1")),
        "{\"values\":[%s],\"metric\":{\"__name__\":\"%s\",%s}}"
            .formatted(sample(11, "4"), RECEIVED, HOST2));

    CollectOutcome outcome = collect();

    assertThat(devices(outcome)).containsExactly("host2 prometheus-query true");
    assertThat(outcome.problems())
        .extracting(CollectOutcome.Problem::message)
        .containsExactly(
            "5 series cannot be read", "1 series have no label instance that tells whose they are");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "nil",
        "{\"status\":\"success\",\"data\":{\"result\":[{\"metric\":{",
        "<html>"
      })
  void an_answer_that_is_none_is_said_to_be_so_and_the_hosts_are_missed(String body)
      throws InterruptedException {
    answer(series(RECEIVED, HOST1, sample(11, "4")));
    collect();
    now = now.plusSeconds(15);
    database.answers = form -> json(200, body);

    CollectOutcome outcome = collect();

    assertThat(outcome.problems().getFirst().code())
        .isIn(FailureCode.MALFORMED, FailureCode.PARTIAL);
    assertThat(devices(outcome)).containsExactly("host1 prometheus-query false");
  }

  @Test
  void credentials_that_are_refused_are_said_to_be_and_not_shown() throws InterruptedException {
    database.answers = form -> json(401, "{}");

    CollectOutcome outcome = collect();

    assertThat(outcome.problems().getFirst().code()).isEqualTo(FailureCode.AUTHENTICATION);
    assertThat(outcome.toString()).doesNotContain("secret");
    assertThat(database.forms).hasSize(1);
  }

  @Test
  void a_database_that_is_away_is_asked_less_often_and_its_hosts_are_missed()
      throws InterruptedException {
    answer(series(RECEIVED, HOST1, sample(11, "4")));
    collect();
    database.close();
    for (int pass = 0; pass < 3; pass++) {
      now = now.plusSeconds(15);
      CollectOutcome outcome = collect();
      assertThat(devices(outcome)).containsExactly("host1 prometheus-query false");
      assertThat(outcome.problems().getFirst().code())
          .isIn(FailureCode.UNREACHABLE, FailureCode.BACK_OFF);
    }
  }

  @Test
  void a_database_that_does_not_answer_in_time_is_given_up() throws InterruptedException {
    database.answers =
        form -> {
          try {
            Thread.sleep(3_000);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return success("");
        };
    Collector hasty = collectors.collector(target(Duration.ofMillis(300)));

    assertThat(hasty.collect(now.plusSeconds(15)).problems().getFirst().code())
        .isEqualTo(FailureCode.TIMEOUT);
  }

  @Test
  void a_database_without_the_metrics_says_so() throws InterruptedException {
    CollectOutcome outcome = collect();

    assertThat(outcome.batches()).extracting(PollBatch::device).isEmpty();
    assertThat(outcome.problems().getFirst().message()).contains("has no samples");
  }
}
