package io.fabrichealth.collective.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabrichealth.collective.EntryState;
import io.fabrichealth.collective.FlightRecorder;
import io.fabrichealth.collective.GroupStatus;
import io.fabrichealth.collective.Operation;
import io.fabrichealth.collective.ProcessGroup;
import io.fabrichealth.testing.GeneratedDumps;
import io.fabrichealth.testing.PickleWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PickledDumpTest {
  private static final long CREATED = 1_790_000_000_123_456_789L;

  private final PickledDump dumps = new PickledDump(new RecorderValues());

  @Test
  void an_entry_is_read_with_all_that_it_holds() throws UnreadableDumpException {
    Map<String, Object> entry = entry(7);
    entry.put("duration_ms", 1.25);
    entry.put("state", "completed");
    entry.put("time_discovered_completed_ns", CREATED + 5);
    entry.put(
        "frames",
        List.of(
            new PickleWriter.Remembered(frame("all_reduce", "/torch/c10d.py", 12)),
            new PickleWriter.Remembered(frame("step", "/train.py", 300))));

    FlightRecorder recorder = read(dump(List.of(entry))).recorder();

    assertThat(recorder.rank()).isEqualTo(3);
    assertThat(recorder.version()).isEqualTo("2.9");
    assertThat(recorder.size()).isOne();
    assertThat(recorder.recordId(0)).isEqualTo(7);
    assertThat(recorder.localGroupId(0)).isEqualTo(2);
    assertThat(recorder.group(0)).isEqualTo(new ProcessGroup("41", "tp", List.of(2, 3)));
    assertThat(recorder.operation(0))
        .isEqualTo(
            new Operation(
                "nccl",
                "all_reduce",
                -1,
                -1,
                List.of(List.of(4096L, 1L, 5120L), List.of()),
                List.of("BFloat16", "Float"),
                List.of(List.of(8192L)),
                List.of("BFloat16")));
    assertThat(recorder.collectiveSequence(0)).isEqualTo(42_806);
    assertThat(recorder.pointToPointSequence(0)).isZero();
    assertThat(recorder.operationId(0)).isEqualTo(42_807);
    assertThat(recorder.createdNanos(0)).isEqualTo(CREATED);
    assertThat(recorder.startedNanos(0)).isEqualTo(FlightRecorder.ABSENT);
    assertThat(recorder.completedNanos(0)).isEqualTo(CREATED + 5);
    assertThat(recorder.durationNanos(0)).isEqualTo(1_250_000);
    assertThat(recorder.state(0)).isEqualTo(EntryState.COMPLETED);
    assertThat(recorder.isRetired(0)).isTrue();
    assertThat(recorder.isPointToPoint(0)).isFalse();
    assertThat(recorder.stack(0))
        .containsExactly("all_reduce (/torch/c10d.py:12)", "step (/train.py:300)");
    assertThat(recorder.statuses()).containsExactly(new GroupStatus(2, 811, -1, 807));
  }

  @Test
  void a_send_and_a_receive_name_both_ends() throws UnreadableDumpException {
    FlightRecorder recorder =
        read(dump(List.of(named("gloo:send 0->1"), named("my:recv 12<-7")))).recorder();

    assertThat(recorder.operation(0))
        .returns("send", Operation::name)
        .returns(0, Operation::source)
        .returns(1, Operation::destination);
    assertThat(recorder.operation(1))
        .returns("my", Operation::backend)
        .returns("recv", Operation::name)
        .returns(7, Operation::source)
        .returns(12, Operation::destination);
  }

  @Test
  void what_is_absent_or_of_another_kind_is_absent_and_not_zero() throws UnreadableDumpException {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("profiling_name", "nccl:barrier");
    entry.put("state", "lost");
    entry.put("time_created_ns", "soon");
    entry.put("duration_ms", Double.NaN);
    entry.put("input_sizes", 7);
    entry.put("process_group", List.of());
    entry.put("something_new", Map.of("a", List.of(1, 2)));

    FlightRecorder recorder = read(dump(List.of(entry))).recorder();

    assertThat(recorder.state(0)).isEqualTo(EntryState.UNKNOWN);
    assertThat(
            new long[] {
              recorder.recordId(0),
              recorder.collectiveSequence(0),
              recorder.createdNanos(0),
              recorder.durationNanos(0)
            })
        .containsOnly(FlightRecorder.ABSENT);
    assertThat(recorder.operation(0).inputSizes()).isEmpty();
    assertThat(recorder.isWhole()).isTrue();
  }

  @Test
  void dumps_of_version_1_are_a_list_and_name_neither_groups_nor_two_counters()
      throws UnreadableDumpException {
    Map<String, Object> old = new LinkedHashMap<>();
    old.put("pg_id", 1);
    old.put("seq_id", 5);
    old.put("profiling_name", "nccl:all_reduce");
    old.put("state", "started");

    FlightRecorder recorder = read(PickleWriter.pickle(List.of(old))).recorder();

    assertThat(recorder.collectiveSequence(0)).isEqualTo(5);
    assertThat(recorder.group(0)).isEqualTo(new ProcessGroup("1", "", List.of()));
    assertThat(recorder.version()).isEqualTo("1.0");
  }

  @Test
  void entries_of_gloo_keep_their_group_although_the_configuration_has_one_key_for_all()
      throws UnreadableDumpException {
    Map<String, Object> dump = dumpOf(List.of(entry(0)));
    dump.put("pg_config", Map.of("", group("", "", "[0, 1]")));

    FlightRecorder recorder = read(PickleWriter.pickle(dump)).recorder();

    assertThat(recorder.group(0)).isEqualTo(new ProcessGroup("41", "tp", List.of()));
    assertThat(recorder.groups()).contains(new ProcessGroup("", "", List.of(0, 1)));
  }

  @Test
  void a_dump_without_entries_is_a_recorder_without_entries() throws UnreadableDumpException {
    DumpReading reading = read(dump(List.of()));

    assertThat(reading.recorder().size()).isZero();
    assertThat(reading.recorder().groups()).hasSize(1);
    assertThat(reading.reason()).isNull();
  }

  @Test
  void what_python_itself_writes_is_read_too() throws UnreadableDumpException {
    byte[] protocol4 =
        new PickleWriter()
            .raw(0x80, 4, 0x95, 70, 0, 0, 0, 0, 0, 0, 0)
            .raw('}', 0x94, '(')
            .raw(0x8c, 7)
            .text("version")
            .raw(0x94, 0x8c, 3, '2', '.', '4', 0x94)
            .raw(0x8c, 7)
            .text("entries")
            .raw(0x94, ']', 0x94, '}', 0x94, '(')
            .raw(0x8c, 14)
            .text("profiling_name")
            .raw(0x94, 0x8c, 6, 'x', ':', 's', 'e', 'n', 'd', 0x94)
            .raw(0x8c, 9)
            .text("record_id")
            .raw(0x94, 0x8a, 2, 0xff, 0, 'u', 'a', 'u')
            .stop();

    FlightRecorder recorder = read(protocol4).recorder();

    assertThat(recorder.version()).isEqualTo("2.4");
    assertThat(recorder.recordId(0)).isEqualTo(255);
  }

  @Test
  void a_dump_cut_off_anywhere_is_read_up_to_there_or_refused() {
    byte[] whole = new GeneratedDumps(16, 40, 5).dump(2);
    int entries = -1;
    for (int length = 1; length < whole.length; length++) {
      try {
        DumpReading reading = dumps.read(whole, length, 2, "cut");
        assertThat(reading.reason()).contains("cut off at byte " + length);
        assertThat(reading.recorder().isWhole()).isFalse();
        assertThat(reading.recorder().size()).isGreaterThanOrEqualTo(entries);
        entries = reading.recorder().size();
        assertThat(reading.recorder().groups()).isNotEmpty();
      } catch (UnreadableDumpException tooShort) {
        assertThat(entries).as("length %d", length).isEqualTo(-1);
      }
    }
    assertThat(entries).isEqualTo(40);
  }

  @Test
  void entries_that_are_none_are_counted() throws UnreadableDumpException {
    DumpReading reading = read(dump(List.of(entry(0), Map.of("a", 1), 5, entry(1))));

    assertThat(reading.recorder().size()).isEqualTo(2);
    assertThat(reading.skipped()).isEqualTo(2);
    assertThat(reading.reason()).isEqualTo("2 entries are not understood");
    assertThat(reading.recorder().isWhole()).isFalse();
  }

  @Test
  void opcodes_that_name_or_call_code_are_refused_with_their_byte() {
    Map<Integer, String> refused =
        Map.of(
            'c' + 0,
            "GLOBAL",
            0x93,
            "STACK_GLOBAL",
            'R' + 0,
            "REDUCE",
            'b' + 0,
            "BUILD",
            'i' + 0,
            "INST",
            'o' + 0,
            "OBJ",
            0x81,
            "NEWOBJ",
            'Q' + 0,
            "BINPERSID",
            0x82,
            "EXT");
    refused.forEach(
        (opcode, name) ->
            assertThatThrownBy(() -> read(new PickleWriter().raw('}', opcode).stop()))
                .isInstanceOf(UnreadableDumpException.class)
                .hasMessageContaining("byte 3, " + name)
                .hasMessageContaining("not an opcode of plain data"));
  }

  @Test
  void every_other_opcode_is_refused_as_well() {
    String plain = "(.NJKMGX})]taesuqrhj";
    for (int opcode = 0; opcode < 256; opcode++) {
      boolean isPlain = plain.indexOf(opcode) >= 0 || (opcode >= 0x80 && opcode != 0x96);
      if (!isPlain) {
        byte[] bytes = new PickleWriter().raw(opcode, 0, 0, 0, 0, 0, 0, 0, 0, 0).stop();
        assertThatThrownBy(() -> read(bytes))
            .as("opcode %d", opcode)
            .hasMessageContaining("not an opcode of plain data");
      }
    }
  }

  @Test
  void bombs_are_refused_before_they_cost_memory() {
    PickleWriter deep = new PickleWriter();
    for (int i = 0; i < 100_000; i++) {
      deep.raw(']', '(');
    }
    assertThatThrownBy(() -> read(deep.stop())).hasMessageContaining("nested deeper than 256");
    assertThatThrownBy(() -> read(new PickleWriter().raw('}', 'r', 0xff, 0xff, 0xff, 0x7f).stop()))
        .hasMessageContaining("number 2147483647 in the memo");
    assertThatThrownBy(() -> read(new PickleWriter().raw('j', 1, 0, 0, 0).stop()))
        .hasMessageContaining("not in the memo");
    assertThatThrownBy(() -> read(new PickleWriter().raw('X', 0xff, 0xff, 0xff, 0xff, 'a').stop()))
        .hasMessageContaining("ends before it says anything");
    assertThatThrownBy(
            () ->
                read(
                    new PickleWriter()
                        .raw(0x8d, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)
                        .stop()))
        .hasMessageContaining("ends before it says anything");
  }

  @Test
  void one_list_that_stands_in_many_places_is_not_gone_through_for_ever() {
    PickleWriter bomb = new PickleWriter().raw('}', '(').value("entries").raw(']', '(');
    bomb.raw(']', 'q', 200, '(');
    for (int i = 0; i < 60_000; i++) {
      bomb.raw('K', 1);
    }
    bomb.raw('e');
    for (int i = 0; i < 20_000; i++) {
      bomb.raw('}', '(').value("profiling_name").value("x").value("record_id").value(i);
      bomb.value("input_sizes").raw('h', 200, 'u');
    }

    assertThatThrownBy(() -> read(bomb.raw('e', 'u').stop()))
        .hasMessageContaining("used again and again");
  }

  @Test
  void lists_that_grow_in_turn_are_refused() {
    PickleWriter bomb = new PickleWriter().raw(']', 'q', 1, ']', 'q', 2, '0');
    PickleWriter turns = new PickleWriter().raw(']', 'q', 0, ']', 'q', 1, '(');
    for (int i = 0; i < 30_000; i++) {
      turns.raw('h', 0, 'N', 'a', 'h', 1, 'N', 'a');
    }

    assertThatThrownBy(() -> read(turns.stop())).hasMessageContaining("grow in turn");
    assertThatThrownBy(() -> read(bomb.stop())).hasMessageContaining("not an opcode");
  }

  @Test
  void damage_is_told_and_not_thrown() {
    List<byte[]> damaged = new ArrayList<>();
    damaged.add(new PickleWriter().raw('e').stop());
    damaged.add(new PickleWriter().raw('(', 'e').stop());
    damaged.add(new PickleWriter().raw('}', '(', 'K', 1, 'u').stop());
    damaged.add(new PickleWriter().raw('K', 1, '(', 'N', 'u').stop());
    damaged.add(new PickleWriter().raw(0x86).stop());
    damaged.add(new PickleWriter().raw('q', 0).stop());
    damaged.add(new PickleWriter().raw('s').stop());
    damaged.add(new PickleWriter().raw('a').stop());
    damaged.add(new PickleWriter().raw(0x80, 9).stop());
    damaged.add(new PickleWriter().stop());
    damaged.add(new PickleWriter().value(Map.of("weights", 5)).stop());
    damaged.add(new PickleWriter().value(List.of(1, 2, 3)).stop());
    damaged.add(new PickleWriter().value("text").stop());
    damaged.add(new PickleWriter().value(Map.of()).value(Map.of()).stop());

    for (byte[] bytes : damaged) {
      assertThatThrownBy(() -> read(bytes))
          .as(Arrays.toString(bytes))
          .isInstanceOf(UnreadableDumpException.class)
          .hasMessageMatching("(?s)byte \\d+, .+");
    }
    assertThatThrownBy(() -> read(new byte[0])).hasMessage("it is empty");
  }

  @Test
  void a_reader_reads_one_dump_like_another_whatever_it_read_before()
      throws UnreadableDumpException {
    GeneratedDumps job = new GeneratedDumps(16, 100, 5);
    for (int rank = 0; rank < 16; rank++) {
      byte[] bytes = job.dump(rank);
      DumpReading used = dumps.read(bytes, bytes.length, rank, "again");
      DumpReading fresh =
          new PickledDump(new RecorderValues()).read(bytes, bytes.length, rank, "again");
      assertThat(columns(used.recorder())).isEqualTo(columns(fresh.recorder()));
      assertThatThrownBy(() -> read(new PickleWriter().raw('}', '(', 'N').raw('c').stop()))
          .isInstanceOf(UnreadableDumpException.class);
    }
  }

  @Test
  void ranks_that_call_the_same_share_what_they_call() throws UnreadableDumpException {
    FlightRecorder one = read(dump(List.of(entry(0)))).recorder();
    FlightRecorder other = read(dump(List.of(entry(1)))).recorder();

    assertThat(one.operation(0)).isSameAs(other.operation(0));
    assertThat(one.group(0)).isSameAs(other.group(0));
  }

  private static List<String> columns(FlightRecorder recorder) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < recorder.size(); i++) {
      lines.add(
          List.of(
                  recorder.recordId(i),
                  recorder.group(i),
                  recorder.operation(i),
                  recorder.stack(i),
                  recorder.collectiveSequence(i),
                  recorder.createdNanos(i),
                  recorder.durationNanos(i),
                  recorder.state(i))
              .toString());
    }
    return lines;
  }

  private DumpReading read(byte[] bytes) throws UnreadableDumpException {
    return dumps.read(bytes, bytes.length, 3, "trace_rank_3");
  }

  private static byte[] dump(List<?> entries) {
    return PickleWriter.pickle(dumpOf(entries));
  }

  private static Map<String, Object> dumpOf(List<?> entries) {
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("last_enqueued_collective", 811);
    status.put("last_started_collective", -1);
    status.put("last_completed_collective", 807);
    Map<String, Object> dump = new LinkedHashMap<>();
    dump.put("version", "2.9");
    dump.put("pg_config", Map.of("41", group("41", "tp", "[3, 2]")));
    dump.put("nccl_version", "2.27.3");
    dump.put("pg_status", Map.of("2", status));
    dump.put("entries", entries);
    return dump;
  }

  private static Map<String, Object> group(String name, String description, String ranks) {
    return Map.of("name", name, "desc", description, "ranks", ranks);
  }

  private static Map<String, Object> named(String profilingName) {
    Map<String, Object> entry = entry(0);
    entry.put("profiling_name", profilingName);
    return entry;
  }

  private static Map<String, Object> frame(String name, String file, int line) {
    Map<String, Object> frame = new LinkedHashMap<>();
    frame.put("name", name);
    frame.put("filename", file);
    frame.put("line", line);
    return frame;
  }

  private static Map<String, Object> entry(int record) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("record_id", record);
    entry.put("pg_id", 2);
    entry.put("process_group", new Object[] {"41", "tp"});
    entry.put("collective_seq_id", 42_806);
    entry.put("p2p_seq_id", 0);
    entry.put("op_id", 42_807);
    entry.put("profiling_name", "nccl:all_reduce");
    entry.put("time_created_ns", CREATED);
    entry.put("input_sizes", List.of(List.of(4096, 1, 5120), List.of()));
    entry.put("input_dtypes", List.of("BFloat16", "Float"));
    entry.put("output_sizes", List.of(List.of(8192)));
    entry.put("output_dtypes", List.of("BFloat16"));
    entry.put("state", "scheduled");
    entry.put("time_discovered_started_ns", null);
    entry.put("time_discovered_completed_ns", null);
    entry.put("retired", true);
    entry.put("timeout_ms", 180_000);
    entry.put("is_p2p", false);
    return entry;
  }
}
