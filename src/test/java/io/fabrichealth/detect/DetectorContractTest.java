package io.fabrichealth.detect;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.Signal;
import io.fabrichealth.simulate.world.Scenario;
import io.fabrichealth.simulate.world.Severity;
import io.fabrichealth.testing.EngineRun;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What holds for every detector of a port, a device or the fabric: all of them run here, as the
 * service runs them. A new one is bound by it as soon as it stands among the {@link Detectors}.
 */
class DetectorContractTest {
  private static final Duration LENGTH = Duration.ofMinutes(4);
  private static final Duration POLL = Duration.ofSeconds(30);
  private static final List<EngineInput> HEALTHY =
      EngineRun.records(Scenario.of("F1-part", 0, Severity.MEDIUM, 11).with(LENGTH, POLL));
  private static final Instant HALF = Scenario.START.plus(LENGTH.dividedBy(2));

  private static final int GROWTH_POLLS = 10_000;
  private static final int PORTS = 4;

  @Test
  void nothing_that_is_read_is_nothing_that_is_said() {
    EngineRun run = new EngineRun();
    Set<String> devices = new HashSet<>();
    for (EngineInput input : HEALTHY) {
      if (input instanceof EngineInput.Poll(PollBatch batch)) {
        devices.add(batch.device());
        run.step(
            new EngineInput.Poll(PollBatch.missed(batch.device(), batch.collector(), batch.at())));
      } else {
        run.step(input);
      }
    }

    assertThat(devices).hasSizeGreaterThan(10);
    assertSilent(run);
  }

  @ParameterizedTest
  @MethodSource("signals")
  void a_healthy_fabric_without_one_signal_stays_silent(String missing) {
    int signal = EngineRun.DICTIONARY.ordinal(missing);
    assertSilent(new EngineRun().steps(without(each -> each == signal)));
  }

  static Stream<String> signals() {
    Set<Integer> read = new HashSet<>();
    for (EngineInput input : HEALTHY) {
      if (input instanceof EngineInput.Poll(PollBatch batch)) {
        for (int reading = 0; reading < batch.size(); reading++) {
          read.add(batch.signal(reading));
        }
      }
    }
    return read.stream().sorted().map(EngineRun.DICTIONARY::signal).map(Signal::id);
  }

  private static List<EngineInput> without(IntPredicate missing) {
    return polls(batch -> EngineRun.copy(batch, missing, batch.at(), batch.boot()));
  }

  @Test
  void counters_that_begin_anew_are_no_fault() {
    List<EngineInput> rebooted =
        polls(
            batch ->
                batch.at().isBefore(HALF)
                    ? batch
                    : EngineRun.copy(batch, none -> false, batch.at(), "another boot"));

    assertSilent(new EngineRun().steps(rebooted));
  }

  @ParameterizedTest
  @ValueSource(longs = {30, 3_600, -3_600})
  void a_clock_that_is_set_is_no_fault(long backSeconds) {
    List<EngineInput> jumped =
        polls(
            batch ->
                batch.at().isBefore(HALF)
                    ? batch
                    : EngineRun.copy(
                        batch, none -> false, batch.at().minusSeconds(backSeconds), batch.boot()));

    assertSilent(new EngineRun().steps(jumped));
  }

  @Test
  void values_that_are_no_numbers_are_no_fault() {
    assertSilent(new EngineRun().steps(polls(DetectorContractTest::unreadable)));
  }

  @Test
  void records_that_come_twice_and_in_another_order_are_no_fault() {
    List<EngineInput> shuffled = new ArrayList<>(HEALTHY.subList(0, 1));
    for (int index = 1; index < HEALTHY.size(); index++) {
      shuffled.add(HEALTHY.get(index));
      shuffled.add(HEALTHY.get(Math.max(1, index - index % 7)));
      shuffled.add(HEALTHY.get(index));
    }

    assertSilent(new EngineRun().steps(shuffled));
  }

  @Test
  void a_device_that_vanishes_is_no_fault_of_its_links() {
    Predicate<EngineInput> isGone =
        input ->
            input instanceof EngineInput.Poll(PollBatch batch)
                && batch.device().startsWith("leaf")
                && !batch.at().isBefore(HALF);

    assertSilent(new EngineRun().steps(HEALTHY.stream().filter(isGone.negate()).toList()));
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 6, 11, 21, 22})
  void the_same_records_give_the_same_state_and_it_is_stored_bit_for_bit(int faultClass) {
    List<EngineInput> records =
        EngineRun.records(
            Scenario.of("F1-part", faultClass, Severity.HIGH, 5)
                .with(Duration.ofMinutes(10), POLL));
    EngineRun one = new EngineRun().steps(records);
    EngineRun other = new EngineRun().steps(records);

    assertThat(one.faults()).isZero();
    assertThat(other.opened()).isEqualTo(one.opened());
    Map<String, byte[]> memories = one.memories();
    Map<String, byte[]> others = other.memories();
    assertThat(others.keySet()).isEqualTo(memories.keySet());
    Map<String, Class<?>> types = types();
    memories.forEach(
        (where, bytes) -> {
          assertThat(others.get(where)).as(where).isEqualTo(bytes);
          Class<?> type = types.get(where.split(" ", 2)[0]);
          assertThat(EngineRun.CODEC.encode(EngineRun.CODEC.decode(bytes, type)))
              .as(where)
              .isEqualTo(bytes);
        });
  }

  private static Map<String, Class<?>> types() {
    Map<String, Class<?>> types = new HashMap<>();
    EngineRun.DETECTORS.ports().forEach(each -> types.put(each.id(), each.stateType()));
    EngineRun.DETECTORS.devices().forEach(each -> types.put(each.id(), each.stateType()));
    EngineRun.DETECTORS.fabric().forEach(each -> types.put(each.id(), each.stateType()));
    return types;
  }

  @Test
  void what_is_remembered_does_not_grow_with_the_polls() {
    EngineRun run = new EngineRun();
    run.step(new EngineInput.Topology(Scenario.START, smallFabric()));
    Random random = new Random(3);
    long[][] counters = new long[2 * PORTS][EngineRun.DICTIONARY.size()];
    Map<String, Integer> early = new HashMap<>();
    for (int poll = 1; poll <= GROWTH_POLLS; poll++) {
      Instant at = Scenario.START.plusSeconds(10L * poll);
      run.step(restless("leaf1", at, counters, 0, PORTS, random));
      for (int host = 0; host < PORTS; host++) {
        run.step(
            restless(host(host).device(), at.plusSeconds(1), counters, PORTS + host, 1, random));
      }
      // Points of long ago are merged, so that the longest memory is full after 6,000 polls; and
      // what
      // a reset empties fills again.
      if (poll <= GROWTH_POLLS * 2 / 3 && poll % 500 == 0) {
        sizes(run).forEach((where, size) -> early.merge(where, size, Math::max));
      }
    }

    assertThat(run.faults()).isZero();
    Map<String, Integer> late = sizes(run);
    for (Map.Entry<String, Integer> before : early.entrySet()) {
      assertThat(late.get(before.getKey()))
          .as(before.getKey())
          .isLessThanOrEqualTo(before.getValue() * 3 / 2 + 256);
    }
  }

  private static Map<String, Integer> sizes(EngineRun run) {
    Map<String, Integer> sizes = new HashMap<>();
    run.memories().forEach((where, bytes) -> sizes.put(where, bytes.length));
    return sizes;
  }

  /** Counters that all move by chance, and a state that changes now and then. */
  private static EngineInput restless(
      String device, Instant at, long[][] counters, int first, int ports, Random random) {
    PollBatch.Builder batch = PollBatch.builder(device, "snmp", at);
    for (int index = 0; index < ports; index++) {
      int port = batch.port(ports == 1 ? "mlx5_0/1" : "Ethernet1/" + (index + 1));
      for (int signal = 0; signal < EngineRun.DICTIONARY.size(); signal++) {
        Signal described = EngineRun.DICTIONARY.signal(signal);
        if (described.kind() == Signal.Kind.COUNTER) {
          boolean isTraffic = described.id().matches("port.(in|out)_(octets|packets)");
          counters[first + index][signal] +=
              isTraffic ? 1_000_000 + random.nextInt(1_000_000) : random.nextInt(50) / 49;
          batch.counter(port, signal, 0, counters[first + index][signal]);
        } else if (described.id().endsWith("_up")) {
          batch.value(port, signal, 0, random.nextInt(500) == 0 ? 0 : 1);
        } else if (described.id().equals("port.speed_bits_per_second")) {
          batch.value(port, signal, 0, 400e9);
        }
      }
    }
    return new EngineInput.Poll(batch.build(true));
  }

  private static Fabric smallFabric() {
    Fabric.Builder fabric = Fabric.builder().device(Device.of("leaf1", Role.LEAF));
    for (int index = 0; index < PORTS; index++) {
      fabric.device(Device.of(host(index).device(), Role.HOST));
      fabric.link(
          Link.between(
              new PortId("leaf1", "Ethernet1/" + (index + 1)), host(index), Tier.HOST_LEAF, 0));
    }
    return fabric.build();
  }

  private static PortId host(int index) {
    return new PortId("gpu-00" + (index + 1), "mlx5_0/1");
  }

  // --- records

  private static void assertSilent(EngineRun run) {
    assertThat(run.faults()).as("times that a detector failed").isZero();
    assertThat(run.opened()).isEmpty();
  }

  private static List<EngineInput> polls(Function<PollBatch, PollBatch> change) {
    return HEALTHY.stream()
        .map(
            input ->
                input instanceof EngineInput.Poll(PollBatch batch)
                    ? new EngineInput.Poll(change.apply(batch))
                    : input)
        .toList();
  }

  private static PollBatch unreadable(PollBatch batch) {
    PollBatch.Builder copy = EngineRun.begin(batch, batch.at(), batch.boot());
    for (int reading = 0; reading < batch.size(); reading++) {
      int port = batch.portIndex(reading);
      int signal = batch.signal(reading);
      boolean isGauge = EngineRun.DICTIONARY.signal(signal).kind() != Signal.Kind.COUNTER;
      if (isGauge && reading % 3 == 0) {
        copy.value(port, signal, batch.element(reading), Double.NaN);
      } else if (isGauge || reading % 3 == 1) {
        copy.absent(port, signal, batch.element(reading), Quality.UNREADABLE, "no number");
      } else {
        copy.counter(port, signal, batch.element(reading), batch.raw(reading));
      }
    }
    return copy.build(batch.complete());
  }
}
