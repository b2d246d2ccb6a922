package io.fabrichealth.collect.gnmi;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.testing.Readings;
import io.fabrichealth.topology.Role;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** gNMI of others: OpenConfig's own server is subscribed to, and their client reads our target. */
class GnmiPeersIT {
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final InstantSource clock = InstantSource.system();

  @TempDir private Path folder;

  @Test
  void openconfigs_server_is_subscribed_to_over_tls_and_its_updates_become_readings()
      throws Exception {
    Path server = GoPeers.require("testing/fake/gnmi/cmd/fake_server");
    TestCertificates.Pem pem = TestCertificates.make(folder, "peer");
    int port = freePort();
    Path config = folder.resolve("config.pb.txt");
    Files.writeString(config, config());
    Process process =
        new ProcessBuilder(
                server.toString(),
                "-config",
                config.toString(),
                "-text",
                "-port",
                Integer.toString(port),
                "-server_crt",
                pem.certificate().toString(),
                "-server_key",
                pem.key().toString(),
                "-ca_crt",
                pem.authority().toString(),
                "-logtostderr")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("server.log").toFile())
            .start();
    try (GnmiCollectors collectors = GnmiCollectors.shipped(Readings.DICTIONARY, clock);
        Collector collector = collectors.collector(target(port, pem))) {
      List<Long> octets = new ArrayList<>();
      CollectOutcome outcome = null;
      Instant end = clock.instant().plus(Duration.ofSeconds(60));
      while (octets.size() < 3 && clock.instant().isBefore(end)) {
        outcome = collector.collect(clock.instant().plus(Duration.ofSeconds(10)));
        String reading = new Readings(outcome.batch()).of("Ethernet1", "port.in_octets");
        if (reading != null && reading.startsWith("OK ")) {
          octets.add(Long.parseLong(reading.substring(3)));
        }
        Thread.sleep(INTERVAL);
      }

      assertThat(octets).as(() -> log()).hasSize(3).isSorted().doesNotHaveDuplicates();
      assertThat(outcome.problems()).isEmpty();
      assertThat(outcome.batch().complete()).isTrue();
      Readings readings = new Readings(outcome.batch());
      assertThat(readings.of("Ethernet1", "port.oper_up")).isEqualTo("OK 1.0");
      assertThat(readings.of("Ethernet1", "fec.pre_fec_ber")).isEqualTo("OK 1.25E-8");
      assertThat(readings.of("Ethernet1", "port.out_octets")).isEqualTo("UNSUPPORTED");
    } finally {
      process.destroy();
      process.waitFor(10, TimeUnit.SECONDS);
    }
  }

  private String log() {
    try {
      return Files.readString(folder.resolve("server.log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** A counter that grows by 10 every half second, a state and a gauge. */
  private String config() {
    long now = clock.instant().toEpochMilli() * 1_000_000;
    return """
    target: "leaf1"
    client_type: GRPC_GNMI
    disable_eof: true
    enable_delay: true
    values: {
      path: "interfaces" path: "interface[name=Ethernet1]" path: "state" path: "oper-status"
      timestamp: {timestamp: %1$d}
      repeat: 1
      string_value: {value: "UP"}
    }
    values: {
      path: "interfaces" path: "interface[name=Ethernet1]" path: "ethernet" path: "state"
      path: "pre-fec-ber" path: "instant"
      timestamp: {timestamp: %1$d delta_min: 500000000 delta_max: 500000000}
      repeat: 400
      double_value: {value: 1.25e-8}
    }
    values: {
      path: "interfaces" path: "interface[name=Ethernet1]" path: "state" path: "counters"
      path: "in-octets"
      timestamp: {timestamp: %1$d delta_min: 500000000 delta_max: 500000000}
      repeat: 400
      uint_value: {value: 9000000000000000
        range: {minimum: 1 maximum: 9100000000000000 delta_min: 10 delta_max: 10}}
    }
    """
        .formatted(now);
  }

  private static GnmiTarget target(int port, TestCertificates.Pem pem) {
    return new GnmiTarget(
        "leaf1",
        Role.LEAF,
        "127.0.0.1",
        port,
        "openconfig",
        INTERVAL,
        Duration.ofSeconds(10),
        new GnmiTarget.Tls(
            pem.authority().toString(), pem.certificate().toString(), pem.key().toString(), null),
        null);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Test
  void openconfigs_client_reads_the_simulated_target() throws Exception {
    Path client = GoPeers.require("cmd/gnmi_cli");
    TestCertificates.Pem pem = TestCertificates.make(folder, "target");
    try (SimulatedGnmiTarget target =
        new SimulatedGnmiTarget(OpenConfigSwitch.withPorts("Ethernet1")).tls(pem, false).start()) {
      String address = "127.0.0.1:" + target.port();
      String authority = pem.authority().toString();

      String once =
          GoPeers.run(
              client,
              "-address",
              address,
              "-ca_crt",
              authority,
              "-query_type",
              "once",
              "-query",
              "interfaces/interface[name=*]/state/counters",
              "-display_type",
              "single");
      String got =
          GoPeers.run(
              client,
              "-address",
              address,
              "-ca_crt",
              authority,
              "-get",
              "-proto",
              "path: {elem: {name: \"system\"} elem: {name: \"state\"} elem: {name: \"hostname\"}}");
      String can = GoPeers.run(client, "-address", address, "-ca_crt", authority, "-capabilities");

      assertThat(once).contains("interfaces/interface/Ethernet1/state/counters/in-octets, 1000");
      assertThat(got).contains("leaf1.example");
      assertThat(can).contains("JSON_IETF").contains("0.10.0");
    }
  }
}
