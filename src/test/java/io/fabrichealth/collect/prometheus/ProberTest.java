package io.fabrichealth.collect.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.groups.Tuple.tuple;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.latency.ProbeSample;
import io.fabrichealth.latency.ProbeSample.Endpoint;
import io.fabrichealth.latency.ProbeSample.RoundTrip;
import io.fabrichealth.topology.Role;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Pages of probers. */
class ProberTest {
  private static final Instant AT = Instant.parse("2026-03-01T10:00:00Z");

  private final Page page = new Page(Pages.MAPPING);
  private final PageReader reader = new PageReader("gpu-001", Role.HOST, Pages.MAPPING);

  private CollectOutcome outcome(String text) {
    Pages.read(page, text);
    return reader.outcome(page, AT, null);
  }

  private List<ProbeSample> probes(String text) {
    CollectOutcome outcome = outcome(text);
    assertThat(outcome.problems()).isEmpty();
    return outcome.probes();
  }

  /** As smokeping_prober writes it; buckets are 50 us times powers of two. */
  private static String smokeping(long sent, long upTo50, long upTo100, long upTo200, long all) {
    String labels = "host=\"gpu-002\",ip=\"198.51.100.2\",source=\"\",tos=\"0\"";
    return String.format(
        Locale.ROOT,
        """
        # TYPE smokeping_requests_total counter
        smokeping_requests_total{%1$s} %2$d
        # TYPE smokeping_response_duration_seconds histogram
        smokeping_response_duration_seconds_bucket{%1$s,le="5e-05"} %3$d
        smokeping_response_duration_seconds_bucket{%1$s,le="0.0001"} %4$d
        smokeping_response_duration_seconds_bucket{%1$s,le="0.0002"} %5$d
        smokeping_response_duration_seconds_bucket{%1$s,le="+Inf"} %6$d
        smokeping_response_duration_seconds_sum{%1$s} 0.5
        smokeping_response_duration_seconds_count{%1$s} %6$d
        smokeping_send_errors_total 0
        """,
        labels,
        sent,
        upTo50,
        upTo100,
        upTo200,
        all);
  }

  @Test
  void what_came_since_the_page_before_is_one_sample() {
    assertThat(probes(smokeping(1000, 1000, 1000, 1000, 1000))).isEmpty();

    List<ProbeSample> probes = probes(smokeping(1100, 1000, 1080, 1100, 1100));

    assertThat(probes)
        .singleElement()
        .satisfies(
            sample -> {
              assertThat(sample.src()).isEqualTo(new Endpoint("gpu-001", null));
              assertThat(sample.dst()).isEqualTo(new Endpoint("gpu-002", null));
              assertThat(sample.tool()).isEqualTo("smokeping");
              assertThat(sample.sent()).isEqualTo(100);
              assertThat(sample.lost()).isZero();
              RoundTrip rtt = sample.rtt();
              assertThat(rtt).isNotNull();
              assertThat(rtt.min()).isEqualTo(50, within(1e-6));
              assertThat(rtt.median()).isEqualTo(81.25, within(1e-6));
              assertThat(rtt.p99()).isEqualTo(195, within(1e-6));
              assertThat(rtt.max()).isEqualTo(200, within(1e-6));
            });
    assertThat(probes(smokeping(1100, 1000, 1080, 1100, 1100))).isEmpty();
  }

  @Test
  void probes_under_way_are_not_lost_and_lost_ones_are_told_once() {
    probes(smokeping(1000, 1000, 1000, 1000, 1000));

    assertThat(probes(smokeping(1011, 1010, 1010, 1010, 1010)))
        .extracting(ProbeSample::lost)
        .containsExactly(0L);
    assertThat(probes(smokeping(1020, 1020, 1020, 1020, 1020)))
        .extracting(ProbeSample::lost)
        .containsExactly(0L);
    // From now on every second probe is lost.
    assertThat(probes(smokeping(1120, 1070, 1070, 1070, 1070)))
        .extracting(ProbeSample::lost)
        .containsExactly(0L);
    assertThat(probes(smokeping(1220, 1120, 1120, 1120, 1120)))
        .extracting(ProbeSample::lost)
        .containsExactly(48L);
    assertThat(probes(smokeping(1320, 1170, 1170, 1170, 1170)))
        .extracting(ProbeSample::lost)
        .containsExactly(50L);
    assertThat(probes(smokeping(1330, 1170, 1170, 1170, 1170)))
        .singleElement()
        .satisfies(
            sample -> {
              assertThat(sample.sent()).isEqualTo(10);
              assertThat(sample.lost()).isEqualTo(10);
              assertThat(sample.rtt()).isNull();
            });
  }

  @Test
  void a_prober_that_began_anew_is_counted_from_its_new_beginning() {
    probes(smokeping(1000, 1000, 1000, 1000, 1000));

    assertThat(probes(smokeping(10, 10, 10, 10, 10))).isEmpty();
    assertThat(probes(smokeping(20, 20, 20, 20, 20)))
        .extracting(ProbeSample::sent, ProbeSample::lost)
        .containsExactly(tuple(10L, 0L));
  }

  @Test
  void what_lies_beyond_the_last_bound_is_not_a_number() {
    probes(smokeping(1000, 1000, 1000, 1000, 1000));

    RoundTrip rtt = probes(smokeping(1100, 1060, 1060, 1060, 1100)).getFirst().rtt();

    assertThat(rtt).isNotNull();
    assertThat(rtt.min()).isZero();
    assertThat(rtt.median()).isEqualTo(41.666, within(.001));
    assertThat(rtt.p99()).isNaN();
    assertThat(rtt.max()).isNaN();
  }

  @Test
  void other_buckets_than_before_say_nothing_of_round_trips() {
    probes(smokeping(1000, 1000, 1000, 1000, 1000));

    ProbeSample sample =
        probes(smokeping(1100, 1100, 1100, 1100, 1100).replace("0.0002", "0.0003")).getFirst();

    assertThat(sample.sent()).isEqualTo(100);
    assertThat(sample.rtt()).isNull();
  }

  @Test
  void cloudprober_tells_loss_and_with_a_distribution_round_trips() {
    String labels = "ptype=\"ping\",probe=\"fabric\",dst=\"gpu-003\"";
    String text =
        """
        #TYPE total counter
        total{%1$s} %2$d 1523142921115
        #TYPE success counter
        success{%1$s} %3$d 1523142921115
        #TYPE latency histogram
        latency_bucket{%1$s,le="10"} %4$d 1523142921115
        latency_bucket{%1$s,le="+Inf"} %3$d 1523142921115
        latency{%1$s} 2880611.175
        total{ptype="external",probe="x",dst=""} 7
        """;
    probes(text.formatted(labels, 100, 90, 90));

    List<ProbeSample> probes = probes(text.formatted(labels, 200, 180, 180));

    assertThat(probes)
        .singleElement()
        .satisfies(
            sample -> {
              assertThat(sample.dst().device()).isEqualTo("gpu-003");
              assertThat(sample.sent()).isEqualTo(100);
              assertThat(sample.lost()).isEqualTo(10);
              assertThat(sample.rtt()).isNotNull();
              assertThat(sample.rtt().median()).isEqualTo(5, within(1e-9));
            });
  }

  @Test
  void goldpinger_tells_how_many_of_its_peers_do_not_answer() {
    List<ProbeSample> probes =
        probes(
            """
            goldpinger_nodes_health_total{goldpinger_instance="gpu-004",status="healthy"} 14
            goldpinger_nodes_health_total{goldpinger_instance="gpu-004",status="unhealthy"} 2
            goldpinger_peers_response_time_s_bucket{goldpinger_instance="gpu-004",le="0.005"} 9
            """);

    assertThat(probes)
        .containsExactly(
            new ProbeSample(
                new Endpoint("gpu-004", null),
                new Endpoint("goldpinger", null),
                "goldpinger",
                null,
                null,
                List.of(),
                16,
                2,
                null));
  }

  @Test
  void rpingmesh_counts_nanoseconds_between_racks() {
    String text =
        """
        rpingmesh_probe_total{source_tor="leaf1",target_tor="leaf2"} %1$d
        rpingmesh_probe_success_total{source_tor="leaf1",target_tor="leaf2"} %2$d
        rpingmesh_network_rtt_ns_bucket{source_tor="leaf1",target_tor="leaf2",le="5000"} 0
        rpingmesh_network_rtt_ns_bucket{source_tor="leaf1",target_tor="leaf2",le="10000"} %2$d
        rpingmesh_network_rtt_ns_bucket{source_tor="leaf1",target_tor="leaf2",le="+Inf"} %2$d
        """;
    probes(text.formatted(10, 10));

    ProbeSample sample = probes(text.formatted(30, 30)).getFirst();

    assertThat(sample.src().device()).isEqualTo("leaf1");
    assertThat(sample.dst().device()).isEqualTo("leaf2");
    assertThat(sample.rtt()).isNotNull();
    assertThat(sample.rtt().min()).isEqualTo(5, within(1e-9));
    assertThat(sample.rtt().median()).isEqualTo(7.5, within(1e-9));
  }

  @Test
  void a_prober_is_no_device_and_its_page_cut_off_tells_nothing() {
    probes(smokeping(1000, 1000, 1000, 1000, 1000));
    CollectOutcome good = outcome(smokeping(1100, 1100, 1100, 1100, 1100));
    Pages.read(page, smokeping(1200, 1200, 1200, 1200, 1200));
    CollectOutcome cut = reader.outcome(page, AT, new Problem(FailureCode.TIMEOUT, "late"));
    Pages.read(page, "");
    CollectOutcome empty = reader.outcome(page, AT, null);

    assertThat(good.batches()).isEmpty();
    assertThat(cut.probes()).isEmpty();
    assertThat(cut.batches()).isEmpty();
    assertThat(empty.batches()).isEmpty();
    assertThat(empty.problems()).hasSize(1);
    assertThat(probes(smokeping(1300, 1300, 1300, 1300, 1300)))
        .extracting(ProbeSample::sent)
        .containsExactly(200L);
  }

  @Test
  void another_programs_total_is_no_probe() {
    CollectOutcome outcome =
        outcome("total 5\ntotal{dst=\"\"} 6\nnode_network_up{device=\"e\"} 1\n");

    assertThat(outcome.probes()).isEmpty();
    assertThat(outcome.problems()).isEmpty();
    assertThat(outcome.readings()).isPositive();
  }
}
