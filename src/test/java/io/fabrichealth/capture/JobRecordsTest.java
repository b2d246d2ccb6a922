package io.fabrichealth.capture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collective.Collective;
import io.fabrichealth.collective.CollectiveFinding;
import io.fabrichealth.collective.Job;
import io.fabrichealth.collective.JobRank;
import io.fabrichealth.collective.ProcessGroup;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.SignalDictionary;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobRecordsTest {
  private static final Instant AT = Instant.parse("2026-03-01T00:00:01Z");
  private static final SignalDictionary SIGNALS = SignalCatalogue.load();

  private static final String HEAD =
      "{\"type\":\"capture\",\"version\":1,\"at\":\"2026-03-01T00:00:00Z\",\"writer\":\"test\"}\n";

  private static List<EngineInput> read(byte[] capture, int unusable, int refused)
      throws IOException, InvalidCaptureException {
    List<EngineInput> all = new ArrayList<>();
    try (CaptureReader in =
        CaptureReader.open(new ByteArrayInputStream(capture), "test", SIGNALS)) {
      for (EngineInput input = in.next(); input != null; input = in.next()) {
        all.add(input);
      }
      assertThat(in.summary().unusable())
          .as(in.summary().firstUnusable().toString())
          .isEqualTo(unusable);
      assertThat(in.summary().refusedValues())
          .as(in.summary().firstRefused().toString())
          .isEqualTo(refused);
    }
    return all;
  }

  private static List<EngineInput> readLine(String record, int unusable, int refused)
      throws IOException, InvalidCaptureException {
    return read((HEAD + record + "\n").getBytes(UTF_8), unusable, refused);
  }

  @Test
  void a_roster_and_a_collective_are_read_as_they_were_written() throws Exception {
    Job job =
        new Job(
            "train-7",
            List.of(new JobRank(0, "gpu-001", 0, "mlx5_0/1"), new JobRank(8, null, null, null)),
            List.of(new ProcessGroup("dp0", "dp", List.of(0, 8))));
    Collective collective =
        new Collective.Builder("train-7", "dp0", 41, "all_reduce")
            .bytes(1L << 40)
            .algorithm("RING", "SIMPLE")
            .channels(8)
            .transport(0, "RDMA")
            .transport(8, "SOCKET")
            .row(0, 1_772_323_200_000_000.0, 1_772_323_200_000_040.0, 9120.5)
            .row(8, 1_772_323_200_000_001.0, Double.NaN, Double.NaN)
            .build();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (CaptureWriter writer = CaptureWriter.create(out, SIGNALS, AT, "test")) {
      writer.write(new EngineInput.Roster(AT, job, true));
      writer.write(new EngineInput.Timing(AT, collective));
    }

    List<EngineInput> read = read(out.toByteArray(), 0, 0);

    assertThat(read.getFirst()).isEqualTo(new EngineInput.Roster(AT, job, true));
    Collective back = ((EngineInput.Timing) read.getLast()).collective();
    assertThat(back).isEqualTo(collective);
  }

  @Test
  void a_collective_that_timed_out_and_a_send_keep_what_is_special_to_them() throws Exception {
    EngineInput read =
        readLine(
                "{\"type\":\"collective\",\"at\":\"2026-03-01T00:00:01Z\",\"job\":\"j\","
                    + "\"group\":\"pp\",\"seq\":3,\"op\":\"send\",\"peer\":9,\"timedOut\":true,"
                    + "\"transport\":\"RDMA\",\"ranks\":[[1,null,null,null,\"new\"]]}",
                0,
                0)
            .getFirst();

    Collective of = ((EngineInput.Timing) read).collective();
    assertThat(of.isTimedOut()).isTrue();
    assertThat(of.peer()).isEqualTo(9);
    assertThat(of.transport(1)).isEqualTo("RDMA");
    assertThat(of.rank(0)).isEqualTo(1);
    assertThat(of.duration(0)).isNaN();
  }

  @Test
  void a_record_without_job_or_number_is_refused_and_the_next_is_read() throws Exception {
    String good =
        "{\"type\":\"job\",\"at\":\"2026-03-01T00:00:01Z\",\"job\":\"j\",\"ranks\":[],"
            + "\"groups\":[]}";
    String capture =
        HEAD
            + "{\"type\":\"collective\",\"at\":\"2026-03-01T00:00:01Z\",\"job\":\"j\"}\n"
            + "{\"type\":\"job\",\"at\":\"2026-03-01T00:00:01Z\"}\n"
            + good
            + "\n";

    assertThat(read(capture.getBytes(UTF_8), 2, 0)).hasSize(1);
  }

  @Test
  void values_of_another_kind_are_said_and_cost_nothing_else() throws Exception {
    EngineInput read =
        readLine(
                "{\"type\":\"collective\",\"at\":\"2026-03-01T00:00:01Z\",\"job\":\"j\","
                    + "\"group\":\"dp\",\"seq\":3,\"op\":\"all_reduce\",\"timedOut\":\"yes\","
                    + "\"ranks\":[[0,1.0,2.0,-5.0],[\"x\",1.0,2.0,3.0],[-1,1,1,1],7,[2,\"y\",2,4]]}",
                0,
                5)
            .getFirst();

    Collective of = ((EngineInput.Timing) read).collective();
    assertThat(of.size()).isEqualTo(2);
    assertThat(of.duration(0)).isNaN();
    assertThat(of.enqueued(1)).isNaN();
    assertThat(of.duration(1)).isEqualTo(4);
  }

  static CollectiveFinding hung(@Nullable Instant since) {
    Subject rank = Subject.rank("train-7", 12);
    return new CollectiveFinding(
        Cause.HUNG_RANK,
        rank,
        List.of(12),
        List.of("gpu-002"),
        List.of(),
        .97,
        since,
        "Rank 12 holds the job up.",
        List.of(
            new Evidence(
                Family.COLLECTIVE,
                "python.stack",
                rank,
                "File \"/job/train.py\", line 7\n".repeat(200),
                "an answer",
                Reference.PEERS,
                3.5,
                AT,
                AT,
                "rank 12")));
  }

  @Test
  void an_analysis_is_read_as_it_was_written() throws Exception {
    EngineInput.Analysis analysis =
        new EngineInput.Analysis(
            AT, "train-7", "files", List.of(hung(AT.minusSeconds(30)), hung(null)));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (CaptureWriter writer = CaptureWriter.create(out, SIGNALS, AT, "test")) {
      writer.write(analysis);
    }

    assertThat(read(out.toByteArray(), 0, 0)).containsExactly(analysis);
    assertThat(out.toString(UTF_8))
        .contains("\"subject\":{\"type\":\"rank\",\"id\":\"train-7/12\"}")
        .contains("\"cause\":\"HUNG_RANK\"");
  }

  @Test
  void a_finding_that_lacks_something_costs_no_other() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (CaptureWriter writer = CaptureWriter.create(out, SIGNALS, AT, "test")) {
      writer.write(new EngineInput.Analysis(AT, "train-7", "files", List.of(hung(null))));
    }
    String whole = out.toString(UTF_8);
    String bad =
        "\"findings\":[7,null,{},{\"cause\":\"HUNG_RANK\",\"probability\":0.9},"
            + "{\"cause\":\"NO_SUCH\"},{\"cause\":\"HUNG_RANK\",\"subject\":{\"type\":\"rank\"},"
            + "\"probability\":2,\"summary\":\"\",\"evidence\":[{}]},";

    List<EngineInput> read = read(whole.replace("\"findings\":[", bad).getBytes(UTF_8), 0, 6);

    assertThat(((EngineInput.Analysis) read.getFirst()).findings()).containsExactly(hung(null));
  }
}
