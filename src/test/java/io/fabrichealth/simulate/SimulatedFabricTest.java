package io.fabrichealth.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.PortId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SimulatedFabricTest {
  private static final double LINE_BITS = 400e9;

  private final ManualClock clock = new ManualClock();

  @Test
  void the_same_seed_gives_the_same_history_however_often_it_is_read() {
    SimulatedFabric one = fabric(DemoScript.standard(), 7);
    SimulatedFabric other = fabric(DemoScript.standard(), 7);
    for (int second = 0; second < 60; second++) {
      clock.advance(Duration.ofSeconds(1));
      one.read(() -> "");
    }

    assertThat(pages(other)).isEqualTo(pages(one));
  }

  @Test
  void another_seed_gives_another_history() {
    SimulatedFabric one = fabric(DemoScript.standard(), 7);
    SimulatedFabric other = fabric(DemoScript.standard(), 8);
    clock.advance(Duration.ofSeconds(20));

    assertThat(pages(other)).isNotEqualTo(pages(one));
  }

  @Test
  void a_clock_that_goes_back_moves_nothing() {
    SimulatedFabric fabric = fabric(DemoScript.standard(), 7);
    clock.advance(Duration.ofSeconds(20));
    List<String> before = pages(fabric);
    clock.advance(Duration.ofSeconds(-15));

    assertThat(pages(fabric)).isEqualTo(before);
  }

  @Test
  void many_readers_at_once_see_one_history() throws Exception {
    SimulatedFabric fabric = fabric(DemoScript.standard(), 7);
    SimulatedFabric alone = fabric(DemoScript.standard(), 7);
    clock.advance(Duration.ofSeconds(30));
    List<Future<List<String>>> readers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 8; i++) {
        readers.add(threads.submit(() -> pages(fabric)));
      }
    }

    for (Future<List<String>> reader : readers) {
      assertThat(reader.get()).isEqualTo(pages(alone));
    }
  }

  @Test
  void healthy_lanes_err_between_1e_9_and_1e_8_but_for_one_that_always_erred_more() {
    SimulatedFabric fabric = fabric(DemoScript.healthy(), 3);
    run(fabric, Duration.ofMinutes(10));

    List<Double> ratios = new ArrayList<>();
    for (SimulatedPort port : fabric.cabling().ports()) {
      for (Lane lane : port.in().lanes()) {
        ratios.add(lane.correctedBits() / (Lane.BITS_PER_SECOND * fabric.seconds()));
      }
    }
    ratios.sort(null);
    double odd = ratios.removeLast();
    assertThat(odd).isCloseTo(2e-7, within(.1e-7));
    assertThat(ratios.getFirst()).isGreaterThan(.9e-9);
    assertThat(ratios.getLast()).isLessThan(1.1e-8);
    // Modules differ: the tenths at both ends are half a decade apart.
    assertThat(ratios.get(ratios.size() * 9 / 10))
        .isGreaterThan(3 * ratios.get(ratios.size() / 10));
  }

  @Test
  void a_healthy_fabric_loses_nothing_and_nothing_goes_down() {
    SimulatedFabric fabric = fabric(DemoScript.healthy(), 3);
    run(fabric, Duration.ofMinutes(10));

    for (SimulatedPort port : fabric.cabling().ports()) {
      assertThat(port.link().isUp()).isTrue();
      assertThat(port.in().uncorrectableCodewords()).isZero();
      assertThat(port.in().lostPackets()).isZero();
      assertThat(port.out().discardedPackets()).isZero();
      assertThat(pausedRatio(port.out(), fabric)).isBetween(0.0, 1e-4);
      assertThat(load(port.out(), fabric)).isBetween(.2, .7);
    }
    assertThat(fabric.cabling().hcas())
        .allSatisfy(hca -> assertThat(load(hca.port().in(), fabric)).isBetween(.4, .7));
  }

  @Test
  void what_goes_into_a_switch_comes_out_of_it_or_is_counted_as_dropped() {
    SimulatedFabric fabric = fabric(DemoScript.standard(), 3);
    run(fabric, Duration.ofMinutes(2));

    for (Device device : fabric.plan().devices()) {
      if (device.role().isSwitch()) {
        List<SimulatedPort> ports = fabric.cabling().portsOf(device.name());
        long in = ports.stream().mapToLong(port -> port.in().receivedPackets()).sum();
        long out = ports.stream().mapToLong(port -> port.out().sentPackets()).sum();
        long dropped = ports.stream().mapToLong(port -> port.out().discardedPackets()).sum();
        assertThat(in).as(device.name()).isEqualTo(out + dropped).isPositive();
      }
    }
  }

  @Test
  void no_link_carries_more_than_its_speed() {
    SimulatedFabric fabric = fabric(DemoScript.standard(), 3);
    run(fabric, Duration.ofMinutes(2));

    assertThat(fabric.cabling().ports())
        .allSatisfy(port -> assertThat(load(port.out(), fabric)).isLessThan(.99));
  }

  @Test
  void dirt_shows_on_its_lane_only_with_errors_less_light_and_codewords_lost_in_bursts() {
    SimulatedFabric fabric = fabric(DemoScript.standard(), 3);
    Fault.DirtyLane dirt = fault(Fault.DirtyLane.class);
    run(fabric, dirt.from().minusSeconds(1));
    SimulatedPort port = fabric.cabling().port(dirt.receiver());
    double[] lightBefore = light(port);
    assertThat(port.in().uncorrectableCodewords()).isZero();
    long[] before = corrected(port);
    double secondsBefore = fabric.seconds();
    run(fabric, Duration.ofSeconds(120));

    double bits = Lane.BITS_PER_SECOND * (fabric.seconds() - secondsBefore);
    long[] after = corrected(port);
    double[] light = light(port);
    for (int lane = 0; lane < after.length; lane++) {
      double ratio = (after[lane] - before[lane]) / bits;
      if (lane == dirt.lane()) {
        assertThat(ratio).isBetween(5e-5, 2e-4);
        assertThat(light[lane]).isCloseTo(lightBefore[lane] - 3.5, within(.4));
      } else {
        assertThat(ratio).isLessThan(2e-8);
        assertThat(light[lane]).isCloseTo(lightBefore[lane], within(.4));
      }
    }
    assertThat(port.in().uncorrectableCodewords()).isBetween(100L, 10_000L);
    assertThat(port.in().symbolErrors())
        .isGreaterThanOrEqualTo(16 * port.in().uncorrectableCodewords());
    double loss = (double) port.in().lostPackets() / port.in().sentPackets();
    assertThat(loss).isBetween(1e-8, 1e-5);
    // The other direction is clean.
    assertThat(port.out().uncorrectableCodewords()).isZero();
    assertThat(port.out().lostPackets()).isZero();
  }

  @Test
  void lost_packets_show_as_gaps_at_their_receiver_and_as_refusals_at_their_sender() {
    SimulatedFabric fabric = fabric(DemoScript.standard(), 3);
    run(fabric, Duration.ofSeconds(120));

    Hca receiver = fabric.cabling().hca(fault(Fault.DirtyLane.class).receiver());
    Hca sender = fabric.cabling().senderTo(receiver);
    assertThat(receiver.outOfSequence()).isEqualTo(receiver.port().in().lostPackets()).isPositive();
    assertThat(sender.packetSequenceErrors()).isEqualTo(receiver.outOfSequence());
    assertThat(sender).isNotEqualTo(receiver);
    assertThat(fabric.cabling().hcas())
        .filteredOn(hca -> !hca.equals(sender))
        .allSatisfy(hca -> assertThat(hca.packetSequenceErrors()).isZero());
  }

  @Test
  void the_flapping_link_is_down_and_up_in_turn_and_its_siblings_carry_its_share() {
    SimulatedFabric fabric = fabric(DemoScript.standard(), 3);
    Fault.FlappingLink flap = fault(Fault.FlappingLink.class);
    SimulatedLink link = fabric.cabling().link(flap.link().id());
    run(fabric, flap.from().minusMillis(500));
    assertThat(link.isUp()).isTrue();
    assertThat(link.downs()).isZero();

    run(fabric, Duration.ofSeconds(2));
    assertThat(link.isUp()).isFalse();
    assertThat(link.downs()).isEqualTo(1);
    assertThat(link.lastChangeSeconds()).isCloseTo(flap.from().toSeconds(), within(.26));
    long sent = link.aToB().sentPackets();
    long bits = link.aToB().bits();
    run(fabric, Duration.ofSeconds(9));
    assertThat(link.aToB().sentPackets()).isEqualTo(sent);
    assertThat(link.aToB().bits()).isEqualTo(bits);

    run(fabric, Duration.ofSeconds(3));
    assertThat(link.isUp()).isTrue();
    assertThat(link.changes()).isEqualTo(3);
    assertThat(link.aToB().sentPackets()).isGreaterThan(sent);

    run(fabric, Duration.ofSeconds(90).minusMillis((long) (fabric.seconds() * 1000)));
    assertThat(link.downs()).isEqualTo(3);
    assertThat(fabric.cabling().links())
        .filteredOn(other -> !other.equals(link))
        .allSatisfy(other -> assertThat(other.downs()).isZero());
  }

  @Test
  void the_slow_receiver_pauses_its_leaf_and_its_line_is_clean() {
    SimulatedFabric fabric = fabric(DemoScript.standard(), 3);
    Fault.SlowReceiver slow = fault(Fault.SlowReceiver.class);
    run(fabric, slow.from().plusSeconds(1));
    Hca hca = fabric.cabling().hca(slow.hca());
    long pausedBefore = hca.port().in().pauseMicros();
    long framesBefore = hca.port().in().pauseFrames();
    run(fabric, Duration.ofSeconds(60));

    assertThat((hca.port().in().pauseMicros() - pausedBefore) / 60e6).isBetween(.6, .7);
    // A pause lasts at most 84 microseconds, so it must be renewed at least so often.
    assertThat(hca.port().in().pauseFrames() - framesBefore).isGreaterThan((long) (.6 * 60e6 / 84));
    assertThat(hca.outOfBuffer()).isPositive();
    assertThat(hca.port().in().uncorrectableCodewords()).isZero();
    assertThat(hca.port().in().lostPackets()).isZero();
    assertThat(hca.port().out().pauseMicros()).isLessThan(10_000);
    String leaf = fabric.cabling().leafOf(hca);
    assertThat(fabric.cabling().uplinksOf(leaf))
        .allSatisfy(uplink -> assertThat(pausedRatio(uplink.down(), fabric)).isBetween(.005, .03));
  }

  @Test
  void the_congested_leaf_is_full_marks_and_drops_a_little_and_pauses_its_spines_moderately() {
    SimulatedFabric fabric = fabric(DemoScript.standard(), 3);
    run(fabric, Duration.ofSeconds(120));
    Confounder.Incast incast =
        DemoScript.standard().confounders().stream()
            .filter(Confounder.Incast.class::isInstance)
            .map(Confounder.Incast.class::cast)
            .findFirst()
            .orElseThrow();

    for (PortId target : incast.targets()) {
      Hca hca = fabric.cabling().hca(target);
      Direction egress = hca.port().in();
      assertThat(load(egress, fabric)).isBetween(.95, .98);
      assertThat((double) hca.markedPackets() / egress.receivedPackets()).isBetween(.03, .08);
      assertThat(hca.notificationsSent()).isPositive().isLessThan(hca.markedPackets());
      assertThat(egress.discardedPackets()).isBetween(10L, 200L);
      assertThat(egress.lostPackets()).isZero();
      assertThat(egress.uncorrectableCodewords()).isZero();
    }
    assertThat(fabric.cabling().uplinksOf(incast.leaf()))
        .allSatisfy(uplink -> assertThat(pausedRatio(uplink.down(), fabric)).isBetween(.05, .1));
    assertThat(fabric.cabling().hcas())
        .filteredOn(hca -> !fabric.cabling().leafOf(hca).equals(incast.leaf()))
        .allSatisfy(hca -> assertThat(hca.notificationsHandled()).isGreaterThan(100_000));
  }

  @Test
  void a_miscalibrated_module_reads_low_and_errs_no_more() {
    Confounder.MiscalibratedModule odd =
        DemoScript.healthy().confounders().stream()
            .filter(Confounder.MiscalibratedModule.class::isInstance)
            .map(Confounder.MiscalibratedModule.class::cast)
            .findFirst()
            .orElseThrow();
    SimulatedFabric fabric = fabric(DemoScript.healthy(), 3);
    run(fabric, Duration.ofSeconds(10));
    SimulatedPort port = fabric.cabling().port(odd.port());

    for (int lane = 0; lane < port.module().lanes(); lane++) {
      assertThat(port.module().receivedDbm(lane))
          .isCloseTo(port.in().lanes().get(lane).receivedDbm() - 2, within(.3));
    }
    assertThat(port.in().correctedBits() / (4 * Lane.BITS_PER_SECOND * 10)).isLessThan(1.2e-8);
  }

  private SimulatedFabric fabric(DemoScript script, long seed) {
    return new SimulatedFabric(
        DemoPlan.fabric(),
        script,
        RandomGeneratorFactory.of("L64X128MixRandom").create(seed),
        clock);
  }

  private void run(SimulatedFabric fabric, Duration time) {
    clock.advance(time);
    fabric.read(() -> "");
  }

  private static <F extends Fault> F fault(Class<F> kind) {
    return DemoScript.standard().faults().stream()
        .filter(kind::isInstance)
        .map(kind::cast)
        .findFirst()
        .orElseThrow();
  }

  private static List<String> pages(SimulatedFabric fabric) {
    return IntStream.range(0, DemoPlan.HOSTS)
        .mapToObj(host -> fabric.read(() -> HostExposition.of(fabric, DemoPlan.host(host))))
        .toList();
  }

  private static double load(Direction direction, SimulatedFabric fabric) {
    return direction.sentOctets() * 8 / LINE_BITS / fabric.seconds();
  }

  private static double pausedRatio(Direction direction, SimulatedFabric fabric) {
    return direction.pauseMicros() / 1e6 / fabric.seconds();
  }

  private static long[] corrected(SimulatedPort port) {
    return port.in().lanes().stream().mapToLong(Lane::correctedBits).toArray();
  }

  private static double[] light(SimulatedPort port) {
    return IntStream.range(0, port.module().lanes())
        .mapToDouble(port.module()::receivedDbm)
        .toArray();
  }
}
