package io.fabrichealth.collect.snmp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.testing.Readings;
import io.fabrichealth.topology.Neighbour;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.SeenPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.snmp4j.smi.Counter32;
import org.snmp4j.smi.Counter64;
import org.snmp4j.smi.Gauge32;
import org.snmp4j.smi.Integer32;
import org.snmp4j.smi.IpAddress;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.OctetString;
import org.snmp4j.smi.TimeTicks;
import org.snmp4j.smi.Variable;

/** Every recorded walk of the lab's switches, as the collector reads it. */
class LabRecordingsTest {
  private static final Path LAB = Path.of("../shared/fixtures/lab");
  private static final SignalDictionary DICTIONARY = SignalCatalogue.load();
  private static final SnmpMapping MAPPING = SnmpMapping.load(DICTIONARY);
  private static final Instant NOW = Instant.parse("2026-11-30T06:00:00Z");

  @Test
  void every_walk_has_the_ports_and_neighbours_of_its_switch() throws Exception {
    assumeTrue(Files.isDirectory(LAB), "skipped: no recordings at " + LAB);
    List<Path> walks;
    try (Stream<Path> files = Files.walk(LAB)) {
      walks = files.filter(file -> file.toString().endsWith(".snmprec")).sorted().toList();
    }
    assertThat(walks).hasSize(126);
    for (Path walk : walks) {
      CollectOutcome outcome = read(walk);

      assertThat(outcome.problems()).as(walk.toString()).isEmpty();
      assertThat(Objects.requireNonNull(outcome.sighting()).ports())
          .as(walk.toString())
          .extracting(SeenPort::name)
          .hasSize(4)
          .allMatch(name -> name.startsWith("Ethernet"));
      assertThat(outcome.sighting().neighbours())
          .as(walk.toString())
          .extracting(Neighbour::systemName)
          .doesNotContainNull()
          // A cable that was just moved is told of with its old and its new neighbour.
          .hasSizeBetween(3, 6);
    }
  }

  @Test
  void frames_that_are_too_big_and_frames_that_are_refused_are_counted() throws Exception {
    assumeTrue(Files.isDirectory(LAB), "skipped: no recordings at " + LAB);
    String tooBig = "mtu-mismatch/snmp/leaf4.%d.snmprec";
    assertThat(counter(tooBig.formatted(1), "Ethernet49", "port.in_discards")).isEqualTo(1);
    assertThat(counter(tooBig.formatted(2), "Ethernet49", "port.in_discards")).isEqualTo(829);
    assertThat(counter(tooBig.formatted(3), "Ethernet49", "port.in_discards")).isEqualTo(24_197);
    String refused = "visible-discards/snmp/spine2.%d.snmprec";
    assertThat(counter(refused.formatted(1), "Ethernet4", "port.out_discards")).isZero();
    assertThat(counter(refused.formatted(2), "Ethernet4", "port.out_discards")).isEqualTo(7);
    assertThat(counter(refused.formatted(3), "Ethernet4", "port.out_discards")).isEqualTo(418);
  }

  private static long counter(String walk, String port, String signal) throws Exception {
    return new Readings(read(LAB.resolve(walk)).batch()).counter(port, signal, 0);
  }

  private static CollectOutcome read(Path walk) throws IOException, InterruptedException {
    try (FakeAgent agent = new FakeAgent();
        SnmpSession session = SnmpSession.open()) {
      for (String line : Files.readAllLines(walk)) {
        String[] parts = line.split("\\|", 3);
        agent.objects.put(new OID(parts[0]), variable(parts[1], parts[2]));
      }
      SnmpTarget target =
          new SnmpTarget(
              "switch",
              Role.SWITCH,
              "127.0.0.1",
              agent.port(),
              Duration.ofSeconds(10),
              Duration.ofSeconds(2),
              new SnmpTarget.Community("public"),
              null);
      try (SnmpCollector collector =
          new SnmpCollector(target, session, DICTIONARY, MAPPING, () -> NOW)) {
        return collector.collect(NOW.plusSeconds(10));
      }
    }
  }

  /** By the tag of its encoding (BER), as the files have it. */
  private static Variable variable(String tag, String value) {
    return switch (tag) {
      case "2" -> new Integer32(Integer.parseInt(value));
      case "4" -> new OctetString(value);
      case "4x" -> new OctetString(HexFormat.of().parseHex(value));
      case "6" -> new OID(value);
      case "64" -> new IpAddress(value);
      case "65" -> new Counter32(Long.parseLong(value));
      case "66" -> new Gauge32(Long.parseLong(value));
      case "67" -> new TimeTicks(Long.parseLong(value));
      case "70" -> new Counter64(Long.parseUnsignedLong(value));
      default -> throw new IllegalArgumentException("type " + tag);
    };
  }
}
