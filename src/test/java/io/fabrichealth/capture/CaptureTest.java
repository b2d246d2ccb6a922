package io.fabrichealth.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabrichealth.collective.Collective;
import io.fabrichealth.collective.Job;
import io.fabrichealth.collective.JobRank;
import io.fabrichealth.collective.ProcessGroup;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.latency.ProbeSample;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.testing.Batches;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.ErrorBin;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Scope;
import io.fabrichealth.topology.Tier;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CaptureTest {
  private static final SignalDictionary DICTIONARY = SignalCatalogue.load();
  private static final Instant AT = Instant.parse("2026-03-01T00:00:00.000000001Z");
  private static final String HEAD =
      "{\"type\":\"capture\",\"version\":1,\"at\":\"2026-03-01T00:00:00Z\",\"writer\":\"w/1\"}\n";
  private static final String EVENT =
      "{\"type\":\"event\",\"at\":\"2026-03-01T00:00:01Z\",\"device\":\"d\",\"event\":\"reboot\"}\n";

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"c.ndjson", "c.ndjson.gz", "c.ndjson.zst"})
  void what_is_written_is_read_as_it_was(String name) throws Exception {
    List<EngineInput> written = inputs();
    Path file = folder.resolve(name);
    try (CaptureWriter out = CaptureWriter.create(file, DICTIONARY, AT, "test/1")) {
      for (EngineInput input : written) {
        out.write(input);
        out.flush();
      }
      assertThat(out.records()).isEqualTo(written.size());
    }

    // What compressed it is told by the content alone.
    Path renamed = Files.move(file, folder.resolve("renamed"));
    List<EngineInput> read = new ArrayList<>();
    try (CaptureReader in = CaptureReader.open(renamed, DICTIONARY)) {
      assertThat(in.writer()).isEqualTo("test/1");
      for (EngineInput input = in.next(); input != null; input = in.next()) {
        read.add(input);
      }
      assertThat(in.summary().isDamaged()).isFalse();
      assertThat(in.summary().refusedValues()).isZero();
      assertThat(in.summary().records())
          .isEqualTo(
              Map.of(
                  "topology",
                  1L,
                  "poll",
                  2L,
                  "probe",
                  2L,
                  "event",
                  2L,
                  "maintenance",
                  1L,
                  "job",
                  1L,
                  "collective",
                  1L,
                  "analysis",
                  1L));
    }

    assertThat(read).hasSameSizeAs(written);
    for (int i = 0; i < read.size(); i++) {
      assertSame(read.get(i), written.get(i));
    }
  }

  private static void assertSame(EngineInput read, EngineInput written) {
    assertThat(read.at()).isEqualTo(written.at());
    switch (written) {
      case EngineInput.Topology topology -> {
        Fabric fabric = ((EngineInput.Topology) read).fabric();
        assertThat(fabric.devices()).containsExactlyElementsOf(topology.fabric().devices());
        assertThat(fabric.ports()).containsExactlyElementsOf(topology.fabric().ports());
        assertThat(fabric.links()).containsExactlyElementsOf(topology.fabric().links());
      }
      case EngineInput.Poll poll -> {
        PollBatch batch = ((EngineInput.Poll) read).batch();
        assertThat(Batches.lines(batch, DICTIONARY))
            .isEqualTo(Batches.lines(poll.batch(), DICTIONARY));
        assertThat(batch.complete()).isEqualTo(poll.batch().complete());
        assertThat(batch.boot()).isEqualTo(poll.batch().boot());
      }
      case EngineInput.Probe probe -> assertThat(read).isEqualTo(probe);
      case EngineInput.Event event -> assertThat(read).isEqualTo(event);
      case EngineInput.Maintenance window -> assertThat(read).isEqualTo(window);
      case EngineInput.Roster roster -> assertThat(read).isEqualTo(roster);
      case EngineInput.Timing timing -> assertThat(read).isEqualTo(timing);
      case EngineInput.Analysis analysis -> assertThat(read).isEqualTo(analysis);
    }
  }

  static List<EngineInput> inputs() {
    PollBatch.Builder batch = PollBatch.builder("leaf1", "snmp", AT).boot("b-1");
    int port = batch.port("Ethernet1/1");
    batch.counter(port, DICTIONARY.ordinal("port.in_octets"), 0, -1L);
    batch.absent(
        port, DICTIONARY.ordinal("optics.rx_power_dbm"), 2, Quality.UNREADABLE, "no light");
    return List.of(
        new EngineInput.Topology(AT, fabric()),
        new EngineInput.Poll(batch.build(true)),
        new EngineInput.Poll(PollBatch.missed("leaf2", "gnmi", AT.plusNanos(1))),
        new EngineInput.Probe(
            AT.plusSeconds(1),
            new ProbeSample(
                new ProbeSample.Endpoint("h1", "mlx5_0/1"),
                new ProbeSample.Endpoint("192.0.2.1", null),
                "smokeping",
                49152,
                4096,
                List.of("a:1--b:2"),
                100,
                3,
                new ProbeSample.RoundTrip(7.1, 7.9, Double.NaN, 15.25))),
        new EngineInput.Probe(
            AT.plusSeconds(1),
            new ProbeSample(
                new ProbeSample.Endpoint("h1", null),
                new ProbeSample.Endpoint("h2", null),
                "fping",
                null,
                null,
                List.of(),
                List.of(List.of("a:1--b:2", "b:3--c:4"), List.of("a:1--d:2", "d:3--c:5")),
                List.of("c:4--b:3", "b:2--a:1"),
                5,
                5,
                null)),
        new EngineInput.Event(AT.plusSeconds(2), "leaf1", "Ethernet1/1", "link_down", "lost"),
        new EngineInput.Event(AT.plusSeconds(3), "leaf1", null, "reboot", ""),
        new EngineInput.Maintenance(
            AT.plusSeconds(4),
            "chg-17",
            new Scope(List.of("leaf1"), List.of(), List.of("leaf1:Ethernet1/1--gpu-001:mlx5_0/1")),
            AT.plusSeconds(60),
            AT.plusSeconds(3600),
            "new module"),
        new EngineInput.Roster(
            AT.plusSeconds(5),
            new Job(
                "train-7",
                List.of(new JobRank(0, "gpu-001", 0, "mlx5_0/1"), new JobRank(1, null, null, null)),
                List.of(new ProcessGroup("dp0", "", List.of(0, 1)))),
            false),
        new EngineInput.Timing(
            AT.plusSeconds(6),
            new Collective.Builder("train-7", "dp0", 41, "all_reduce")
                .bytes(268_435_456)
                .algorithm("RING", "SIMPLE")
                .channels(8)
                .timedOut(true)
                .transport("RDMA")
                .transport(1, "SOCKET")
                .row(0, 1_772_323_200_000_000.0, 1_772_323_200_000_040.0, 9120)
                .row(1, 1_772_323_200_000_007.0, Double.NaN, Double.NaN)
                .build()),
        new EngineInput.Analysis(
            AT.plusSeconds(7), "train-7", "files", List.of(JobRecordsTest.hung(AT))));
  }

  private static Fabric fabric() {
    PortId one = new PortId("leaf1", "Ethernet1/1");
    PortId other = new PortId("gpu-001", "mlx5_0/1");
    return Fabric.builder()
        .device(
            new Device(
                "leaf1",
                Role.LEAF,
                "V",
                "M 1",
                0,
                1,
                Map.of("port.in_errors", 32),
                List.of(new ErrorBin(0, 0), new ErrorBin(1, 3), new ErrorBin(4, 15))))
        .device(Device.of("gpu-001", Role.HOST))
        .port(
            new Port(
                one,
                400_000_000_000L,
                8,
                FecMode.RS544_2X,
                Media.OPTICAL,
                "QDD",
                9216,
                false,
                List.of("et1", "00:11:22:33:44:55")))
        .port(Port.of(other))
        .port(Port.of(new PortId("leaf1", "Ethernet2")))
        .link(Link.between(one, other, Tier.HOST_LEAF, 3))
        .link(Link.half(new PortId("leaf1", "Ethernet2"), null))
        .build();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          an empty file          | ``                                             | it is empty
          another file           | # TYPE node_load1 gauge                        | is no record of type 'capture'
          another record         | {"type":"poll"}                                | is no record of type 'capture'
          another version        | {"type":"capture","version":2,"at":"x"}        | version 2
          no version             | {"type":"capture","at":"2026-03-01T00:00:00Z"} | version 0
          a huge version         | {"type":"capture","version":99999999999999999} | version 0
          a list                 | []                                             | is no record of type 'capture'
          """)
  void is_no_capture(String what, String content, String said) {
    assertThatExceptionOfType(InvalidCaptureException.class)
        .isThrownBy(() -> open(content))
        .withMessageContaining(said);
  }

  @Test
  void a_line_that_cannot_be_read_is_named_and_hides_nothing() throws Exception {
    CaptureReader in =
        open(
            HEAD
                + EVENT
                + "{\"type\":\"event\",\"at\":\"yesterday\",\"device\":\"d\",\"event\":\"e\"}\n"
                + "{\"type\":\"event\",\n"
                + "\n"
                + "[1]\n"
                + "{\"at\":\"2026-03-01T00:00:01Z\"}\n"
                + "{\"type\":\"poll\",\"at\":\"2026-03-01T00:00:01Z\"}\n"
                + "{\"type\":\"probe\",\"at\":\"2026-03-01T00:00:01Z\",\"src\":{\"device\":\"a\"},"
                + "\"dst\":{\"device\":\"b\"},\"sent\":1,\"lost\":2}\n"
                + EVENT.strip()
                + "{}\n"
                + EVENT);

    assertThat(all(in)).hasSize(2);
    CaptureSummary summary = in.summary();
    assertThat(summary.firstUnusable())
        .extracting(CaptureSummary.BadLine::line)
        .containsExactly(3L, 4L, 6L, 7L, 8L, 9L, 10L);
    assertThat(summary.unusable()).isEqualTo(7);
    assertThat(summary.firstUnusable().toString())
        .contains(
            "'at' is no time", "no object", "no 'type'", "field 'device'", "more than 'sent'");
    assertThat(summary.lines()).isEqualTo(11);
    assertThat(summary.isDamaged()).isTrue();
  }

  @Test
  void one_line_in_a_hundred_is_no_damage() throws Exception {
    CaptureReader in = open(HEAD + "x\n" + EVENT.repeat(98));
    assertThat(all(in)).hasSize(98);
    assertThat(in.summary().unusable()).isEqualTo(1);
    assertThat(in.summary().isDamaged()).isFalse();
  }

  @Test
  void types_that_are_no_input_are_passed_over_and_counted() throws Exception {
    CaptureReader in =
        open(
            HEAD
                + "{\"type\":\"weather\",\"at\":\"2026-03-01T00:00:01Z\",\"job\":\"j\"}\n"
                + "{\"type\":\"from-the-future\",\"x\":{\"y\":[]}}\n"
                + "{\"type\":\"weather\",\"at\":\"2026-03-01T00:00:01Z\"}\n"
                + EVENT);

    assertThat(all(in)).hasSize(1);
    assertThat(in.summary().passedOver()).isEqualTo(Map.of("weather", 2L, "from-the-future", 1L));
    assertThat(in.summary().unusable()).isZero();
  }

  @Test
  void fields_that_are_not_known_are_passed_over_wherever_they_stand() throws Exception {
    CaptureReader in =
        open(
            HEAD
                + "{\"new\":{\"type\":\"poll\"},\"detail\":\"x\",\"event\":\"reboot\","
                + "\"device\":\"d\",\"at\":\"2026-03-01T00:00:01Z\",\"type\":\"event\"}\n");

    assertThat(all(in))
        .containsExactly(
            new EngineInput.Event(Instant.parse("2026-03-01T00:00:01Z"), "d", null, "reboot", "x"));
    assertThat(in.summary().refusedValues()).isZero();
  }

  @Test
  void late_and_doubled_records_stay_in_the_order_of_the_file() throws Exception {
    String late = EVENT.replace("00:00:01Z", "00:00:00Z");
    CaptureReader in = open(HEAD + EVENT + late + EVENT + late);

    assertThat(all(in))
        .extracting(input -> input.at().getEpochSecond() % 60)
        .containsExactly(1L, 0L, 1L, 0L);
    assertThat(in.summary().outOfOrder()).isEqualTo(2);
  }

  @Test
  void a_wrong_value_of_a_topology_costs_that_value_alone() throws Exception {
    CaptureReader in =
        open(
            HEAD
                + """
                {"type":"topology","at":"2026-03-01T00:00:01Z","devices":[{"name":"a","role":"leaf","rail":"x"},{"role":"leaf"},7,{"name":"b","role":"host","fecBins":[[0,1],[3,2],[4]]}],"ports":[{"device":"a","name":"1","mtu":-1,"lanes":4,"fec":"RS1"},{"device":"a"}],"links":[{"a":{"device":"a","port":"1"},"b":{"device":"b","port":"2"}},{"a":{"device":"a","port":"3"},"b":{"device":"b"}},{"a":{"device":"a","port":"4"}},{"b":null}]}
                """);

    Fabric fabric = ((EngineInput.Topology) all(in).getFirst()).fabric();
    assertThat(fabric.devices()).extracting(Device::name).containsExactly("a", "b");
    Port port = fabric.port(new PortId("a", "1"));
    assertThat(port).isNotNull();
    assertThat(port.lanes()).isEqualTo(4);
    assertThat(port.mtu()).isZero();
    assertThat(port.fec()).isEqualTo(FecMode.UNKNOWN);
    assertThat(fabric.links()).extracting(Link::id).containsExactly("a:1--b:2", "a:4");
    assertThat(fabric.link("a:1--b:2").tier()).isEqualTo(Tier.HOST_LEAF);
    assertThat(in.summary().refusedValues()).isEqualTo(9);
    assertThat(in.summary().firstRefused().getFirst().toString())
        .isEqualTo("line 2: /devices/0/rail: expected a whole number of 0 to 1048576");
  }

  @ParameterizedTest
  @ValueSource(strings = {"c.ndjson", "c.ndjson.gz", "c.ndjson.zst"})
  void a_file_that_is_cut_off_gives_what_is_there_and_says_so(String name) throws Exception {
    Path file = folder.resolve(name);
    try (CaptureWriter out = CaptureWriter.create(file, DICTIONARY, AT, "test/1")) {
      for (int i = 0; i < 2_000; i++) {
        out.write(
            new EngineInput.Event(
                AT.plusSeconds(i), "leaf" + i * 7919 % 1000, null, "e" + i * 104729, ""));
        if (i % 100 == 0) {
          out.flush();
        }
      }
    }
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length - whole.length / 4));

    try (CaptureReader in = CaptureReader.open(file, DICTIONARY)) {
      assertThat(all(in)).hasSizeBetween(1_000, 1_900);
      assertThat(in.summary().brokenOff()).isNotNull();
      assertThat(in.summary().unusable()).isZero();
      assertThat(in.summary().isDamaged()).isTrue();
      assertThat(in.next()).isNull();
    }
  }

  @Test
  void another_capture_may_follow_in_the_same_file_unless_it_is_of_another_version()
      throws Exception {
    assertThat(all(open(HEAD + EVENT + HEAD + EVENT))).hasSize(2);

    CaptureReader in = open(HEAD + HEAD.replace("\"version\":1", "\"version\":3"));
    assertThatExceptionOfType(InvalidCaptureException.class)
        .isThrownBy(in::next)
        .withMessageContaining("line 2");
  }

  @Test
  void no_room_is_an_error_of_the_writer() throws IOException {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    CaptureWriter out = CaptureWriter.create(full, DICTIONARY, AT, "test/1");
    out.write(inputs().getFirst());

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(out::flush)
        .withMessageContaining("No space left");
  }

  @Test
  void a_line_without_end_takes_no_memory_for_it() throws Exception {
    ByteArrayOutputStream zeros = new ByteArrayOutputStream();
    try (var out = new com.github.luben.zstd.ZstdOutputStream(zeros)) {
      out.write(HEAD.getBytes(StandardCharsets.UTF_8));
      byte[] block = new byte[1 << 20];
      for (int i = 0; i < 200; i++) {
        out.write(block);
      }
      out.write(("\n" + EVENT).getBytes(StandardCharsets.UTF_8));
    }
    CaptureReader in =
        CaptureReader.open(new ByteArrayInputStream(zeros.toByteArray()), "zeros", DICTIONARY);

    assertThat(all(in)).hasSize(1);
    assertThat(in.summary().firstUnusable().toString()).contains("line 2: longer than");
  }

  private static CaptureReader open(String content) throws IOException, InvalidCaptureException {
    return CaptureReader.open(
        new ByteArrayInputStream(content.getBytes(StandardCharsets.UTF_8)), "test", DICTIONARY);
  }

  private static List<EngineInput> all(CaptureReader in) throws InvalidCaptureException {
    List<EngineInput> inputs = new ArrayList<>();
    for (EngineInput input = in.next(); input != null; input = in.next()) {
      inputs.add(input);
    }
    return inputs;
  }
}
