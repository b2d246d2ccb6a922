package io.fabrichealth.collect.infiniband;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.collect.infiniband.InfinibandTarget.Saved;
import io.fabrichealth.signal.PollBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavedSourceTest {
  private static final Path FIXTURES = Path.of("../shared/fixtures/infiniband");
  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  private static final Duration INTERVAL = Duration.ofSeconds(30);

  @TempDir private Path folder;
  private Instant now = START;
  private final InfinibandCollectors collectors =
      new InfinibandCollectors(Readings.DICTIONARY, () -> now, new FakeTools());
  private Path discover;
  private Collector collector;

  @BeforeEach
  void open() throws IOException {
    discover = folder.resolve("ibnetdiscover.txt");
    save("ibnetdiscover.txt", FakeTools.DISCOVERED, START.minusSeconds(600));
    collector = collector(List.of(folder.resolve("perfquery-*.txt")));
  }

  private Collector collector(List<Path> counters) {
    return collectors.collector(
        new InfinibandTarget(
            "subnet1",
            INTERVAL,
            Duration.ofMinutes(10),
            Duration.ofSeconds(20),
            new Saved(discover, counters)));
  }

  private void save(String name, String text, Instant modified) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(file, text);
    Files.setLastModifiedTime(file, FileTime.from(modified));
  }

  private static String counters(int lid, int port, long symbolErrors) {
    return """
        # Port extended counters: Lid %d port %d (CapMask: 0x5300 CapMask2: 0x0000002)
        PortXmitData:....................10
        SymbolErrorCounter:..............%d
        """
        .formatted(lid, port, symbolErrors);
  }

  private CollectOutcome pass() throws InterruptedException {
    CollectOutcome outcome = collector.collect(now.plus(INTERVAL));
    now = now.plus(INTERVAL);
    return outcome;
  }

  @Test
  void files_are_read_when_they_change_and_have_their_own_time() throws Exception {
    save("perfquery-leaf1.txt", counters(12, 1, 5) + counters(12, 2, 0), START.minusSeconds(9));
    save("perfquery-n1.txt", counters(44, 1, 0), START.minusSeconds(8));

    CollectOutcome first = pass();
    CollectOutcome unchanged = pass();
    save("perfquery-leaf1.txt", counters(12, 1, 6), now.minusSeconds(9));
    CollectOutcome changed = pass();

    assertThat(first.problems()).isEmpty();
    assertThat(Texts.devices(first)).containsExactly("leaf1", "n1");
    PollBatch leaf = Readings.batch(first, "leaf1");
    assertThat(leaf.at()).isEqualTo(START);
    assertThat(leaf.deviceTime()).isEqualTo(START.minusSeconds(9));
    assertThat(leaf.ports()).containsExactly("1", "2");
    assertThat(new Readings(leaf).of("1", "ib.symbol_errors")).isEqualTo("OK 5");
    assertThat(new Readings(leaf).of("1", "port.oper_up")).isEqualTo("OK 1.0");
    assertThat(Readings.batch(first, "n1").deviceTime()).isEqualTo(START.minusSeconds(8));
    // An old file is no new reading.
    assertThat(unchanged.batches()).isEmpty();
    assertThat(unchanged.problems()).isEmpty();
    assertThat(unchanged.sightings()).isEmpty();
    assertThat(changed.batches()).extracting(PollBatch::device).containsExactly("leaf1");
    assertThat(Readings.of(changed, "leaf1").of("1", "ib.symbol_errors")).isEqualTo("OK 6");
    assertThat(Readings.of(changed, "leaf1").of("1", "port.oper_up")).isEqualTo("-");
  }

  @Test
  void files_that_may_still_be_written_wait_one_pass() throws Exception {
    save("perfquery-leaf1.txt", counters(12, 1, 5), START.minusMillis(1_500));
    save("perfquery-n1.txt", counters(44, 1, 0), START.minusSeconds(8));

    assertThat(pass().batches()).isEmpty();
    save("perfquery-leaf1.txt", counters(12, 1, 7), now.minusMillis(100));
    CollectOutcome second = pass();

    assertThat(second.batches()).extracting(PollBatch::device).containsExactly("leaf1", "n1");
    assertThat(Readings.of(second, "leaf1").of("1", "ib.symbol_errors")).isEqualTo("OK 7");
  }

  @Test
  void counters_that_nobody_saves_any_more_are_missed() throws Exception {
    save("perfquery-leaf1.txt", counters(12, 1, 5), START.minusSeconds(9));
    pass();
    pass();
    pass();
    pass();

    CollectOutcome stale = pass();

    assertThat(stale.problems())
        .containsExactly(
            new Problem(FailureCode.TIMEOUT, "no counters were saved since 2026-03-01T09:59:51Z"));
    assertThat(stale.batches()).allSatisfy(batch -> assertThat(batch.size()).isZero());
    assertThat(stale.batches()).hasSize(2);
  }

  @Test
  void a_discovery_that_is_cut_off_leaves_the_wiring_as_it_was() throws Exception {
    save("perfquery-leaf1.txt", counters(12, 1, 5), START.minusSeconds(9));
    pass();
    save("ibnetdiscover.txt", FakeTools.DISCOVERED.substring(0, 300), now.minusSeconds(9));
    save("perfquery-n1.txt", counters(44, 1, 0), now.minusSeconds(9));

    CollectOutcome outcome = pass();

    assertThat(outcome.sightings()).isEmpty();
    assertThat(Readings.batch(outcome, "n1").size()).isPositive();
    assertThat(Texts.problems(outcome))
        .contains("ibnetdiscover.txt: ends within line 9, which was not taken");
    assertThat(Texts.problems(pass()))
        .contains("ibnetdiscover.txt: ends within line 9, which was not taken");
  }

  @Test
  void what_is_not_there_and_what_is_not_known_is_said() throws Exception {
    collector = collector(List.of(folder.resolve("none.txt"), folder.resolve("perfquery-?.txt")));
    save("perfquery-1.txt", counters(99, 1, 5) + counters(12, 1, 5), START.minusSeconds(9));

    CollectOutcome outcome = pass();

    assertThat(Texts.problems(outcome))
        .containsExactly(
            folder.resolve("none.txt") + " is not there",
            "counters of 1 nodes that ibnetdiscover.txt does not list: LID 99");
    assertThat(Readings.of(outcome, "leaf1").of("1", "ib.symbol_errors")).isEqualTo("OK 5");
    Files.delete(discover);
    assertThat(Texts.problems(pass())).contains(discover + " is not there");
  }

  @Test
  void without_counters_the_states_are_the_readings() throws Exception {
    collector = collector(List.of());

    CollectOutcome first = pass();

    assertThat(Readings.of(first, "leaf1").of("1", "port.oper_up")).isEqualTo("OK 1.0");
    assertThat(Readings.batch(first, "leaf1").deviceTime()).isEqualTo(START.minusSeconds(600));
    assertThat(pass().batches()).isEmpty();
  }

  @Test
  void errors_of_ibqueryerrors_find_the_node_by_either_guid() throws Exception {
    save(
        "perfquery-errors.txt",
        """
        Errors for "n1 mlx5_0"
           GUID 0x506b4b0300010002 port 1: [SymbolErrorCounter == 5] [PortXmitWait == 4294967295]
        Data Counters for 0x506b4b0300010001 "n1 mlx5_0"
           GUID 0x506b4b0300010001 port 1: [PortXmitData == 7 (28.000B)]

        ## Summary: 2 nodes checked, 1 bad nodes found
        """,
        START.minusSeconds(9));

    CollectOutcome outcome = pass();

    assertThat(outcome.problems()).isEmpty();
    Readings host = Readings.of(outcome, "n1");
    assertThat(host.of("mlx5_0/1", "ib.symbol_errors")).isEqualTo("OK 5");
    assertThat(host.of("mlx5_0/1", "ib.transmit_wait_ticks")).isEqualTo("SATURATED 4294967295");
    assertThat(host.of("mlx5_0/1", "port.out_octets")).isEqualTo("OK 28");
    // Not above its threshold: not read, not zero.
    assertThat(host.of("mlx5_0/1", "port.link_downed")).isEqualTo("-");
  }

  @Test
  void recorded_counters_belong_to_the_recorded_wiring() throws Exception {
    Path recorded = FIXTURES.resolve("perfquery-x-0x7cfe9003009ce5b0.txt");
    assumeTrue(Files.exists(recorded), () -> "skipped: " + recorded + " is not there");
    discover = FIXTURES.resolve("ibnetdiscover-p-test.txt");
    collector = collector(List.of(recorded));
    now = Files.getLastModifiedTime(recorded).toInstant().plusSeconds(60);

    CollectOutcome outcome = pass();

    Readings leaf = Readings.of(outcome, "ib-i1l1s01");
    assertThat(leaf.of("1", "port.out_octets")).isEqualTo("OK " + 36_298_026_860_928L * 4);
    assertThat(leaf.of("1", "port.in_packets")).isEqualTo("OK 32262508468");
    assertThat(leaf.of("1", "port.in_unicast_packets")).isEqualTo("OK 26677661727");
    assertThat(leaf.of("1", "ib.transmit_wait_ticks")).isEqualTo("OK 22730501");
    assertThat(leaf.of("1", "ib.symbol_errors")).isEqualTo("OK 0");
    assertThat(leaf.of("2", "port.in_octets")).isEqualTo("OK " + 39_078_804_993_378L * 4);
    assertThat(leaf.of("2", "ib.transmit_wait_ticks")).isEqualTo("OK 36510964");
  }
}
