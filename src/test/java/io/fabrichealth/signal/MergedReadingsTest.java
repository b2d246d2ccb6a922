package io.fabrichealth.signal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class MergedReadingsTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final SignalDictionary DICTIONARY =
      new SignalDictionary(
          List.of(
              signal("port.in_octets", Signal.Kind.COUNTER),
              signal("port.speed_bits_per_second", Signal.Kind.GAUGE),
              signal("fec.corrected_bits", Signal.Kind.COUNTER),
              signal("optics.rx_power_dbm", Signal.Kind.GAUGE)));
  private static final int OCTETS = 0;
  private static final int SPEED = 1;
  private static final int LANES = 2;
  private static final int POWER = 3;

  @Test
  void each_signal_comes_from_the_collector_that_has_a_value() {
    PortReadings snmp =
        read("snmp", 5, batch -> batch.counter(0, OCTETS, 0, 7).value(0, SPEED, 0, 400e9));
    PortReadings gnmi =
        read(
            "gnmi",
            3,
            batch ->
                batch
                    .counter(0, LANES, 0, 11)
                    .counter(0, LANES, 1, 12)
                    .absent(0, SPEED, 0, Quality.UNSUPPORTED, null));

    PortReadings merged = merge(snmp, gnmi);

    assertThat(merged.raw(OCTETS, 0)).isEqualTo(7);
    assertThat(merged.value(SPEED, 0)).isEqualTo(400e9);
    assertThat(merged.elements(LANES)).isEqualTo(2);
    assertThat(merged.raw(LANES, 1)).isEqualTo(12);
    assertThat(merged.collector()).isEqualTo("snmp");
    assertThat(merged.readNanos()).isEqualTo(snmp.readNanos());
  }

  @Test
  void a_signal_is_never_put_together_from_two_collectors() {
    PortReadings total = read("snmp", 5, batch -> batch.counter(0, LANES, 0, 100));
    PortReadings lanes =
        read(
            "gnmi",
            3,
            batch -> batch.counter(0, LANES, 0, 1).counter(0, LANES, 1, 2).counter(0, LANES, 2, 3));

    PortReadings merged = merge(total, lanes);

    assertThat(merged.elements(LANES)).isEqualTo(3);
    assertThat(merged.raw(LANES, 0)).isEqualTo(1);
  }

  @Test
  void a_reason_is_better_than_nothing_and_a_value_better_than_a_reason() {
    PortReadings dark =
        read("snmp", 5, batch -> batch.absent(0, POWER, 0, Quality.UNREADABLE, "no light"));
    PortReadings other = read("gnmi", 3, batch -> batch.counter(0, OCTETS, 0, 1));

    assertThat(merge(dark, other).reason(POWER, 0)).isEqualTo("no light");

    PortReadings light = read("gnmi", 3, batch -> batch.value(0, POWER, 0, -2.5));
    assertThat(merge(dark, light).value(POWER, 0)).isEqualTo(-2.5);
  }

  private static PortReadings merge(PortReadings... sources) {
    return MergedReadings.of(List.of(sources), DICTIONARY.size());
  }

  private static PortReadings read(
      String collector, int second, Consumer<PollBatch.Builder> readings) {
    DeviceSignals signals = new DeviceSignals("leaf1", collector, DICTIONARY);
    PollBatch.Builder batch = PollBatch.builder("leaf1", collector, START.plusSeconds(second));
    batch.port("Ethernet1");
    readings.accept(batch);
    signals.apply(batch.build(true), null);
    return Objects.requireNonNull(signals.snapshot("Ethernet1"));
  }

  private static Signal signal(String id, Signal.Kind kind) {
    return new Signal(id, "1", kind, Signal.Scope.PORT, 64, Signal.AtEnd.WRAPS);
  }
}
