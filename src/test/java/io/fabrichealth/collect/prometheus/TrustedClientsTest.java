package io.fabrichealth.collect.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.topology.Role;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scrapes over TLS; keys are made by the JDK's keytool. */
class TrustedClientsTest {
  private static final String PASSWORD = "for-this-test";
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

  private final PrometheusCollectors collectors =
      new PrometheusCollectors(Pages.MAPPING, InstantSource.fixed(NOW));

  @TempDir private Path folder;
  private HttpsServer server;

  @BeforeEach
  void serve() throws Exception {
    KeyStore keys = keys("exporter", "ca.pem");
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.createContext(
        "/metrics",
        exchange -> {
          byte[] page = "node_network_up{device=\"eth0\"} 1\n".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    collectors.close();
  }

  /** A key of its own for 127.0.0.1, and its certificate in a PEM file. */
  private KeyStore keys(String name, String pem) throws Exception {
    Path store = folder.resolve(name + ".p12");
    keytool(
        store,
        "-genkeypair",
        "-alias",
        name,
        "-keyalg",
        "EC",
        "-dname",
        "CN=" + name,
        "-ext",
        "SAN=ip:127.0.0.1");
    keytool(store, "-exportcert", "-rfc", "-alias", name, "-file", folder.resolve(pem).toString());
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    return keys;
  }

  private static void keytool(Path store, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(Arrays.asList(arguments));
    command.addAll(
        List.of("-keystore", store.toString(), "-storepass", PASSWORD, "-storetype", "PKCS12"));
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(keytool.waitFor()).as(said).isZero();
  }

  private CollectOutcome collect(@Nullable Path authority) throws InterruptedException {
    PrometheusTarget target =
        new PrometheusTarget(
            "host1",
            Role.HOST,
            URI.create("https://127.0.0.1:" + server.getAddress().getPort() + "/metrics"),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            1 << 20,
            null,
            null,
            authority == null ? null : authority.toString());
    return collectors.collector(target).collect(NOW.plusSeconds(10));
  }

  private static void assertFailsOfTls(CollectOutcome outcome, String message) {
    assertThat(outcome.batch().size()).isZero();
    assertThat(outcome.problems().getFirst().code()).isEqualTo(FailureCode.TLS);
    assertThat(outcome.problems().getFirst().message()).contains(message);
  }

  @Test
  void a_target_is_read_where_its_authority_is_trusted() throws Exception {
    assertThat(collect(folder.resolve("ca.pem")).problems()).isEmpty();
  }

  @Test
  void a_target_is_not_read_where_nobody_vouches_for_it() throws Exception {
    keys("stranger", "stranger.pem");

    assertFailsOfTls(collect(null), "failed to set up TLS");
    assertFailsOfTls(collect(folder.resolve("stranger.pem")), "failed to set up TLS");
  }

  @Test
  void an_authority_that_cannot_be_read_is_named_and_read_when_it_can() throws Exception {
    Path file = folder.resolve("late.pem");
    assertFailsOfTls(collect(file), "late.pem");
    Files.writeString(file, "no certificate\n");
    assertFailsOfTls(collect(file), "late.pem");

    Files.copy(folder.resolve("ca.pem"), folder.resolve("late2.pem"));
    assertThat(collect(folder.resolve("late2.pem")).problems()).isEmpty();
  }

  @Test
  void an_authority_that_changed_is_read_anew() throws Exception {
    keys("stranger", "stranger.pem");
    Path file = folder.resolve("rotated.pem");
    Files.copy(folder.resolve("stranger.pem"), file);
    assertFailsOfTls(collect(file), "failed to set up TLS");

    Files.copy(folder.resolve("ca.pem"), file, StandardCopyOption.REPLACE_EXISTING);
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2026-03-01T11:00:00Z")));

    assertThat(collect(file).problems()).isEmpty();
  }
}
