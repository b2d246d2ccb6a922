package io.fabrichealth.collect.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabrichealth.collective.EntryState;
import io.fabrichealth.collective.FlightRecorder;
import io.fabrichealth.collective.GroupStatus;
import io.fabrichealth.collective.ProcessGroup;
import io.fabrichealth.collective.recorder.DumpReading;
import io.fabrichealth.collective.recorder.RecorderValues;
import io.fabrichealth.collective.recorder.UnreadableDumpException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonDumpTest {
  private static final String DUMP =
      """
      {"entries":[{"record_id":6,"pg_id":1,"process_group":["7","dp"],"collective_seq_id":8,
        "p2p_seq_id":0,"op_id":9,"profiling_name":"gloo:all_reduce",
        "time_created_ns":1790000000000000001,"input_sizes":[[1024,2],[]],
        "input_dtypes":["Float","Int"],"output_sizes":[[1024]],"output_dtypes":["Float"],
        "state":"scheduled","time_discovered_started_ns":0,"time_discovered_completed_ns":0,
        "duration_ms":0.5,"retired":true,"timeout_ms":600000,"is_p2p":false,"later":{"a":[1]}}],
       "nccl_comm_state":{},
       "pg_config":{"7":{"name":"7","desc":"dp","ranks":"[1, 0]"}},
       "pg_status":{"1":{"last_enqueued_collective":"11","last_started_collective":"-1",
         "last_completed_collective":"10"}},
       "version":"2.10"}
      """;

  private final JsonDump dumps = new JsonDump(new RecorderValues());

  @Test
  void counts_are_strings_times_of_zero_are_none_and_entries_may_come_first()
      throws UnreadableDumpException {
    DumpReading reading = read(DUMP);
    FlightRecorder recorder = reading.recorder();

    assertThat(reading.reason()).isNull();
    assertThat(recorder.version()).isEqualTo("2.10");
    assertThat(recorder.group(0)).isEqualTo(new ProcessGroup("7", "dp", List.of(0, 1)));
    assertThat(recorder.statuses()).containsExactly(new GroupStatus(1, 11, -1, 10));
    assertThat(recorder.operation(0).inputSizes()).containsExactly(List.of(1024L, 2L), List.of());
    assertThat(recorder.operation(0).inputTypes()).containsExactly("Float", "Int");
    assertThat(recorder.createdNanos(0)).isEqualTo(1_790_000_000_000_000_001L);
    assertThat(recorder.startedNanos(0)).isEqualTo(FlightRecorder.ABSENT);
    assertThat(recorder.completedNanos(0)).isEqualTo(FlightRecorder.ABSENT);
    assertThat(recorder.durationNanos(0)).isEqualTo(500_000);
    assertThat(recorder.collectiveSequence(0)).isEqualTo(8);
    assertThat(recorder.operationId(0)).isEqualTo(9);
    assertThat(recorder.state(0)).isEqualTo(EntryState.SCHEDULED);
    assertThat(recorder.isRetired(0)).isTrue();
  }

  @Test
  void a_rank_without_entries_leaves_the_list_out() throws UnreadableDumpException {
    FlightRecorder recorder = read("{\"pg_config\":{},\"version\":\"2.10\"}").recorder();

    assertThat(recorder.size()).isZero();
    assertThat(recorder.isWhole()).isTrue();
  }

  @Test
  void a_dump_cut_off_anywhere_is_read_up_to_there_or_refused() {
    int read = 0;
    for (int length = 0; length < DUMP.strip().length(); length++) {
      try {
        DumpReading reading = read(DUMP.substring(0, length));
        assertThat(reading.reason())
            .matches("cut off at line \\d+, column \\d+, after \\d entries");
        assertThat(reading.recorder().isWhole()).isFalse();
        read++;
      } catch (UnreadableDumpException nothing) {
        assertThat(read).as("length %d", length).isZero();
      }
    }
    assertThat(read).isPositive();
  }

  @Test
  void values_of_other_kinds_are_absent_and_what_is_no_entry_is_counted()
      throws UnreadableDumpException {
    DumpReading reading =
        read(
            """
            {"version":"2.10","entries":[5,{"x":1},[],{"profiling_name":"a:b","record_id":"seven",
             "state":4,"input_sizes":"none","output_sizes":[3,[1.5,"x",4]],"process_group":7,
             "frames":[{"name":"f","filename":"g.py","line":3},9],"duration_ms":"NaN",
             "time_created_ns":99999999999999999999999}, {"profiling_name":"a:b","record_id":1}]}
            """);

    assertThat(reading.skipped()).isEqualTo(4);
    assertThat(reading.recorder().size()).isOne();
    assertThat(reading.recorder().recordId(0)).isOne();
  }

  @Test
  void what_is_not_a_dump_is_refused_with_the_place() {
    assertThatThrownBy(() -> read("{\"a\": 1}")).hasMessageContaining("not a dump");
    assertThatThrownBy(() -> read("")).isInstanceOf(UnreadableDumpException.class);
    assertThatThrownBy(() -> read("{\"version\": nonsense}"))
        .hasMessageContaining("at line 1, column");
    assertThatThrownBy(() -> read("\0{\0\0{}")).isInstanceOf(UnreadableDumpException.class);
    assertThatThrownBy(() -> read("[".repeat(100_000))).isInstanceOf(UnreadableDumpException.class);
  }

  private DumpReading read(String json) throws UnreadableDumpException {
    return dumps.read(
        new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)), 0, "rank0.json");
  }
}
