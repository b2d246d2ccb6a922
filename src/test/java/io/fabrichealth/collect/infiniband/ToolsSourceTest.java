package io.fabrichealth.collect.infiniband;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.collect.infiniband.InfinibandTarget.Tools;
import io.fabrichealth.collect.infiniband.ToolRunner.End;
import io.fabrichealth.signal.PollBatch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ToolsSourceTest {
  private static final Duration INTERVAL = Duration.ofSeconds(30);

  private final FakeTools tools = new FakeTools();
  private volatile Instant now = Instant.parse("2026-03-01T10:00:00Z");
  private final InfinibandCollectors collectors =
      new InfinibandCollectors(Readings.DICTIONARY, () -> now, tools);
  private Collector collector = collector(new Tools(List.of(), null, 0));

  private Collector collector(Tools source) {
    return collectors.collector(
        new InfinibandTarget(
            "subnet1", INTERVAL, Duration.ofMinutes(10), Duration.ofSeconds(20), source));
  }

  @AfterEach
  void close() {
    collector.close();
    collectors.close();
  }

  private CollectOutcome pass() throws InterruptedException {
    CollectOutcome outcome = collector.collect(now.plus(INTERVAL));
    now = now.plus(INTERVAL);
    return outcome;
  }

  /** Passes until a discovery that runs beside them is taken. */
  private CollectOutcome passUntilDiscovered() throws InterruptedException {
    for (int pass = 0; pass < 100; pass++) {
      CollectOutcome outcome = pass();
      if (!outcome.sightings().isEmpty()) {
        return outcome;
      }
      Thread.sleep(10);
    }
    throw new AssertionError("no discovery in 100 passes");
  }

  private long discoveries() {
    return tools.runs.stream().filter(run -> run.startsWith("ibnetdiscover")).count();
  }

  @Test
  void the_first_pass_gives_wiring_states_and_counters() throws Exception {
    tools.set(12, 1, "PortXmitData", 4_000_000_000_000_000_000L);
    tools.set(12, 1, "PortRcvData", 5);
    tools.set(12, 2, "SymbolErrorCounter", 70_000);

    CollectOutcome outcome = pass();

    assertThat(outcome.problems()).isEmpty();
    assertThat(Texts.devices(outcome)).containsExactly("leaf1", "n1");
    PollBatch leaf = Readings.batch(outcome, "leaf1");
    assertThat(leaf.collector()).isEqualTo("infiniband");
    assertThat(leaf.complete()).isTrue();
    assertThat(leaf.deviceTime()).isNull();
    assertThat(leaf.ports()).containsExactly("1", "2", "3", "4");
    assertThat(leaf.counterBits(Readings.DICTIONARY.ordinal("ib.symbol_errors"))).isEqualTo(64);
    Readings readings = new Readings(leaf);
    assertThat(readings.of("1", "port.out_octets")).isEqualTo("OK 16000000000000000000");
    assertThat(readings.of("1", "port.in_octets")).isEqualTo("OK 20");
    assertThat(readings.of("2", "ib.symbol_errors")).isEqualTo("OK 70000");
    assertThat(readings.of("2", "port.oper_up")).isEqualTo("OK 0.0");
    assertThat(readings.of("1", "port.width_lanes")).isEqualTo("OK 4.0");
    assertThat(Readings.of(outcome, "n1").of("mlx5_0/1", "port.oper_up")).isEqualTo("OK 1.0");
  }

  @Test
  void counters_are_read_without_a_discovery_each_time_and_never_cleared() throws Exception {
    pass();
    tools.runs.clear();

    CollectOutcome second = pass();

    assertThat(tools.runs)
        .containsExactlyInAnyOrder("perfquery -x -l 12 1-4", "perfquery -x -l 44 1");
    assertThat(second.sightings()).isEmpty();
    assertThat(Readings.of(second, "leaf1").of("1", "ib.symbol_errors")).isEqualTo("OK 0");
    assertThat(Readings.of(second, "leaf1").of("1", "port.oper_up")).isEqualTo("-");
    assertThat(tools.runs)
        .noneMatch(run -> run.matches(".* -(r|R|k|K|-clear.*|-reset.*|-Reset.*)( .*)?"));
  }

  @Test
  void words_before_the_tool_and_the_port_to_use_are_given() throws Exception {
    collector.close();
    collector = collector(new Tools(List.of("sudo", "-n"), "mlx5_0", 1));

    assertThat(collector.address()).isEqualTo("sudo mlx5_0/1");
    assertThat(
            new ToolWords(new Tools(List.of("sudo", "-n"), "mlx5_0", 1))
                .of("iblinkinfo", List.of("-l")))
        .containsExactly("sudo", "-n", "iblinkinfo", "-C", "mlx5_0", "-P", "1", "-l");
  }

  @Test
  void classic_counters_fill_what_the_extended_lack_and_stick_at_their_end() throws Exception {
    tools.hasExtendedErrors = false;
    tools.set(12, 1, "SymbolErrorCounter", 65_535);
    tools.set(12, 1, "LinkDownedCounter", 255);
    tools.set(12, 1, "LocalLinkIntegrityErrors", 15);
    tools.set(12, 1, "PortXmitWait", 4_294_967_295L);
    tools.set(12, 1, "PortXmitData", 4_294_967_295L);
    tools.set(12, 1, "ExcessiveBufferOverrunErrors", 16);

    CollectOutcome outcome = pass();

    Readings readings = Readings.of(outcome, "leaf1");
    assertThat(readings.of("1", "ib.symbol_errors")).isEqualTo("SATURATED 65535");
    assertThat(readings.of("1", "port.link_downed")).isEqualTo("SATURATED 255");
    assertThat(readings.of("1", "ib.local_link_integrity_errors")).isEqualTo("SATURATED 15");
    assertThat(readings.of("1", "ib.transmit_wait_ticks")).isEqualTo("SATURATED 4294967295");
    assertThat(readings.of("1", "ib.buffer_overruns"))
        .isEqualTo("UNREADABLE 16 does not fit the counter's width");
    // Data come from the extended counters, which are not at their end.
    assertThat(readings.of("1", "port.out_octets")).isEqualTo("OK 17179869180");
    assertThat(readings.of("2", "ib.symbol_errors")).isEqualTo("OK 0");
  }

  @Test
  void data_beyond_what_octets_of_64_bits_can_say_are_at_their_end() throws Exception {
    tools.set(12, 1, "PortXmitData", 1L << 62);
    tools.set(12, 1, "PortRcvData", -1L);
    tools.set(12, 2, "PortRcvData", (1L << 62) - 1);

    Readings readings = Readings.of(pass(), "leaf1");

    assertThat(readings.of("1", "port.out_octets")).isEqualTo("SATURATED 18446744073709551615");
    assertThat(readings.of("1", "port.in_octets")).isEqualTo("SATURATED 18446744073709551615");
    assertThat(readings.of("2", "port.in_octets")).isEqualTo("OK 18446744073709551612");
  }

  @Test
  void a_node_without_extended_counters_is_read_by_the_classic_ones() throws Exception {
    tools.hasExtended = false;
    tools.set(12, 1, "PortXmitData", 4_294_967_295L);

    CollectOutcome outcome = pass();
    tools.runs.clear();
    pass();

    assertThat(outcome.problems()).isEmpty();
    assertThat(Readings.of(outcome, "leaf1").of("1", "port.out_octets"))
        .isEqualTo("SATURATED 17179869180");
    assertThat(tools.runs).containsExactlyInAnyOrder("perfquery -l 12 1-4", "perfquery -l 44 1");
  }

  @Test
  void a_port_that_fails_costs_no_other_and_is_named() throws Exception {
    tools.failingPort = 2;

    CollectOutcome outcome = pass();
    tools.runs.clear();
    pass();

    assertThat(outcome.problems())
        .containsExactly(
            new Problem(
                FailureCode.PARTIAL,
                "1 of 2 nodes not read or not wholly: leaf1: perfquery fails at ports 2"));
    PollBatch leaf = Readings.batch(outcome, "leaf1");
    assertThat(leaf.complete()).isFalse();
    Readings readings = new Readings(leaf);
    assertThat(readings.of("1", "ib.symbol_errors")).isEqualTo("OK 0");
    assertThat(readings.of("2", "ib.symbol_errors")).isEqualTo("-");
    assertThat(readings.of("4", "ib.symbol_errors")).isEqualTo("OK 0");
    // Not asked for again until the next discovery.
    assertThat(tools.runs).contains("perfquery -x -l 12 1,3,4");
  }

  @Test
  void a_node_that_does_not_answer_is_missed_and_asked_less_often() throws Exception {
    tools.silentLids.put(12, FailureCode.TIMEOUT);

    CollectOutcome first = pass();
    pass();
    pass();
    tools.runs.clear();
    CollectOutcome held = pass();

    assertThat(first.problems())
        .containsExactly(
            new Problem(
                FailureCode.TIMEOUT,
                "1 of 2 nodes not read or not wholly: leaf1: not done within 5000 ms"));
    assertThat(Readings.batch(first, "n1").size()).isPositive();
    assertThat(tools.runs).doesNotContain("perfquery -x -l 12 1-4");
    assertThat(held.problems()).extracting(Problem::code).containsExactly(FailureCode.BACK_OFF);
    assertThat(Readings.batch(held, "leaf1").size()).isZero();
    assertThat(Readings.batch(held, "n1").complete()).isTrue();

    tools.silentLids.clear();
    pass();
    assertThat(Readings.batch(pass(), "leaf1").size()).isPositive();
  }

  @Test
  void without_a_discovery_there_is_nothing_and_the_reason_is_said() throws Exception {
    tools.failing.put("ibnetdiscover", new End(1, "sudo: a password is required"));

    CollectOutcome outcome = pass();

    assertThat(outcome.batches()).isEmpty();
    assertThat(outcome.problems())
        .containsExactly(
            new Problem(
                FailureCode.AUTHENTICATION,
                "ibnetdiscover ended with 1: sudo: a password is required"));
    tools.failing.clear();
    tools.discovered = "ibwarn: nothing\n";
    assertThat(pass().problems())
        .containsExactly(new Problem(FailureCode.MALFORMED, "ibnetdiscover named no node"));
    tools.discovered = FakeTools.DISCOVERED;
    assertThat(passUntilDiscovered().problems()).isEmpty();
  }

  @Test
  void a_discovery_that_fails_later_leaves_the_wiring_as_it_was() throws Exception {
    pass();
    tools.failing.put("ibnetdiscover", new End(255, "discover failed"));
    now = now.plus(Duration.ofMinutes(10));

    CollectOutcome outcome = pass();
    for (int pass = 0; outcome.problems().isEmpty() && pass < 100; pass++) {
      Thread.sleep(10);
      outcome = pass();
    }

    assertThat(outcome.problems())
        .containsExactly(
            new Problem(FailureCode.UNREACHABLE, "ibnetdiscover ended with 255: discover failed"));
    assertThat(Readings.batch(outcome, "leaf1").complete()).isTrue();
    now = now.plus(Duration.ofMinutes(20));
    assertThat(pass().remarks()).anyMatch(remark -> remark.startsWith("wiring as discovered at"));
  }

  @Test
  void without_states_the_wiring_stands_and_ports_without_link_are_unknown() throws Exception {
    tools.failing.put("iblinkinfo", new End(255, "no such tool"));

    CollectOutcome outcome = pass();

    assertThat(outcome.problems())
        .containsExactly(
            new Problem(
                FailureCode.UNREACHABLE,
                "the state of ports is not known: iblinkinfo ended with 255: no such tool"));
    assertThat(Readings.batch(outcome, "leaf1").ports()).containsExactly("1");
    assertThat(Readings.of(outcome, "leaf1").of("1", "port.oper_up")).isEqualTo("OK 1.0");
  }

  @Test
  void ports_that_a_switch_declares_and_does_not_show_are_said() throws Exception {
    tools.states = FakeTools.STATES.replaceAll("(?m)^.* 4\\[.*\\n", "");

    CollectOutcome outcome = pass();

    assertThat(outcome.problems())
        .containsExactly(
            new Problem(
                FailureCode.PARTIAL,
                "1 switches show other numbers of ports than they declare: 'MF0;leaf1:MQM9700/U1'"
                    + " (0xb8599f0300aa0001) declares 4 and shows 3"));
    assertThat(pass().remarks()).anyMatch(remark -> remark.contains("declares 4 and shows 3"));
  }

  @Test
  void a_link_that_went_down_brings_the_next_discovery_forward() throws Exception {
    pass();
    tools.set(12, 1, "LinkDownedCounter", 1);
    now = now.plus(Duration.ofMinutes(2));
    pass();

    CollectOutcome outcome = passUntilDiscovered();

    assertThat(discoveries()).isEqualTo(2);
    assertThat(outcome.problems()).isEmpty();
  }

  @Test
  void a_device_that_left_the_subnet_is_missed_until_it_is_back_under_any_name() throws Exception {
    pass();
    tools.discovered = FakeTools.DISCOVERED.substring(0, FakeTools.DISCOVERED.indexOf("[1]"));
    now = now.plus(Duration.ofMinutes(10));

    CollectOutcome without = passUntilDiscovered();

    assertThat(Readings.batch(without, "n1").size()).isZero();
    assertThat(Readings.batch(without, "n1").complete()).isFalse();
    assertThat(without.remarks()).contains("discovered no more: n1");
    tools.discovered = FakeTools.DISCOVERED.replace("n1 mlx5_0", "n2 mlx5_0");
    now = now.plus(Duration.ofMinutes(10));
    CollectOutcome renamed = passUntilDiscovered();
    assertThat(renamed.batches()).extracting(PollBatch::device).containsExactly("leaf1", "n2");
  }
}
