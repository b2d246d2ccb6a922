package io.fabrichealth.collect.snmp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.LeftOut;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.testing.Readings;
import io.fabrichealth.topology.Neighbour;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.SeenPort;
import io.fabrichealth.topology.Sighting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads recorded switches, served by Debian's snmpsimd. */
class SnmpsimIT {
  private static final Path RECORDINGS = Path.of("../shared/fixtures/snmp");
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final SignalDictionary DICTIONARY = SignalCatalogue.load();
  private static final SnmpMapping MAPPING = SnmpMapping.load(DICTIONARY);
  private static final Map<String, CollectOutcome> COLLECTED = new HashMap<>();

  @TempDir static Path directory;
  private static AgentProcess simulator;
  private static SnmpSession session;
  private static int port;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(Files.isDirectory(RECORDINGS), RECORDINGS + " is not there");
    assumeTrue(AgentProcess.isInstalled("snmpsimd"), "snmpsimd is not installed");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path cache = Files.createDirectory(directory.resolve("cache"));
    Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxrwx"));
    port = AgentProcess.freePort();
    simulator =
        AgentProcess.start(
            List.of(
                "snmpsimd",
                "--process-user=nobody",
                "--process-group=nogroup",
                "--v2c-arch",
                "--max-varbinds=2000",
                "--cache-dir=" + cache.toAbsolutePath(),
                "--data-dir=" + RECORDINGS.toRealPath(),
                "--agent-udpv4-endpoint=127.0.0.1:" + port),
            directory);
    session = SnmpSession.open();
    awaitAnswer();
  }

  @AfterAll
  static void stop() {
    if (session != null) {
      session.close();
    }
    if (simulator != null) {
      simulator.close();
    }
  }

  private static void awaitAnswer() throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!collect("mellanox_i5035").problems().isEmpty()) {
      COLLECTED.clear();
      assertThat(simulator.isAlive()).as("snmpsimd: %s", simulator.log()).isTrue();
      assertThat(System.nanoTime()).as("snmpsimd does not answer").isLessThan(end);
    }
  }

  private static CollectOutcome collect(String recording) throws Exception {
    CollectOutcome known = COLLECTED.get(recording);
    if (known != null) {
      return known;
    }
    SnmpTarget target =
        new SnmpTarget(
            recording,
            Role.LEAF,
            "127.0.0.1",
            port,
            Duration.ofSeconds(10),
            Duration.ofSeconds(5),
            new SnmpTarget.Community(recording),
            null);
    InstantSource clock = InstantSource.system();
    try (SnmpCollector collector = new SnmpCollector(target, session, DICTIONARY, MAPPING, clock)) {
      CollectOutcome outcome = collector.collect(clock.instant().plus(PATIENCE));
      COLLECTED.put(recording, outcome);
      return outcome;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "arista_eos, 55, 52",
    "edgecos_dcs203, 64, 56",
    "dell-sonic, 56, 54",
    "nxos_n9k-c93180yc-fx3, 59, 54",
    "junos_ber, 214, 50",
    "junos_qfx5100, 50, 9",
    "cumulus_mellanox, 69, 56",
    "mellanox_i5035, 0, 0"
  })
  void every_row_is_a_port_or_is_left_out_by_a_named_rule(String recording, int rows, int ports)
      throws Exception {
    CollectOutcome outcome = collect(recording);

    List<SeenPort> seen = sighting(outcome).ports();
    assertThat(seen).hasSize(ports);
    assertThat(seen.size() + outcome.leftOut().size()).isEqualTo(rows);
    assertThat(outcome.leftOut()).extracting(LeftOut::rule).doesNotContainNull();
    Set<String> names = seen.stream().map(SeenPort::name).collect(Collectors.toSet());
    assertThat(names).hasSize(ports);
    assertThat(outcome.problems()).isEmpty();
    assertThat(outcome.batch().complete()).isTrue();
  }

  @Test
  void an_unlit_receiver_has_no_power_instead_of_a_low_one() throws Exception {
    PollBatch batch = collect("arista_eos").batch();

    int reading = reading(batch, "Ethernet1", "optics.rx_power_dbm", 0);
    assertThat(batch.quality(reading)).isEqualTo(Quality.UNREADABLE);
    assertThat(batch.reason(reading)).isEqualTo("no light");
    assertThat(value(batch, "Ethernet1", "optics.tx_power_dbm", 0)).isEqualTo(-1.99, within(.005));
    assertThat(value(batch, "Ethernet1", "optics.tx_bias_milliamperes", 0)).isEqualTo(33.45);
    assertThat(value(batch, "Ethernet1", "optics.module_temperature_celsius", 0)).isEqualTo(25.8);
  }

  @Test
  void watts_become_dbm() throws Exception {
    PollBatch batch = collect("edgecos_dcs203").batch();

    assertThat(value(batch, "Eth6/3(Port1)", "optics.rx_power_dbm", 0))
        .isEqualTo(-2.75, within(.005));
    int second = reading(batch, "Eth6/3(Port1)", "optics.rx_power_dbm", 1);
    assertThat(batch.quality(second)).isEqualTo(Quality.UNREADABLE);
  }

  @Test
  void junos_gives_corrected_bits_and_the_error_ratio() throws Exception {
    PollBatch batch = collect("junos_ber").batch();

    assertThat(batch.raw(reading(batch, "et-3/0/0", "fec.corrected_bits", 0))).isEqualTo(18663407);
    assertThat(batch.raw(reading(batch, "et-3/0/0", "fec.uncorrectable_codewords", 0))).isZero();
    assertThat(value(batch, "et-3/0/0", "fec.pre_fec_ber", 0)).isEqualTo(530e-9);
  }

  @Test
  void what_a_device_does_not_have_is_unsupported_and_never_zero() throws Exception {
    PollBatch batch = collect("mellanox_i5035").batch();

    assertThat(batch.size()).isPositive();
    for (int reading = 0; reading < batch.size(); reading++) {
      assertThat(batch.quality(reading)).isEqualTo(Quality.UNSUPPORTED);
    }
    int octets = reading(batch, PollBatch.DEVICE, "port.in_octets", 0);
    assertThat(batch.quality(octets)).isEqualTo(Quality.UNSUPPORTED);
  }

  @ParameterizedTest
  @CsvSource({"edgecos_dcs203, 30", "dell-sonic, 23", "arista_eos, 6", "junos_qfx5100, 2"})
  void every_neighbour_hangs_on_a_row_of_the_device(String recording, int neighbours)
      throws Exception {
    CollectOutcome outcome = collect(recording);

    Sighting sighting = sighting(outcome);
    assertThat(sighting.neighboursRead()).isTrue();
    assertThat(sighting.neighbours()).hasSize(neighbours);
    Set<String> rows = sighting.ports().stream().map(SeenPort::name).collect(Collectors.toSet());
    outcome.leftOut().forEach(row -> rows.add(row.row()));
    assertThat(sighting.neighbours()).extracting(Neighbour::localPort).isSubsetOf(rows);
  }

  @Test
  void wide_counters_are_read_and_narrow_octets_are_not() throws Exception {
    PollBatch arista = collect("arista_eos").batch();
    assertThat(arista.raw(reading(arista, "Ethernet1", "port.in_octets", 0)))
        .isEqualTo(522941215169L);
    assertThat(arista.counterBits(DICTIONARY.ordinal("port.in_errors"))).isEqualTo(32);

    PollBatch junos = collect("junos_ber").batch();
    Readings read = new Readings(junos);
    assertThat(read.has("xe-0/0/0", "port.in_octets")).isFalse();
    assertThat(read.has("xe-0/0/0", "port.in_errors")).isTrue();
  }

  private static Sighting sighting(CollectOutcome outcome) {
    return Objects.requireNonNull(outcome.sighting());
  }

  private static double value(PollBatch batch, String port, String signal, int element) {
    return new Readings(batch).value(port, signal, element);
  }

  private static int reading(PollBatch batch, String port, String signal, int element) {
    return new Readings(batch).at(port, signal, element);
  }
}
