package io.fabrichealth.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.testing.Batches;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ReadingBudgetTest {
  private static final SignalDictionary DICTIONARY = SignalCatalogue.load();
  private static final Instant AT = Instant.parse("2026-03-01T12:00:00Z");

  @Test
  void what_is_within_the_budget_is_not_touched() {
    CollectOutcome outcome = outcome(batch(4));

    ReadingBudget.Limited limited =
        new ReadingBudget(DICTIONARY, outcome.readings()).limit(outcome);

    assertThat(limited.outcome()).isSameAs(outcome);
    assertThat(limited.dropped()).isZero();
  }

  @Test
  void queues_and_modules_go_first_and_errors_and_states_last() {
    // 10 ports of 26 readings each
    CollectOutcome outcome = outcome(batch(10));

    assertThat(valuesWithin(outcome, 170))
        .doesNotContain("queue.out_packets")
        .contains("optics.rx_power_dbm", "port.in_octets");
    assertThat(valuesWithin(outcome, 80))
        .containsExactly("fec.codewords_by_symbol_errors", "port.in_errors", "port.oper_up");
    assertThat(valuesWithin(outcome, 20)).containsExactly("port.in_errors", "port.oper_up");
    assertThat(valuesWithin(outcome, 10)).containsExactly("port.oper_up");
  }

  @Test
  void what_is_left_out_is_unreadable_with_the_reason() {
    ReadingBudget.Limited limited = new ReadingBudget(DICTIONARY, 20).limit(outcome(batch(10)));

    PollBatch batch = limited.outcome().batch();
    assertThat(limited.dropped()).isEqualTo(240);
    assertThat(batch.size()).isLessThanOrEqualTo(40);
    assertThat(batch.complete()).isTrue();
    assertThat(batch.boot()).isEqualTo("b");
    assertThat(batch.discontinuity("Ethernet3")).isEqualTo("d3");
    assertThat(batch.counterBits(DICTIONARY.ordinal("port.in_errors"))).isEqualTo(32);
    assertThat(Batches.lines(batch, DICTIONARY))
        .contains(
            "Ethernet3 port.in_errors[0] 3 OK",
            "Ethernet3 fec.codewords_by_symbol_errors[0] UNREADABLE over the budget of 20 readings");
  }

  @Test
  void the_same_readings_are_left_out_in_every_pass_whatever_their_order() {
    List<String> once = lines(new ReadingBudget(DICTIONARY, 133).limit(outcome(batch(10))));
    List<String> again = lines(new ReadingBudget(DICTIONARY, 133).limit(outcome(batch(10, true))));

    assertThat(again).isEqualTo(once);
  }

  @Test
  void each_device_has_the_budget_for_itself() {
    PollBatch small = batch(1);
    CollectOutcome outcome =
        new CollectOutcome(
            List.of(batch(10), small), List.of(), List.of(), List.of(), List.of(), List.of());

    ReadingBudget.Limited limited = new ReadingBudget(DICTIONARY, 30).limit(outcome);

    assertThat(limited.outcome().batches().get(1)).isSameAs(small);
    assertThat(limited.dropped()).isEqualTo(230);
  }

  private static Set<String> valuesWithin(CollectOutcome outcome, int most) {
    PollBatch batch = new ReadingBudget(DICTIONARY, most).limit(outcome).outcome().batch();
    Set<String> signals = new TreeSet<>();
    for (int reading = 0; reading < batch.size(); reading++) {
      if (batch.quality(reading) == Quality.OK) {
        signals.add(DICTIONARY.signal(batch.signal(reading)).id());
      }
    }
    return signals;
  }

  private static List<String> lines(ReadingBudget.Limited limited) {
    return Batches.lines(limited.outcome().batch(), DICTIONARY);
  }

  private static CollectOutcome outcome(PollBatch batch) {
    return CollectOutcome.of(batch, null, List.of(), List.of(), List.of());
  }

  private static PollBatch batch(int ports) {
    return batch(ports, false);
  }

  /** 26 readings a port: a state, an error counter, octets, 6 bins, 8 lanes, 9 queues. */
  private static PollBatch batch(int ports, boolean backwards) {
    PollBatch.Builder batch = PollBatch.builder("leaf1", "fake", AT).boot("b");
    batch.counterBits(DICTIONARY.ordinal("port.in_errors"), 32);
    for (int i = 0; i < ports; i++) {
      int number = backwards ? ports - 1 - i : i;
      int port = batch.port("Ethernet" + number);
      batch.discontinuity("Ethernet" + number, "d" + number);
      for (int queue = 0; queue < 9; queue++) {
        batch.counter(port, DICTIONARY.ordinal("queue.out_packets"), queue, 1);
      }
      for (int lane = 0; lane < 8; lane++) {
        batch.value(port, DICTIONARY.ordinal("optics.rx_power_dbm"), lane, -1.5);
      }
      for (int bin = 0; bin < 6; bin++) {
        batch.counter(port, DICTIONARY.ordinal("fec.codewords_by_symbol_errors"), bin, bin);
      }
      batch.counter(port, DICTIONARY.ordinal("port.in_octets"), 0, 1_000);
      batch.counter(port, DICTIONARY.ordinal("port.in_errors"), 0, number);
      batch.value(port, DICTIONARY.ordinal("port.oper_up"), 0, 1);
    }
    return batch.build(true);
  }
}
