package io.fabrichealth.collect.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.testing.Readings;
import io.fabrichealth.topology.Role;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PrometheusCollectorTest {
  private static final String GOOD =
      """
      node_network_up{device="eth0"} 1
      node_network_receive_bytes_total{device="eth0"} 12345
      """;
  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  private static final Duration SOON = Duration.ofMillis(700);
  private static final Duration LATE = Duration.ofSeconds(20);
  private static final long MEGABYTE = 1 << 20;

  private final AtomicReference<Instant> now = new AtomicReference<>(START);
  private final InstantSource clock = now::get;
  private final PrometheusCollectors collectors = new PrometheusCollectors(Pages.MAPPING, clock);

  @AfterEach
  void close() {
    collectors.close();
  }

  private static PrometheusTarget target(URI url, Duration timeout) {
    return new PrometheusTarget(
        "host1", Role.HOST, url, Duration.ofSeconds(10), timeout, MEGABYTE, null, null, null);
  }

  private CollectOutcome collect(HostileExporter exporter, Duration timeout)
      throws InterruptedException {
    return collect(collectors.collector(target(exporter.url(), timeout)));
  }

  private CollectOutcome collect(Collector collector) throws InterruptedException {
    return collector.collect(now.get().plusSeconds(60));
  }

  private static FailureCode gravest(CollectOutcome outcome) {
    assertThat(outcome.batch().complete()).isFalse();
    return outcome.problems().getFirst().code();
  }

  @Test
  void a_good_page_is_a_complete_batch() throws Exception {
    try (HostileExporter exporter =
        HostileExporter.answering("200 OK\r\nContent-Type: text/plain; version=0.0.4", GOOD)) {
      CollectOutcome outcome = collect(exporter, LATE);

      assertThat(outcome.problems()).isEmpty();
      assertThat(outcome.batch().complete()).isTrue();
      assertThat(outcome.batch().device()).isEqualTo("host1");
      assertThat(outcome.batch().collector()).isEqualTo("prometheus");
      assertThat(outcome.batch().at()).isEqualTo(START);
      assertThat(new Readings(outcome.batch()).of("eth0", "port.in_octets")).isEqualTo("OK 12345");
      assertThat(exporter.requests().getFirst())
          .startsWith("GET /metrics HTTP/1.1")
          .doesNotContain("Authorization");
    }
  }

  @Test
  void a_compressed_page_is_unpacked() throws Exception {
    byte[] packed = HostileExporter.gzip(GOOD.getBytes(StandardCharsets.UTF_8));
    try (HostileExporter exporter =
        HostileExporter.answering("200 OK\r\nContent-Encoding: gzip", packed)) {
      CollectOutcome outcome = collect(exporter, LATE);

      assertThat(outcome.problems()).isEmpty();
      assertThat(new Readings(outcome.batch()).of("eth0", "port.in_octets")).isEqualTo("OK 12345");
    }
  }

  @Test
  void nobody_who_listens_is_unreachable() throws Exception {
    URI url;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      url = URI.create("http://127.0.0.1:" + free.getLocalPort() + "/metrics");
    }
    CollectOutcome outcome = collect(collectors.collector(target(url, LATE)));

    assertThat(gravest(outcome)).isEqualTo(FailureCode.UNREACHABLE);
    assertThat(outcome.batch().size()).isZero();
  }

  @Test
  void a_name_that_nobody_knows_is_said_to_be_unknown() throws Exception {
    URI url = URI.create("http://no-such-host.invalid:9100/metrics");
    CollectOutcome outcome = collect(collectors.collector(target(url, LATE)));

    assertThat(gravest(outcome)).isEqualTo(FailureCode.UNKNOWN_HOST);
    assertThat(outcome.problems().getFirst().message()).contains("no-such-host.invalid");
  }

  @Test
  void silence_is_a_timeout() throws Exception {
    try (HostileExporter exporter = new HostileExporter(out -> sleep(LATE))) {
      assertThat(gravest(collect(exporter, SOON))).isEqualTo(FailureCode.TIMEOUT);
    }
  }

  @Test
  void a_body_that_trickles_is_a_timeout_and_what_came_is_kept() throws Exception {
    try (HostileExporter exporter =
        new HostileExporter(
            out -> {
              out.write(HostileExporter.head("200 OK"));
              out.write(GOOD.getBytes(StandardCharsets.UTF_8));
              while (true) {
                out.write('#');
                out.flush();
                sleep(Duration.ofMillis(50));
              }
            })) {
      CollectOutcome outcome = collect(exporter, SOON);

      assertThat(gravest(outcome)).isEqualTo(FailureCode.TIMEOUT);
      assertThat(new Readings(outcome.batch()).of("eth0", "port.in_octets")).isEqualTo("OK 12345");
      assertThat(exporter.clientHangsUp()).isTrue();
    }
  }

  @Test
  void the_deadline_of_the_scheduler_holds_where_it_is_nearer() throws Exception {
    try (HostileExporter exporter = new HostileExporter(out -> sleep(LATE))) {
      Collector collector = collectors.collector(target(exporter.url(), LATE));

      assertThat(gravest(collector.collect(START.plus(SOON)))).isEqualTo(FailureCode.TIMEOUT);
      assertThat(gravest(collector.collect(START))).isEqualTo(FailureCode.TIMEOUT);
      assertThat(exporter.requests()).hasSize(1);
    }
  }

  @Test
  void half_a_body_is_partial_and_its_cut_line_is_not_taken() throws Exception {
    String half = GOOD.substring(0, GOOD.length() - 3);
    try (HostileExporter exporter =
        new HostileExporter(
            out -> {
              out.write(HostileExporter.head("200 OK\r\nContent-Length: " + GOOD.length()));
              out.write(half.getBytes(StandardCharsets.UTF_8));
            })) {
      CollectOutcome outcome = collect(exporter, LATE);

      assertThat(gravest(outcome)).isEqualTo(FailureCode.PARTIAL);
      Readings readings = new Readings(outcome.batch());
      assertThat(readings.of("eth0", "port.oper_up")).isEqualTo("OK 1.0");
      assertThat(readings.of("eth0", "port.in_octets")).isNull();
    }
  }

  @Test
  void half_a_compressed_body_is_partial() throws Exception {
    byte[] plain = (GOOD + "x 1\n".repeat(20_000)).getBytes(StandardCharsets.UTF_8);
    byte[] packed = HostileExporter.gzip(plain);
    try (HostileExporter exporter =
        HostileExporter.answering(
            "200 OK\r\nContent-Encoding: gzip", Arrays.copyOf(packed, packed.length - 20))) {
      CollectOutcome outcome = collect(exporter, LATE);

      assertThat(gravest(outcome)).isEqualTo(FailureCode.PARTIAL);
      assertThat(new Readings(outcome.batch()).of("eth0", "port.in_octets")).isEqualTo("OK 12345");
    }
  }

  @Test
  void an_openmetrics_page_without_its_end_is_partial() throws Exception {
    String type = "200 OK\r\nContent-Type: application/openmetrics-text; version=1.0.0";
    try (HostileExporter cut = HostileExporter.answering(type, GOOD);
        HostileExporter whole = HostileExporter.answering(type, GOOD + "# EOF\n")) {
      assertThat(gravest(collect(cut, LATE))).isEqualTo(FailureCode.PARTIAL);
      assertThat(collect(whole, LATE).problems()).isEmpty();
    }
  }

  @Test
  void an_endless_body_is_cut_at_the_limit_and_the_connection_closed() throws Exception {
    byte[] lines = "node_load1 0.5\n".repeat(1_000).getBytes(StandardCharsets.UTF_8);
    try (HostileExporter exporter =
        new HostileExporter(
            out -> {
              out.write(HostileExporter.head("200 OK"));
              while (true) {
                out.write(lines);
              }
            })) {
      CollectOutcome outcome = collect(exporter, LATE);

      assertThat(gravest(outcome)).isEqualTo(FailureCode.TOO_LARGE);
      assertThat(outcome.problems().getFirst().message()).contains("1048576 bytes");
      assertThat(exporter.clientHangsUp()).isTrue();
    }
  }

  @Test
  void a_small_body_that_unpacks_to_a_huge_one_is_cut_at_the_limit() throws Exception {
    byte[] bomb = HostileExporter.gzip(new byte[200 * (int) MEGABYTE]);
    try (HostileExporter exporter =
        HostileExporter.answering("200 OK\r\nContent-Encoding: gzip", bomb)) {
      assertThat(gravest(collect(exporter, LATE))).isEqualTo(FailureCode.TOO_LARGE);
    }
  }

  @Test
  void a_stream_of_empty_gzip_members_does_no_harm() throws Exception {
    ByteArrayOutputStream members = new ByteArrayOutputStream();
    byte[] empty = HostileExporter.gzip(new byte[0]);
    for (int member = 0; member < 40_000; member++) {
      members.writeBytes(empty);
    }
    try (HostileExporter exporter =
        HostileExporter.answering("200 OK\r\nContent-Encoding: gzip", members.toByteArray())) {
      CollectOutcome outcome = collect(exporter, LATE);

      assertThat(outcome.batch().size()).isZero();
      assertThat(gravest(outcome)).isEqualTo(FailureCode.MALFORMED);
    }
  }

  @Test
  void broken_gzip_and_encodings_that_nobody_asked_for_are_malformed() throws Exception {
    try (HostileExporter broken =
            HostileExporter.answering("200 OK\r\nContent-Encoding: gzip", GOOD);
        HostileExporter other = HostileExporter.answering("200 OK\r\nContent-Encoding: br", GOOD)) {
      assertThat(gravest(collect(broken, LATE))).isEqualTo(FailureCode.MALFORMED);
      assertThat(gravest(collect(other, LATE))).isEqualTo(FailureCode.MALFORMED);
    }
  }

  @Test
  void a_page_of_a_browser_is_malformed() throws Exception {
    try (HostileExporter exporter =
        HostileExporter.answering(
            "200 OK\r\nContent-Type: text/html", "<!DOCTYPE html>\n<html>Sign in</html>\n")) {
      CollectOutcome outcome = collect(exporter, LATE);

      assertThat(gravest(outcome)).isEqualTo(FailureCode.MALFORMED);
      assertThat(outcome.problems().getFirst().message())
          .contains("line 1, '<!DOCTYPE html>': expected a metric's name");
    }
  }

  @Test
  void what_is_no_http_is_told_from_a_dead_target() throws Exception {
    try (HostileExporter exporter =
        new HostileExporter(
            out -> out.write("SSH-2.0-OpenSSH_9.2\r\n".getBytes(StandardCharsets.UTF_8)))) {
      assertThat(gravest(collect(exporter, LATE))).isEqualTo(FailureCode.MALFORMED);
    }
  }

  @Test
  void refused_credentials_are_an_authentication_failure_and_stay_secret() throws Exception {
    for (String status : new String[] {"401 Unauthorized", "403 Forbidden"}) {
      try (HostileExporter exporter = HostileExporter.answering(status, "no")) {
        PrometheusTarget secret =
            new PrometheusTarget(
                "host1",
                Role.HOST,
                exporter.url(),
                Duration.ofSeconds(10),
                LATE,
                MEGABYTE,
                "t0ken\n",
                null,
                null);
        CollectOutcome outcome = collect(collectors.collector(secret));

        assertThat(gravest(outcome)).isEqualTo(FailureCode.AUTHENTICATION);
        assertThat(outcome.problems().toString()).doesNotContain("t0ken");
        assertThat(secret.toString()).doesNotContain("t0ken");
        assertThat(exporter.requests().getFirst()).contains("Authorization: Bearer t0ken\r\n");
      }
    }
  }

  @Test
  void basic_authentication_is_sent_at_once() throws Exception {
    try (HostileExporter exporter = HostileExporter.answering("200 OK", GOOD)) {
      PrometheusTarget basic =
          new PrometheusTarget(
              "host1",
              Role.HOST,
              exporter.url(),
              Duration.ofSeconds(10),
              LATE,
              MEGABYTE,
              null,
              new PrometheusTarget.Basic("scraper", "s3cret"),
              null);

      assertThat(collect(collectors.collector(basic)).problems()).isEmpty();
      assertThat(exporter.requests().getFirst())
          .contains("Authorization: Basic c2NyYXBlcjpzM2NyZXQ=\r\n");
      assertThat(basic.toString()).doesNotContain("s3cret");
    }
  }

  @Test
  void a_token_that_no_header_can_hold_is_not_told() throws Exception {
    PrometheusTarget broken =
        new PrometheusTarget(
            "host1",
            Role.HOST,
            URI.create("http://127.0.0.1:9/metrics"),
            Duration.ofSeconds(10),
            LATE,
            MEGABYTE,
            "t0k\nen",
            null,
            null);
    CollectOutcome outcome = collect(collectors.collector(broken));

    assertThat(gravest(outcome)).isEqualTo(FailureCode.AUTHENTICATION);
    assertThat(outcome.problems().toString()).doesNotContain("t0k");
  }

  @Test
  void a_redirect_is_not_followed() throws Exception {
    try (HostileExporter other = HostileExporter.answering("200 OK", GOOD);
        HostileExporter exporter =
            HostileExporter.answering("302 Found\r\nLocation: " + other.url(), "")) {
      CollectOutcome outcome = collect(exporter, LATE);

      assertThat(gravest(outcome)).isEqualTo(FailureCode.HTTP_STATUS);
      assertThat(outcome.problems().getFirst().message())
          .contains("302: redirects are not followed");
      assertThat(other.requests()).isEmpty();
    }
  }

  @Test
  void another_status_is_told() throws Exception {
    try (HostileExporter exporter = HostileExporter.answering("503 Busy", GOOD)) {
      CollectOutcome outcome = collect(exporter, LATE);

      assertThat(gravest(outcome)).isEqualTo(FailureCode.HTTP_STATUS);
      assertThat(outcome.batch().size()).isZero();
    }
  }

  @Test
  void a_target_that_stays_dead_is_tried_ever_less_but_at_least_each_minute() throws Exception {
    try (HostileExporter exporter = HostileExporter.answering("500 Broken", "")) {
      Collector collector = collectors.collector(target(exporter.url(), LATE));
      int tried = 0;
      Duration longest = Duration.ZERO;
      Instant last = START;
      for (int pass = 0; pass < 60; pass++) {
        CollectOutcome outcome = collect(collector);
        Problem problem = outcome.problems().getFirst();
        if (problem.code() == FailureCode.BACK_OFF) {
          assertThat(problem.message()).contains("HTTP status 500");
        } else {
          tried++;
          Duration waited = Duration.between(last, now.get());
          longest = waited.compareTo(longest) > 0 ? waited : longest;
          last = now.get();
        }
        assertThat(outcome.batch().size()).isZero();
        now.set(now.get().plusSeconds(10));
      }

      assertThat(tried).isBetween(10, 15);
      assertThat(exporter.requests()).hasSize(tried);
      assertThat(longest).isEqualTo(Duration.ofSeconds(60));
    }
  }

  @Test
  void a_target_that_comes_back_is_read_at_each_turn_again() throws Exception {
    AtomicReference<String> status = new AtomicReference<>("500 Broken");
    try (HostileExporter exporter =
        new HostileExporter(
            out -> {
              out.write(HostileExporter.head(status.get()));
              out.write(GOOD.getBytes(StandardCharsets.UTF_8));
            })) {
      Collector collector = collectors.collector(target(exporter.url(), LATE));
      for (int pass = 0; pass < 10; pass++) {
        collect(collector);
        now.set(now.get().plusSeconds(10));
      }
      status.set("200 OK");
      now.set(now.get().plusSeconds(60));

      for (int pass = 0; pass < 3; pass++) {
        assertThat(collect(collector).problems()).isEmpty();
        now.set(now.get().plusSeconds(10));
      }
    }
  }

  @Test
  void an_interrupt_ends_a_pass_at_once() throws Exception {
    try (HostileExporter exporter =
        new HostileExporter(
            out -> {
              out.write(HostileExporter.head("200 OK"));
              out.flush();
              sleep(LATE);
            })) {
      Collector collector = collectors.collector(target(exporter.url(), LATE));
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      Thread pass =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      collect(collector);
                    } catch (InterruptedException e) {
                      thrown.set(e);
                    }
                  });
      while (exporter.requests().isEmpty()) {
        Thread.sleep(10);
      }
      pass.interrupt();
      pass.join(Duration.ofSeconds(10));

      assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    }
  }

  @Test
  void one_dead_target_does_not_delay_another() throws Exception {
    try (HostileExporter dead = new HostileExporter(out -> sleep(LATE));
        HostileExporter alive = HostileExporter.answering("200 OK", GOOD)) {
      Collector slow = collectors.collector(target(dead.url(), LATE));
      Thread stuck =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      collect(slow);
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  });

      assertThat(collect(alive, LATE).problems()).isEmpty();
      assertThat(stuck.isAlive()).isTrue();
      stuck.interrupt();
      stuck.join();
    }
  }

  @Test
  void a_url_that_cannot_be_scraped_or_holds_a_password_is_refused() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> target(URI.create("ftp://host1/metrics"), LATE))
        .withMessageContaining("host1: url: expected http://");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> target(URI.create("http://me:s3cret@host1/metrics"), LATE))
        .withMessageContaining("url: user and password")
        .withMessageNotContaining("s3cret");
  }

  private static void sleep(Duration time) throws IOException {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
