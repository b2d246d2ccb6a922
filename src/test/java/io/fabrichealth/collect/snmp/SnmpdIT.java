package io.fabrichealth.collect.snmp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.LeftOut;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads Debian's snmpd over both versions of the protocol. */
class SnmpdIT {
  private static final SignalDictionary DICTIONARY = SignalCatalogue.load();
  private static final SnmpMapping MAPPING = SnmpMapping.load(DICTIONARY);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path directory;
  private final List<AgentProcess> agents = new ArrayList<>();
  private final InstantSource clock = InstantSource.system();
  private SnmpSession session;

  @BeforeEach
  void open() throws IOException {
    assumeTrue(AgentProcess.isInstalled("snmpd"), "snmpd is not installed");
    session = SnmpSession.open();
  }

  @AfterEach
  void close() {
    if (session != null) {
      session.close();
    }
    agents.forEach(AgentProcess::close);
  }

  /** Starts an agent; the engine id keeps two of them apart. */
  private int snmpd(String engine, String users) throws IOException {
    int port = AgentProcess.freePort();
    Path home = Files.createDirectory(directory.resolve(engine));
    Files.writeString(
        home.resolve("agent.conf"),
        "rocommunity public 127.0.0.1\nengineID "
            + engine
            + "\n"
            + users
            + "\nrouser monitor priv\n");
    start(engine, port);
    return port;
  }

  private void start(String engine, int port) throws IOException {
    Path home = directory.resolve(engine);
    agents.add(
        AgentProcess.start(
            List.of(
                "env",
                "SNMP_PERSISTENT_DIR=" + home,
                "snmpd",
                "-f",
                "-Lo",
                "-C",
                "-c",
                home.resolve("agent.conf").toString(),
                "-I",
                "-smux",
                "udp:127.0.0.1:" + port),
            home));
  }

  private SnmpCollector collector(
      int port, SnmpTarget.@Nullable Community v2c, SnmpTarget.@Nullable User v3) {
    SnmpTarget target =
        new SnmpTarget(
            "switch" + port,
            Role.SWITCH,
            "127.0.0.1",
            port,
            Duration.ofMillis(1),
            Duration.ofSeconds(2),
            v2c,
            v3);
    return new SnmpCollector(target, session, DICTIONARY, MAPPING, clock);
  }

  private CollectOutcome pass(SnmpCollector collector) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    CollectOutcome outcome;
    do {
      outcome = collector.collect(clock.instant().plus(PATIENCE));
    } while ((code(outcome) == FailureCode.TIMEOUT || code(outcome) == FailureCode.BACK_OFF)
        && System.nanoTime() < end);
    return outcome;
  }

  private static @Nullable FailureCode code(CollectOutcome outcome) {
    return outcome.problems().isEmpty() ? null : outcome.problems().getFirst().code();
  }

  private static SnmpTarget.User user(String auth, String secret, String priv) {
    return new SnmpTarget.User("monitor", auth, secret + "-auth", priv, secret + "-priv");
  }

  private static String created(String auth, String secret, String priv) {
    return "createUser monitor " + auth + " " + secret + "-auth " + priv + " " + secret + "-priv";
  }

  @Test
  void version_2c_is_read_with_loopback_left_out() throws Exception {
    int port = snmpd("v2c", "");
    try (SnmpCollector collector = collector(port, new SnmpTarget.Community("public"), null)) {
      CollectOutcome outcome = pass(collector);

      assertThat(outcome.problems()).isEmpty();
      assertThat(outcome.leftOut()).contains(new LeftOut("lo", "loopback"));
      assertThat(outcome.batch().boot()).isNotNull();
      String boot = outcome.batch().boot();
      assertThat(collector.collect(clock.instant().plus(PATIENCE)).batch().boot()).isEqualTo(boot);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SHA, SHA, AES, AES",
    "SHA256, SHA-256, AES, AES",
    "SHA512, SHA-512, AES256, AES-256",
    "SHA224, SHA-224, AES192, AES-192",
    "SHA384, SHA-384, AES256, AES-256"
  })
  void version_3_is_read_with_authentication_and_privacy(
      String auth, String theirAuth, String priv, String theirPriv) throws Exception {
    int port = snmpd("v3", created(theirAuth, "correct-horse", theirPriv));
    try (SnmpCollector collector = collector(port, null, user(auth, "correct-horse", priv))) {
      CollectOutcome outcome = pass(collector);

      assertThat(outcome.problems()).isEmpty();
      assertThat(outcome.leftOut()).contains(new LeftOut("lo", "loopback"));
    }
  }

  @Test
  void users_of_one_name_and_other_passwords_do_not_mix() throws Exception {
    int first = snmpd("first", created("SHA", "first-secret", "AES"));
    int second = snmpd("second", created("SHA-256", "second-secret", "AES"));
    try (SnmpCollector one = collector(first, null, user("SHA", "first-secret", "AES"));
        SnmpCollector other = collector(second, null, user("SHA256", "second-secret", "AES"))) {
      for (int round = 0; round < 3; round++) {
        assertThat(pass(one).problems()).isEmpty();
        assertThat(pass(other).problems()).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"wrong-secret, SHA, AES", "right-secret, SHA256, AES"})
  void a_wrong_password_or_protocol_is_an_authentication_failure_without_fallback(
      String secret, String auth, String priv) throws Exception {
    int port = snmpd("strict", created("SHA", "right-secret", "AES"));
    SnmpTarget.Community weaker = new SnmpTarget.Community("public");
    try (SnmpCollector collector = collector(port, weaker, user(auth, secret, priv))) {
      CollectOutcome outcome = pass(collector);

      assertThat(code(outcome)).isEqualTo(FailureCode.AUTHENTICATION);
      assertThat(outcome.batch().size()).isZero();
      assertThat(outcome.problems())
          .extracting(Problem::message)
          .noneMatch(message -> message.contains(secret));
    }
  }

  @Test
  void an_agent_that_restarts_is_read_again_and_its_boot_is_another() throws Exception {
    int port = snmpd("again", created("SHA", "same-secret", "AES"));
    try (SnmpCollector collector = collector(port, null, user("SHA", "same-secret", "AES"))) {
      CollectOutcome before = pass(collector);
      assertThat(before.problems()).isEmpty();
      // Two boots within five seconds are not told apart.
      Thread.sleep(Duration.ofSeconds(6));
      agents.removeFirst().close();
      start("again", port);

      CollectOutcome after = pass(collector);

      assertThat(after.problems()).isEmpty();
      assertThat(after.batch().boot()).isNotEqualTo(before.batch().boot());
    }
  }
}
