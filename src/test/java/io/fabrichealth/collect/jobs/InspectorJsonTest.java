package io.fabrichealth.collect.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collective.CollectiveFinding;
import io.fabrichealth.collective.InspectorLog;
import io.fabrichealth.collective.Job;
import io.fabrichealth.collective.JobAnalyzer;
import io.fabrichealth.finding.Cause;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntBinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InspectorJsonTest {
  private static final int RANKS = 8;

  private static String line(int rank, int sequence, String micros) {
    return String.format(
        Locale.ROOT,
        """
        {"header":{"id":"0x7f01","comm_name":"dp","rank":%d,"n_ranks":%d,"nnodes":2},\
        "metadata":{"inspector_output_format_version":"v4.0","git_rev":"x",\
        "rec_mechanism":"nccl_profiler_interface","dump_timestamp_us":1790000000000000,\
        "hostname":"gpu-00%d","pid":%d},\
        "coll_perf":{"coll":"AllReduce","coll_sn":%d,"coll_msg_size_bytes":1048576,\
        "coll_exec_time_us":%s,"coll_timing_source":"kernel_gpu","coll_algobw_gbs":17.2,"coll_busbw_gbs":32.3}}
        """,
        rank,
        RANKS,
        rank / 4,
        100 + rank,
        sequence,
        micros);
  }

  private static InspectorJson.Reading read(String text) throws IOException {
    return InspectorJson.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static List<CollectiveFinding> findings(IntBinaryOperator micros) throws IOException {
    List<InspectorLog> logs = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      StringBuilder text = new StringBuilder();
      for (int sequence = 0; sequence < 60; sequence++) {
        text.append(
            line(rank, sequence, String.valueOf(micros.applyAsInt(rank, sequence) + rank * 3)));
      }
      logs.add(read(text.toString()).log());
    }
    return JobAnalyzer.analyze(Job.UNNAMED, List.of(), List.of(), List.of(), logs).findings();
  }

  @Test
  void a_job_in_which_all_take_the_same_has_no_fault() throws IOException {
    assertThat(findings((rank, sequence) -> 61_000)).isEmpty();
  }

  @Test
  void the_rank_for_which_the_others_wait_is_the_straggler() throws IOException {
    List<CollectiveFinding> findings = findings((rank, sequence) -> rank == 5 ? 61 : 50_061);

    assertThat(findings)
        .extracting(CollectiveFinding::cause)
        .containsExactly(Cause.COMPUTE_STRAGGLER);
    assertThat(findings.getFirst().ranks()).containsExactly(5);
    assertThat(findings.getFirst().hosts()).containsExactly("gpu-001");
  }

  @Test
  void another_rank_each_time_is_nobodys_fault() throws IOException {
    List<CollectiveFinding> findings =
        findings((rank, sequence) -> rank == sequence % RANKS ? 61 : 50_061);

    assertThat(findings)
        .extracting(CollectiveFinding::cause)
        .containsExactly(Cause.WORKLOAD_IMBALANCE);
    assertThat(findings.getFirst().ranks()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"nan\"", "null", "-1", "0"})
  void an_operation_without_a_time_is_passed_over(String micros) throws IOException {
    InspectorJson.Reading reading = read(line(0, 1, "61") + line(0, 2, micros));

    assertThat(reading.log().operations()).isEqualTo(1);
    assertThat(reading.skipped()).isEqualTo(1);
  }

  @Test
  void a_broken_line_costs_no_other() throws IOException {
    String whole = line(0, 1, "61");
    InspectorJson.Reading reading = read(whole + whole.substring(0, 200) + "\n" + line(0, 2, "62"));

    assertThat(reading.log().operations()).isEqualTo(2);
    assertThat(reading.skipped()).isEqualTo(1);
    assertThat(reading.reason()).startsWith("line 2");
  }

  @Test
  void lines_of_older_versions_have_no_name() throws IOException {
    String old = line(0, 1, "61").replace("\"comm_name\":\"dp\",", "").replace("v4.0", "v3.0");

    assertThat(read(old).log().operations()).isEqualTo(1);
  }

  @Test
  void more_than_is_kept_is_still_counted() throws IOException {
    StringBuilder text = new StringBuilder();
    int most = InspectorLog.FIRST_KEPT + InspectorLog.LAST_KEPT + 100;
    for (int sequence = 0; sequence < most; sequence++) {
      text.append(line(0, sequence, "61"));
    }

    assertThat(read(text.toString()).log().operations()).isEqualTo(most);
  }
}
