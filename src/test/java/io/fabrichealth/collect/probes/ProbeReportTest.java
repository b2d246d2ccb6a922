package io.fabrichealth.collect.probes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.latency.ProbeSample;
import io.fabrichealth.latency.ProbeSample.Endpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProbeReportTest {
  private static final Endpoint SRC = new Endpoint("gpu-001", "mlx5_0/1");
  private static final Endpoint DST = new Endpoint("gpu-002", "mlx5_0/1");

  private static ProbeReport read(ProbeFormat format, @Nullable Endpoint dst, String text)
      throws IOException {
    return ProbeReport.read(format, SRC, dst, new BufferedReader(new StringReader(text)));
  }

  @Test
  void the_summaries_of_ping_of_three_systems_are_read() throws IOException {
    List<ProbeSample> samples =
        read(
                ProbeFormat.PING,
                null,
                """
                PING 198.18.0.2 (198.18.0.2) 56(84) bytes of data.
                64 bytes from 198.18.0.2: icmp_seq=1 ttl=64 time=0.045 ms

                --- 198.18.0.2 ping statistics ---
                10 packets transmitted, 9 received, 10% packet loss, time 9001ms
                rtt min/avg/max/mdev = 0.041/0.052/0.090/0.012 ms
                PING gone (198.18.0.9): 56 data bytes
                3 packets transmitted, 0 packets received, 100% packet loss
                PING host3 (198.18.0.3): 56 data bytes
                5 packets transmitted, 5 packets received, 0% packet loss
                round-trip min/avg/max = 0.100/0.150/0.200 ms
                """)
            .samples();

    assertThat(samples)
        .extracting(sample -> sample.dst().device())
        .containsExactly("198.18.0.2", "gone", "host3");
    assertThat(samples).extracting(ProbeSample::lost).containsExactly(1L, 3L, 0L);
    assertThat(samples.get(0).rtt().min()).isEqualTo(41);
    assertThat(samples.get(0).rtt().median()).isNaN();
    assertThat(samples.get(0).rtt().max()).isEqualTo(90);
    assertThat(samples.get(1).rtt()).isNull();
    assertThat(samples.get(2).rtt().max()).isEqualTo(200);
  }

  @Test
  void sums_and_single_round_trips_of_fping_are_read() throws IOException {
    List<ProbeSample> samples =
        read(
                ProbeFormat.FPING,
                null,
                """
                host2 : [0], 64 bytes, 0.05 ms (0.05 avg, 0% loss)
                host2 : xmt/rcv/%loss = 5/5/0%, min/avg/max = 0.04/0.06/0.08
                host3 : xmt/rcv/%loss = 5/0/100%
                host4  : 0.05 0.06 - 0.08
                host5 : - -
                """)
            .samples();

    assertThat(samples)
        .extracting(sample -> sample.dst().device())
        .containsExactly("host2", "host3", "host4", "host5");
    assertThat(samples).extracting(ProbeSample::sent).containsExactly(5L, 5L, 4L, 2L);
    assertThat(samples).extracting(ProbeSample::lost).containsExactly(0L, 5L, 1L, 2L);
    assertThat(samples.get(0).rtt().min()).isEqualTo(40);
    assertThat(samples.get(2).rtt().median()).isEqualTo(60);
    assertThat(samples.get(2).rtt().p99()).isNaN();
    assertThat(samples.get(1).rtt()).isNull();
    assertThat(samples.get(3).rtt()).isNull();
  }

  @Test
  void lines_of_json_of_fping_count_each_host_once() throws IOException {
    ProbeReport report =
        read(
            ProbeFormat.FPING,
            null,
            """
            {"resp": {"host": "a", "seq": 0, "size": 64, "rtt": 0.1}}
            {"timeout": {"host": "a", "seq": 1}}
            {"vSum": {"host": "a", "values": [0.1, null, 0.3]}}
            {"summary": {"host": "a", "xmt": 3, "rcv": 2, "loss": 33, "rttMin": 0.1, "rttMax": 0.3}}
            {"summary": {"host": "b", "xmt": 2, "rcv": 2, "loss": 0, "rttMin": 0.2, "rttMax": 0.4}}
            {"summary":
            """);

    assertThat(report.samples()).hasSize(2);
    assertThat(report.samples().getFirst().lost()).isEqualTo(1);
    assertThat(report.samples().getFirst().rtt().max()).isEqualTo(300);
    assertThat(report.samples().getLast().rtt().min()).isEqualTo(200);
    assertThat(report.problems()).extracting(ProbeReport.Problem::line).containsExactly(6);
  }

  @Test
  void half_round_trips_of_perftest_become_whole_ones() throws IOException {
    String table =
        """
                            RDMA_Write Latency Test
         #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    \
        t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]
         2       1000          0.80           3.50         0.85                0.86             \
        0.02            0.95                    3.50
        """;

    ProbeSample write = read(ProbeFormat.PERFTEST, DST, table).samples().getFirst();
    ProbeSample read =
        read(ProbeFormat.PERFTEST, DST, table.replace("Write", "Read")).samples().getFirst();

    assertThat(write.rtt().min()).isEqualTo(1.6);
    assertThat(write.rtt().median()).isEqualTo(1.7);
    assertThat(write.rtt().p99()).isEqualTo(1.9);
    assertThat(write.bytes()).isEqualTo(2);
    assertThat(write.sent()).as("nothing is said of loss").isZero();
    assertThat(read.rtt().min()).isEqualTo(.8);
    assertThat(read(ProbeFormat.PERFTEST, DST, table.replace("RDMA_Write Latency Test", "")))
        .satisfies(
            none -> {
              assertThat(none.samples()).isEmpty();
              assertThat(none.problems()).hasSize(1);
            });
  }

  @Test
  void the_json_of_perftest_is_read() throws IOException {
    ProbeReport report =
        read(
            ProbeFormat.PERFTEST,
            DST,
            """
            {
            "test_info": {"test": "Send Latency Test", "Device": "mlx5_0"},
            "results": {"MsgSize": 8, "n_iterations": 1000, "t_min": 1.0, "t_max": 9.0,
              "t_typical": 1.1, "percentile_99": 2.0}
            }
            """);

    assertThat(report.problems()).isEmpty();
    assertThat(report.samples().getFirst().rtt().median()).isEqualTo(2.2);
    assertThat(read(ProbeFormat.PERFTEST, DST, "{\"results\": {,}}").problems()).hasSize(1);
  }

  @Test
  void the_table_of_osu_is_read_and_that_of_a_bandwidth_is_not() throws IOException {
    ProbeReport report =
        read(
            ProbeFormat.OSU,
            DST,
            """
            # OSU MPI Latency Test v7.0
            # Size          Latency (us)
            0                       1.01
            8                       1.05
            """);

    assertThat(report.samples()).extracting(ProbeSample::bytes).containsExactly(0, 8);
    assertThat(report.samples().getLast().rtt().median()).isEqualTo(2.1);
    assertThat(read(ProbeFormat.OSU, DST, "# Size      Bandwidth (MB/s)\n1    2.5\n").problems())
        .hasSize(1);
  }

  @Test
  void who_it_was_sent_to_has_to_be_said_by_somebody() throws IOException {
    ProbeReport report =
        read(ProbeFormat.OSU, null, "# Size          Latency (us)\n0                       1.01\n");

    assertThat(report.samples()).isEmpty();
    assertThat(report.problems()).extracting(ProbeReport.Problem::line).containsExactly(2);
  }

  @Test
  void hostile_text_costs_no_more_than_its_length() throws IOException {
    String endless = "h : " + "0.1 ".repeat(400_000) + "\n" + "x".repeat(3 << 20);

    for (ProbeFormat format : ProbeFormat.values()) {
      assertThat(read(format, DST, endless).samples().size()).isLessThan(2);
      assertThat(read(format, DST, "{".repeat(100_000)).samples()).isEmpty();
      assertThat(read(format, DST, "").samples()).isEmpty();
    }
  }
}
