package io.fabrichealth.collect.gnmi;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.testing.Readings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates, their change, and who refuses whom. */
class GnmiTlsTest {
  private static final Duration INTERVAL = Duration.ofMillis(400);

  private final InstantSource clock = InstantSource.system();
  private final GnmiCollectors collectors = GnmiCollectors.shipped(Readings.DICTIONARY, clock);
  private final SimulatedGnmiTarget target =
      new SimulatedGnmiTarget(OpenConfigSwitch.withPorts("Ethernet1"));
  private @Nullable Collector collector;

  @TempDir private Path folder;

  @AfterEach
  void stop() {
    if (collector != null) {
      collector.close();
    }
    target.close();
    collectors.close();
  }

  private CollectOutcome collect() throws InterruptedException {
    return collector.collect(clock.instant().plus(Duration.ofSeconds(20)));
  }

  private CollectOutcome collectUntil(Predicate<CollectOutcome> good) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    CollectOutcome outcome = collect();
    while (!good.test(outcome) && System.nanoTime() < end) {
      Thread.sleep(INTERVAL);
      outcome = collect();
    }
    return outcome;
  }

  private static @Nullable FailureCode code(CollectOutcome outcome) {
    return outcome.problems().isEmpty() ? null : outcome.problems().getFirst().code();
  }

  private void connect(TestCertificates.Pem device, boolean asks, GnmiTarget.@Nullable Tls trust) {
    target.tls(device, asks).start();
    collector = collectors.collector(target.target("openconfig", INTERVAL, trust));
  }

  private static GnmiTarget.Tls trusting(Path authority) {
    return new GnmiTarget.Tls(authority.toString(), null, null, null);
  }

  /** Puts a file in another's place, as those do who renew certificates. */
  private static void replace(Path file, Path by) throws IOException {
    Files.copy(by, file, StandardCopyOption.REPLACE_EXISTING);
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2026-02-01T00:00:00Z")));
  }

  @Test
  void a_changed_certificate_is_survived() throws Exception {
    TestCertificates.Pem first = TestCertificates.make(folder, "first");
    TestCertificates.Pem second = TestCertificates.make(folder, "second");
    Path authority = folder.resolve("ca.pem");
    Files.copy(first.authority(), authority);
    connect(first, false, trusting(authority));
    assertThat(collect().problems()).isEmpty();

    target.stop();
    target.tls(second, false).start();
    assertThat(code(collectUntil(o -> code(o) == FailureCode.TLS))).isEqualTo(FailureCode.TLS);
    replace(authority, second.authority());
    CollectOutcome back = collectUntil(o -> o.batch().complete());

    assertThat(new Readings(back.batch()).of("Ethernet1", "port.in_octets")).isEqualTo("OK 1000");
  }

  @Test
  void a_new_authority_is_used_at_once_and_a_broken_file_loses_nothing_for_good() throws Exception {
    TestCertificates.Pem pem = TestCertificates.make(folder, "device");
    Path authority = folder.resolve("ca.pem");
    Files.copy(pem.authority(), authority);
    connect(pem, false, trusting(authority));
    collect();
    int before = target.connections();

    Files.writeString(authority, "this is no certificate");
    CollectOutcome broken = collect();
    assertThat(code(broken)).isEqualTo(FailureCode.TLS);
    assertThat(broken.problems().getFirst().message()).contains(authority.toString());
    assertThat(new Readings(broken.batch()).of("Ethernet1", "port.oper_up")).isEqualTo("OK 1.0");
    replace(authority, pem.authority());
    CollectOutcome back = collectUntil(o -> o.problems().isEmpty());

    assertThat(back.batch().complete()).isTrue();
    assertThat(target.connections()).isGreaterThan(before);
  }

  @Test
  void a_device_that_asks_for_a_certificate_gets_it() throws Exception {
    TestCertificates.Pem pem = TestCertificates.make(folder, "both");
    connect(
        pem,
        true,
        new GnmiTarget.Tls(
            pem.authority().toString(),
            pem.certificate().toString(),
            pem.key().toString(),
            "both"));

    assertThat(collect().problems()).isEmpty();
  }

  @Test
  void a_device_of_another_authority_is_not_trusted() throws Exception {
    TestCertificates.Pem other = TestCertificates.make(folder, "other");
    connect(TestCertificates.make(folder, "device"), false, trusting(other.authority()));

    CollectOutcome outcome = collect();

    assertThat(code(outcome)).isEqualTo(FailureCode.TLS);
    assertThat(outcome.batch().size()).isZero();
  }
}
