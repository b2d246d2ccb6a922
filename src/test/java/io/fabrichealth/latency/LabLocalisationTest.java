package io.fabrichealth.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabrichealth.finding.Cause;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real packets over a fabric of network namespaces, lost where no counter tells it. */
class LabLocalisationTest {

  @BeforeEach
  void recordings_are_there() {
    assumeTrue(Files.isDirectory(LabProbes.FOLDER), "no recordings at " + LabProbes.FOLDER);
  }

  @Test
  void a_spine_that_drops_one_in_a_thousand_is_named() throws IOException {
    List<PathFinding> found = localise(LabProbes.read("silent-loss-spine"), 1, 0);

    assertThat(found).hasSize(1);
    assertThat(found.getFirst().cause()).isEqualTo(Cause.SWITCH_PACKET_LOSS);
    assertThat(found.getFirst().subject().id()).isEqualTo("spine1");
    assertThat(found.getFirst().amount()).isBetween(.0009, .0013);
    assertThat(found.getFirst().low()).isLessThan(.00112);
    assertThat(found.getFirst().high()).isGreaterThan(.00112);
    assertThat(found.getFirst().nats()).isGreaterThan(20);
    assertThat(found.getFirst().rivals()).isEmpty();
  }

  @Test
  void one_direction_of_a_link_that_drops_is_named() throws IOException {
    List<PathFinding> found = localise(LabProbes.read("silent-loss-one-link"), 1, 0);

    assertThat(found).hasSize(1);
    assertThat(found.getFirst().cause()).isEqualTo(Cause.PACKET_LOSS);
    assertThat(found.getFirst().subject().id()).isEqualTo("leaf3:Ethernet50--spine2:Ethernet3");
    assertThat(found.getFirst().from()).hasToString("leaf3:Ethernet50");
    assertThat(found.getFirst().low()).isLessThan(.002);
    assertThat(found.getFirst().high()).isGreaterThan(.002);
    assertThat(found.getFirst().pairs()).hasSizeGreaterThan(5);
  }

  /** Thinned at random: what a prober that had sent less would have seen. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void a_spine_is_named_first_after_twenty_lost_probes(int seed) throws IOException {
    List<PathFinding> found = localise(LabProbes.read("silent-loss-spine"), 20.0 / 129, seed);

    assertThat(found).isNotEmpty();
    assertThat(found.getFirst().subject().id()).isEqualTo("spine1");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void a_link_direction_is_named_first_after_twenty_lost_probes(int seed) throws IOException {
    List<PathFinding> found = localise(LabProbes.read("silent-loss-one-link"), 20.0 / 68, seed);

    assertThat(found).isNotEmpty();
    assertThat(found.getFirst().subject().id()).isEqualTo("leaf3:Ethernet50--spine2:Ethernet3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"healthy", "wrong-cable"})
  void nothing_is_named_where_nothing_was_lost(String recording) throws IOException {
    assertThat(localise(LabProbes.read(recording), 1, 0)).isEmpty();
  }

  @Test
  void a_port_that_discards_is_named() throws IOException {
    List<PathFinding> found = localise(LabProbes.read("visible-discards"), 1, 0);

    assertThat(found.getFirst().subject().id()).isEqualTo("leaf4:Ethernet50--spine2:Ethernet4");
    assertThat(found.getFirst().from()).hasToString("spine2:Ethernet4");
  }

  @Test
  void a_link_that_flaps_is_named() throws IOException {
    List<PathFinding> found = localise(LabProbes.read("flap"), 1, 0);

    assertThat(found.getFirst().subject().id()).isEqualTo("leaf1:Ethernet50--spine2:Ethernet1");
  }

  @Test
  void a_link_that_big_packets_do_not_pass_is_named() throws IOException {
    List<PathFinding> found = localise(LabProbes.read("mtu-mismatch"), 1, 0);

    assertThat(found.getFirst().subject().id()).isEqualTo("leaf4:Ethernet49--spine1:Ethernet4");
  }

  private static List<PathFinding> localise(LabProbes lab, double kept, long seed) {
    SplittableRandom draws = new SplittableRandom(seed);
    ProbeWindow window = new ProbeWindow(Duration.ofMinutes(10), 10_000);
    for (LabProbes.Timed probe : lab.probes()) {
      window.add(probe.at(), kept == 1 ? probe.sample() : thinned(probe.sample(), kept, draws));
    }
    assertThat(window.refused()).isZero();
    return new Localiser(lab.fabric()).localise(window);
  }

  private static ProbeSample thinned(ProbeSample of, double kept, SplittableRandom draws) {
    long lost = 0;
    for (long probe = 0; probe < of.lost(); probe++) {
      lost += draws.nextDouble() < kept ? 1 : 0;
    }
    long arrived = Math.round((of.sent() - of.lost()) * kept);
    return new ProbeSample(
        of.src(),
        of.dst(),
        of.tool(),
        of.sourcePort(),
        of.bytes(),
        of.path(),
        of.candidates(),
        of.returnPath(),
        arrived + lost,
        lost,
        of.rtt());
  }
}
