package io.fabrichealth.signal;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.signal.DeviceSignals.Outcome;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Role;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceSignalsTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final SignalDictionary DICTIONARY =
      new SignalDictionary(
          List.of(
              counter("port.in_octets", 64, Signal.AtEnd.WRAPS),
              counter("port.in_errors", 64, Signal.AtEnd.WRAPS),
              counter("ib.symbol_errors", 16, Signal.AtEnd.SATURATES),
              counter("roce.out_of_sequence", 32, Signal.AtEnd.WRAPS),
              new Signal(
                  "port.speed_bits_per_second",
                  "bit/s",
                  Signal.Kind.GAUGE,
                  Signal.Scope.PORT,
                  64,
                  Signal.AtEnd.WRAPS,
                  0,
                  1e14),
              new Signal(
                  "fec.corrected_bits",
                  "bit",
                  Signal.Kind.COUNTER,
                  Signal.Scope.LANE,
                  64,
                  Signal.AtEnd.WRAPS)));
  private static final int OCTETS = DICTIONARY.ordinal("port.in_octets");
  private static final int ERRORS = DICTIONARY.ordinal("port.in_errors");
  private static final int SYMBOLS = DICTIONARY.ordinal("ib.symbol_errors");
  private static final int SEQUENCE = DICTIONARY.ordinal("roce.out_of_sequence");
  private static final int SPEED = DICTIONARY.ordinal("port.speed_bits_per_second");
  private static final int LANES = DICTIONARY.ordinal("fec.corrected_bits");

  private final DeviceSignals signals = new DeviceSignals("leaf1", "snmp", DICTIONARY);

  @Test
  void first_reading_is_a_baseline_and_the_second_yields_growth_over_measured_time() {
    poll(0, batch -> batch.counter(0, OCTETS, 0, 1_000));
    assertThat(port().hasDelta(OCTETS, 0)).isFalse();

    poll(11, batch -> batch.counter(0, OCTETS, 0, 4_000));

    assertThat(port().delta(OCTETS, 0)).isEqualTo(3_000);
    assertThat(port().seconds(OCTETS, 0)).isEqualTo(11);
    assertThat(port().quality(OCTETS, 0)).isEqualTo(Quality.OK);
    assertThat(port().total(OCTETS, 0)).isEqualTo(3_000);
  }

  @Test
  void growth_above_two_to_the_53_is_exact() {
    long high = Long.parseUnsignedLong("18446744073709308388");
    poll(0, batch -> batch.counter(0, OCTETS, 0, high));
    poll(10, batch -> batch.counter(0, OCTETS, 0, high + 7));

    assertThat(port().delta(OCTETS, 0)).isEqualTo(7);
  }

  @Test
  void a_fallen_64_bit_counter_began_anew_and_is_no_spike() {
    poll(0, batch -> batch.counter(0, OCTETS, 0, 5_000_000));
    poll(10, batch -> batch.counter(0, OCTETS, 0, 12));

    assertThat(port().hasDelta(OCTETS, 0)).isFalse();
    assertThat(port().quality(OCTETS, 0)).isEqualTo(Quality.RESET);

    poll(20, batch -> batch.counter(0, OCTETS, 0, 20));
    assertThat(port().delta(OCTETS, 0)).isEqualTo(8);
  }

  @ParameterizedTest
  @CsvSource({
    // last, now, bit/s; 64-octet packets at 10 Gbit/s are 19.5 million a second
    "4294967290, 10, 10000000000, WRAPPED, 16",
    "4294967290, 10, 0, WRAPPED, 16",
    "1000, 10, 10000000000, RESET, 0",
    "3000000000, 10, 100000000, RESET, 0",
  })
  void a_fallen_32_bit_counter_wrapped_only_where_the_line_can_have_carried_it(
      long last, long now, double speed, Quality quality, long growth) {
    poll(0, batch -> narrow(batch, speed).counter(0, ERRORS, 0, last));
    poll(10, batch -> narrow(batch, speed).counter(0, ERRORS, 0, now));

    assertThat(port().quality(ERRORS, 0)).isEqualTo(quality);
    assertThat(port().delta(ERRORS, 0)).isEqualTo(growth);
  }

  @Test
  void width_comes_from_batch_then_device_then_dictionary() {
    Device narrow =
        new Device("leaf1", Role.LEAF, null, null, null, null, Map.of("port.in_errors", 32));
    signals.apply(batch(0, batch -> batch.counter(0, ERRORS, 0, 4_294_967_295L)), narrow);
    signals.apply(batch(10, batch -> batch.counter(0, ERRORS, 0, 4)), narrow);
    assertThat(port().delta(ERRORS, 0)).isEqualTo(5);

    poll(20, batch -> batch.counter(0, SEQUENCE, 0, 4_294_967_295L));
    poll(30, batch -> batch.counter(0, SEQUENCE, 0, 0));
    assertThat(port().delta(SEQUENCE, 0)).isEqualTo(1);
  }

  @Test
  void a_saturated_counter_is_censored_and_then_blind_but_never_zero_growth() {
    poll(0, batch -> batch.counter(0, SYMBOLS, 0, 65_000));
    poll(10, batch -> batch.counter(0, SYMBOLS, 0, 65_535));
    assertThat(port().delta(SYMBOLS, 0)).isEqualTo(535);
    assertThat(port().quality(SYMBOLS, 0)).isEqualTo(Quality.SATURATED);

    poll(20, batch -> batch.counter(0, SYMBOLS, 0, 65_535));
    assertThat(port().hasDelta(SYMBOLS, 0)).isFalse();
    assertThat(port().quality(SYMBOLS, 0)).isEqualTo(Quality.SATURATED);

    poll(30, batch -> batch.counter(0, SYMBOLS, 0, 3));
    assertThat(port().quality(SYMBOLS, 0)).isEqualTo(Quality.RESET);
  }

  @Test
  void a_changed_boot_identity_makes_every_counter_begin_anew_even_if_it_is_larger() {
    poll(0, batch -> batch.boot("a").counter(0, OCTETS, 0, 10).counter(0, LANES, 3, 10));
    poll(10, batch -> batch.boot("b").counter(0, OCTETS, 0, 900).counter(0, LANES, 3, 11));

    assertThat(port().hasDelta(OCTETS, 0)).isFalse();
    assertThat(port().quality(OCTETS, 0)).isEqualTo(Quality.RESET);
    assertThat(port().quality(LANES, 3)).isEqualTo(Quality.RESET);
  }

  @Test
  void a_changed_discontinuity_is_a_reset_of_that_port_alone() {
    Consumer<PollBatch.Builder> two =
        batch -> batch.counter(0, OCTETS, 0, 10).counter(batch.port("Ethernet2"), OCTETS, 0, 10);
    poll(0, batch -> two.accept(batch.discontinuity("Ethernet1", "0")));
    poll(
        10,
        batch ->
            batch
                .discontinuity("Ethernet1", "977")
                .counter(0, OCTETS, 0, 15)
                .counter(batch.port("Ethernet2"), OCTETS, 0, 15));

    assertThat(port().hasDelta(OCTETS, 0)).isFalse();
    assertThat(signals.window("Ethernet2").delta(OCTETS, 0)).isEqualTo(5);
  }

  @Test
  void missed_polls_become_one_longer_exposure() {
    poll(0, batch -> batch.counter(0, OCTETS, 0, 0));
    poll(10, batch -> batch.counter(0, OCTETS, 0, 10));
    signals.apply(PollBatch.missed("leaf1", "snmp", START.plusSeconds(20)), null);
    assertThat(signals.touched()).isEmpty();
    poll(30, batch -> batch.counter(0, OCTETS, 0, 40));

    assertThat(port().delta(OCTETS, 0)).isEqualTo(30);
    assertThat(port().seconds(OCTETS, 0)).isEqualTo(20);
    assertThat(port().quality(OCTETS, 0)).isEqualTo(Quality.GAP);
  }

  @Test
  void a_counter_that_a_partial_pass_left_out_has_no_growth_then_and_all_of_it_later() {
    poll(0, batch -> batch.counter(0, OCTETS, 0, 0).counter(0, ERRORS, 0, 0));
    poll(10, batch -> batch.counter(0, OCTETS, 0, 5));
    assertThat(port().hasDelta(ERRORS, 0)).isFalse();
    assertThat(port().isFresh(ERRORS)).isFalse();
    poll(20, batch -> batch.counter(0, OCTETS, 0, 9).counter(0, ERRORS, 0, 3));

    assertThat(port().delta(ERRORS, 0)).isEqualTo(3);
    assertThat(port().seconds(ERRORS, 0)).isEqualTo(20);
  }

  @Test
  void late_and_doubled_batches_change_nothing() {
    poll(0, batch -> batch.counter(0, OCTETS, 0, 0));
    poll(10, batch -> batch.counter(0, OCTETS, 0, 10));

    assertThat(signals.apply(batch(10, batch -> batch.counter(0, OCTETS, 0, 10)), null))
        .isEqualTo(Outcome.OUT_OF_ORDER);
    assertThat(signals.apply(batch(5, batch -> batch.counter(0, OCTETS, 0, 4)), null))
        .isEqualTo(Outcome.OUT_OF_ORDER);

    poll(20, batch -> batch.counter(0, OCTETS, 0, 25));
    assertThat(port().delta(OCTETS, 0)).isEqualTo(15);
  }

  @Test
  void a_batch_right_after_another_goes_into_the_next() {
    poll(0, batch -> batch.counter(0, OCTETS, 0, 0));
    poll(10, batch -> batch.counter(0, OCTETS, 0, 10));

    assertThat(signals.apply(batch(11, batch -> batch.counter(0, OCTETS, 0, 12)), null))
        .isEqualTo(Outcome.MERGED);
    poll(20, batch -> batch.counter(0, OCTETS, 0, 25));
    assertThat(port().delta(OCTETS, 0)).isEqualTo(15);
  }

  @Test
  void a_device_clock_that_steps_back_costs_one_interval_and_no_more() {
    signals.apply(at(10, 5_000, 100), null);
    signals.apply(at(20, 1_000, 200), null);
    assertThat(port().hasDelta(OCTETS, 0)).isFalse();

    signals.apply(at(30, 1_010, 260), null);
    assertThat(port().delta(OCTETS, 0)).isEqualTo(60);
    assertThat(port().seconds(OCTETS, 0)).isEqualTo(10);
  }

  @Test
  void after_a_long_outage_every_poll_counts_again_at_once() {
    poll(0, batch -> batch.counter(0, OCTETS, 0, 0));
    poll(10, batch -> batch.counter(0, OCTETS, 0, 1));
    poll(20, batch -> batch.counter(0, OCTETS, 0, 2));
    poll(28_820, batch -> batch.counter(0, OCTETS, 0, 100));
    for (int second = 28_830; second < 28_900; second += 10) {
      poll(second, batch -> batch.counter(0, OCTETS, 0, 200));
    }

    assertThat(port().seconds(OCTETS, 0)).isEqualTo(10);
  }

  @Test
  void a_boot_identity_that_jitters_over_a_restart_of_the_reader_is_the_same_boot() {
    poll(0, batch -> batch.boot("2026-02-01T04:00:00.013Z").counter(0, OCTETS, 0, 10));
    poll(10, batch -> batch.boot("2026-02-01T04:00:01.871Z").counter(0, OCTETS, 0, 15));
    assertThat(port().delta(OCTETS, 0)).isEqualTo(5);

    poll(20, batch -> batch.boot("2026-02-28T23:59:50Z").counter(0, OCTETS, 0, 16));
    assertThat(port().quality(OCTETS, 0)).isEqualTo(Quality.RESET);
  }

  @Test
  void a_missed_poll_of_a_device_whose_clock_is_ahead_costs_no_baseline() {
    signals.apply(at(10, 5_010, 100), null);
    signals.apply(at(20, 5_020, 200), null);
    assertThat(signals.apply(PollBatch.missed("leaf1", "snmp", START.plusSeconds(30)), null))
        .isEqualTo(Outcome.ACCEPTED);
    assertThat(port().isFresh(OCTETS)).isFalse();
    signals.apply(at(40, 5_040, 400), null);

    assertThat(port().delta(OCTETS, 0)).isEqualTo(200);
    assertThat(port().seconds(OCTETS, 0)).isEqualTo(20);
  }

  @Test
  void a_reader_whose_clock_was_set_back_goes_on() {
    poll(7_200, batch -> batch.counter(0, OCTETS, 0, 1));
    poll(10, batch -> batch.counter(0, OCTETS, 0, 2));
    poll(20, batch -> batch.counter(0, OCTETS, 0, 5));

    assertThat(port().delta(OCTETS, 0)).isEqualTo(3);
  }

  @Test
  void a_port_that_a_poll_leaves_out_is_not_fresh_any_more() {
    poll(0, batch -> batch.counter(batch.port("Ethernet2"), OCTETS, 0, 1));
    poll(10, batch -> batch.counter(0, OCTETS, 0, 1));

    assertThat(signals.window("Ethernet2").isFresh(OCTETS)).isFalse();
    assertThat(signals.snapshot("Ethernet2").isFresh(OCTETS)).isFalse();
  }

  @Test
  void a_cleared_counter_of_unknown_pace_is_no_wrap() {
    poll(0, batch -> batch.counter(0, SEQUENCE, 0, 2_300_000_000L));
    poll(10, batch -> batch.counter(0, SEQUENCE, 0, 0));

    assertThat(port().quality(SEQUENCE, 0)).isEqualTo(Quality.RESET);
  }

  @Test
  void a_reboot_with_a_new_discontinuity_is_one_reset_and_said_so() {
    poll(0, batch -> batch.boot("a").discontinuity("Ethernet1", "5").counter(0, OCTETS, 0, 9));
    poll(10, batch -> batch.boot("b").discontinuity("Ethernet1", "0").counter(0, OCTETS, 0, 1));

    assertThat(port().quality(OCTETS, 0)).isEqualTo(Quality.RESET);
  }

  @Test
  void absent_is_neither_zero_nor_forgotten() {
    poll(
        0,
        batch ->
            batch
                .absent(0, LANES, 1, Quality.UNREADABLE, "no light")
                .absent(0, OCTETS, 0, Quality.UNSUPPORTED, null)
                .value(0, SPEED, 0, Double.NaN));

    assertThat(port().quality(LANES, 1)).isEqualTo(Quality.UNREADABLE);
    assertThat(port().reason(LANES, 1)).isEqualTo("no light");
    assertThat(port().quality(LANES, 0)).isEqualTo(Quality.UNSUPPORTED);
    assertThat(port().value(SPEED, 0)).isNaN();
    assertThat(port().reason(SPEED, 0)).isEqualTo("not a number");
    assertThat(port().quality(SEQUENCE, 0)).isEqualTo(Quality.UNSUPPORTED);
  }

  @Test
  void lanes_that_appear_late_do_not_disturb_what_is_there() {
    poll(0, batch -> batch.counter(0, LANES, 0, 5).counter(0, OCTETS, 0, 100));
    PortReadings before = signals.snapshot("Ethernet1");
    poll(
        10,
        batch ->
            batch
                .counter(0, OCTETS, 0, 107)
                .counter(0, LANES, 7, 1)
                .absent(0, LANES, 3, Quality.UNREADABLE, "loose")
                .counter(0, LANES, 0, 9)
                .counter(0, ERRORS, 0, 1));

    assertThat(port().delta(OCTETS, 0)).isEqualTo(7);
    assertThat(port().delta(LANES, 0)).isEqualTo(4);
    assertThat(port().elements(LANES)).isEqualTo(8);
    assertThat(port().reason(LANES, 3)).isEqualTo("loose");
    assertThat(before.elements(LANES)).isEqualTo(1);
    assertThat(before.raw(OCTETS, 0)).isEqualTo(100);
  }

  @Test
  void a_restored_engine_goes_on_where_the_stored_one_ended() {
    poll(0, batch -> batch.boot("a").counter(0, OCTETS, 0, 0));
    poll(10, batch -> batch.boot("a").counter(0, OCTETS, 0, 10));

    DeviceSignals restored = DeviceSignals.restore(signals.baselines(), DICTIONARY);
    restored.apply(batch(70, batch -> batch.boot("a").counter(0, OCTETS, 0, 31)), null);

    SignalWindow port = restored.window("Ethernet1");
    assertThat(port.delta(OCTETS, 0)).isEqualTo(21);
    assertThat(port.seconds(OCTETS, 0)).isEqualTo(60);
    assertThat(port.total(OCTETS, 0)).isEqualTo(31);
    assertThat(port.quality(OCTETS, 0)).isEqualTo(Quality.GAP);
  }

  @Test
  void a_value_that_cannot_be_is_quarantined_and_says_why() {
    poll(0, batch -> batch.value(0, SPEED, 0, 400e9).counter(0, OCTETS, 0, 1_000));
    poll(10, batch -> batch.value(0, SPEED, 0, -125_000).counter(0, OCTETS, 0, 4_000));

    assertThat(port().quality(SPEED, 0)).isEqualTo(Quality.UNREADABLE);
    assertThat(port().reason(SPEED, 0)).contains("-125000", "0.0 to 1.0E14");
    assertThat(port().delta(OCTETS, 0)).isEqualTo(3_000);
    assertThat(signals.quarantined()).isOne();

    poll(20, batch -> batch.value(0, SPEED, 0, 400e9));
    assertThat(port().value(SPEED, 0)).isEqualTo(400e9);
    assertThat(port().reason(SPEED, 0)).isNull();
  }

  @Test
  void growth_beyond_what_the_line_can_carry_is_not_believed_and_costs_two_intervals() {
    poll(0, batch -> batch.value(0, SPEED, 0, 10e9).counter(0, OCTETS, 0, 1_000));
    poll(10, batch -> batch.value(0, SPEED, 0, 10e9).counter(0, OCTETS, 0, 900_000_000_000_000L));
    assertThat(port().hasDelta(OCTETS, 0)).isFalse();
    assertThat(port().quality(OCTETS, 0)).isEqualTo(Quality.RESET);
    assertThat(port().reason(OCTETS, 0)).contains("more than the line can carry");

    poll(20, batch -> batch.value(0, SPEED, 0, 10e9).counter(0, OCTETS, 0, 3_000));
    assertThat(port().hasDelta(OCTETS, 0)).isFalse();

    poll(30, batch -> batch.value(0, SPEED, 0, 10e9).counter(0, OCTETS, 0, 5_000));
    assertThat(port().delta(OCTETS, 0)).isEqualTo(2_000);
    assertThat(port().total(OCTETS, 0)).isEqualTo(2_000);
    assertThat(port().reason(OCTETS, 0)).isNull();
  }

  private SignalWindow port() {
    return signals.window("Ethernet1");
  }

  private void poll(int second, Consumer<PollBatch.Builder> readings) {
    assertThat(signals.apply(batch(second, readings), null)).isEqualTo(Outcome.ACCEPTED);
  }

  private static PollBatch batch(int second, Consumer<PollBatch.Builder> readings) {
    PollBatch.Builder batch = PollBatch.builder("leaf1", "snmp", START.plusSeconds(second));
    batch.port("Ethernet1");
    readings.accept(batch);
    return batch.build(true);
  }

  private static PollBatch at(int second, int deviceSecond, long octets) {
    return batch(
        second,
        batch -> batch.deviceTime(START.plusSeconds(deviceSecond)).counter(0, OCTETS, 0, octets));
  }

  private static PollBatch.Builder narrow(PollBatch.Builder batch, double speed) {
    return batch.counterBits(ERRORS, 32).value(0, SPEED, 0, speed);
  }

  private static Signal counter(String id, int bits, Signal.AtEnd atEnd) {
    return new Signal(id, "1", Signal.Kind.COUNTER, Signal.Scope.PORT, bits, atEnd);
  }
}
