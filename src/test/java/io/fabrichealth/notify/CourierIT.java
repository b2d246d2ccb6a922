package io.fabrichealth.notify;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.incident.Decision;
import io.fabrichealth.incident.Incidents;
import io.fabrichealth.incident.Notification;
import io.fabrichealth.incident.Outbox;
import io.fabrichealth.testing.EmbeddedPostgresFixture;
import io.fabrichealth.testing.HookServer;
import io.fabrichealth.testing.HookServer.Posted;
import io.fabrichealth.testing.Http;
import io.fabrichealth.testing.ServiceProcess;
import io.fabrichealth.testing.StorageContext;
import io.fabrichealth.testing.Tool;
import io.fabrichealth.verdict.Coverage;
import io.fabrichealth.verdict.LinkState;
import io.fabrichealth.verdict.Verdict;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CourierIT {
  private static final String SECRET = "a secret of the test";
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final HookServer hook = new HookServer();
  private final ReceiverList receivers = new ReceiverList(List.of(webhook(true)));
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final Instant now = Instant.now();
  @TempDir private Path data;
  private ConfigurableApplicationContext context;
  private Incidents incidents;
  private Outbox outbox;

  @BeforeEach
  void start() {
    context = StorageContext.startTelling(data, EmbeddedPostgresFixture.newDatabase(), receivers);
    incidents = StorageContext.incidents(context);
    outbox = context.getBean(Outbox.class);
  }

  @AfterEach
  void stop() {
    context.close();
    hook.close();
  }

  @Test
  void each_event_is_told_once_in_order_and_signed() throws Exception {
    try (Courier courier = courier(outbox)) {
      courier.start();
      tell(1, Cause.PHY_LINK, .97);
      incidents.decide(
          incidents.unresolved().getFirst().id(),
          new Decision.Acknowledgement("ada", null),
          Set.of(),
          now.plusSeconds(1));
      StorageContext.awaitWritten(context);
      tell(1, Cause.LINK_FLAP, .999);
      tell(1, null, .01);
      await(() -> hook.posted().size() >= 4);
    }

    List<Posted> posted = hook.posted();
    assertThat(posted)
        .extracting(one -> json(one).get("event").asString())
        .containsExactly("OPENED", "ACKNOWLEDGED", "CHANGED", "RESOLVED");
    assertThat(posted).extracting(Posted::id).doesNotHaveDuplicates();
    for (Posted one : posted) {
      assertThat(json(one).get("deliveryId").asString()).isEqualTo(one.id());
      assertThat(one.signature()).isEqualTo("sha256=" + hmac(one.timestamp() + "." + one.body()));
    }
    assertThat(json(posted.getLast()).at("/incident/resolution").asString()).isEqualTo("CLEARED");
    assertThat(outbox.waiting()).isZero();
  }

  @Test
  void what_fails_is_sent_again_the_same_and_before_what_comes_after_it() {
    hook.answer(500, 503);
    try (Courier courier = courier(outbox)) {
      courier.start();
      tell(1, Cause.PHY_LINK, .97);
      tell(1, null, .01);
      await(() -> hook.posted().size() >= 4);
    }

    List<Posted> posted = hook.posted();
    assertThat(posted)
        .extracting(one -> json(one).get("event").asString())
        .containsExactly("OPENED", "OPENED", "OPENED", "RESOLVED");
    assertThat(posted.subList(0, 3)).extracting(Posted::id).containsOnly(posted.getFirst().id());
    assertThat(posted.subList(0, 3))
        .extracting(Posted::body)
        .containsOnly(posted.getFirst().body());
    assertThat(count("failed")).isEqualTo(2);
    assertThat(count("delivered")).isEqualTo(2);
  }

  @Test
  void a_crash_between_the_sending_and_the_note_of_it_sends_again_with_the_same_id() {
    tell(1, Cause.PHY_LINK, .97);
    try (Courier courier = courier(new ForgetfulOutbox(outbox))) {
      courier.start();
      await(() -> !hook.posted().isEmpty());
    }
    int before = hook.posted().size();

    try (Courier courier = courier(outbox)) {
      courier.start();
      await(() -> hook.posted().size() > before && outbox.waiting() == 0);
    }
    assertThat(hook.posted()).extracting(Posted::id).containsOnly(hook.posted().getFirst().id());
  }

  @Test
  void a_body_that_the_receiver_does_not_like_keeps_back_nothing_else() {
    hook.answer(422);
    try (Courier courier = courier(outbox)) {
      courier.start();
      tell(1, Cause.PHY_LINK, .97);
      tell(2, Cause.PHY_LINK, .97);
      await(() -> hook.posted().size() >= 2 && outbox.waiting() == 0);
    }
    assertThat(count("refused")).isOne();
    assertThat(count("delivered")).isOne();
  }

  @Test
  void a_redirect_is_a_failure_and_is_not_followed() {
    hook.answer(302);
    try (Courier courier = courier(outbox)) {
      courier.start();
      tell(1, Cause.PHY_LINK, .97);
      await(() -> hook.posted().size() >= 2);
    }
    assertThat(hook.posted()).extracting(Posted::path).containsOnly("/hook");
    assertThat(count("failed")).isOne();
  }

  @Test
  void a_private_address_hears_nothing_unless_that_is_meant() {
    receivers.replace(List.of(webhook(false)));
    tell(1, Cause.PHY_LINK, .97);
    try (Courier courier = courier(outbox)) {
      courier.start();
      await(() -> count("failed") >= 1);
      assertThat(hook.posted()).isEmpty();

      receivers.replace(List.of(webhook(true)));
      await(() -> !hook.posted().isEmpty());
    }
  }

  @Test
  void a_receiver_that_is_slow_is_given_up_on_and_asked_again() {
    hook.delay(Duration.ofSeconds(5));
    try (Courier courier = courier(outbox)) {
      courier.start();
      tell(1, Cause.PHY_LINK, .97);
      await(() -> count("failed") >= 1);
      hook.delay(Duration.ZERO);
      await(() -> count("delivered") == 1);
    }
  }

  @Test
  void what_the_database_does_not_take_is_not_told() {
    tell(1, Cause.PHY_LINK, Double.NaN);

    assertThat(outbox.waiting()).isZero();
  }

  @Test
  void what_nobody_takes_for_a_day_is_given_up_and_forgotten_after_a_month() {
    tell(1, Cause.PHY_LINK, .97);
    Instant tomorrow = now.plus(Duration.ofHours(25));

    assertThat(outbox.sweep(now.minusSeconds(60), now.minusSeconds(60), now)).isZero();
    assertThat(outbox.sweep(tomorrow.minus(Duration.ofHours(24)), now, tomorrow)).isOne();
    assertThat(outbox.waiting()).isZero();
    outbox.sweep(now, tomorrow.plusSeconds(1), tomorrow);
    assertThat(
            context
                .getBean(JdbcTemplate.class)
                .queryForObject("SELECT count(*) FROM notification", Long.class))
        .isZero();
  }

  @Test
  void a_real_alertmanager_has_the_alert_while_the_incident_goes_on() throws Exception {
    Tool.require("prometheus-alertmanager");
    int port = ServiceProcess.freePort();
    Path config = data.resolve("alertmanager.yml");
    Files.writeString(config, "route: {receiver: none}\nreceivers: [{name: none}]\n");
    Process process =
        new ProcessBuilder(
                "prometheus-alertmanager",
                "--config.file=" + config,
                "--storage.path=" + data.resolve("alertmanager"),
                "--cluster.listen-address=",
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(data.resolve("alertmanager.log").toFile())
            .start();
    receivers.replace(
        List.of(
            new Receiver(
                "alerts",
                Receiver.Kind.ALERTMANAGER,
                URI.create("http://127.0.0.1:" + port),
                null,
                null,
                Duration.ofSeconds(5),
                true)));
    Http http = new Http(port);
    try (Courier courier = courier(outbox)) {
      courier.start();
      tell(1, Cause.PHY_LINK, .97);
      await(() -> active(http).size() == 1);
      JsonNode alert = active(http).get(0);
      assertThat(alert.at("/labels/cause").asString()).isEqualTo("PHY_LINK");
      assertThat(alert.at("/labels/severity").asString()).isEqualTo("warning");
      assertThat(alert.at("/labels/subject").asString()).isEqualTo(link(1).id());

      tell(1, Cause.LINK_FLAP, .999);
      await(
          () ->
              active(http).size() == 1
                  && active(http).get(0).at("/labels/cause").asString().equals("LINK_FLAP"));

      tell(1, null, .01);
      await(() -> active(http).isEmpty());
    } finally {
      process.destroy();
      process.waitFor(20, TimeUnit.SECONDS);
    }
  }

  private static JsonNode active(Http http) {
    try {
      return http.get("/api/v2/alerts?active=true").json();
    } catch (java.io.UncheckedIOException e) {
      return JSON.createArrayNode(); // not up yet
    }
  }

  /** One that dies before it can note what was sent. */
  private record ForgetfulOutbox(Outbox of) implements Outbox {
    @Override
    public List<Notification> next(String receiver, int limit) {
      return of.next(receiver, limit);
    }

    @Override
    public void delivered(UUID id, Instant at) {
      throw new IllegalStateException("the process ends here");
    }

    @Override
    public void failed(UUID id, String reason) {
      of.failed(id, reason);
    }

    @Override
    public void abandoned(UUID id, Instant at, String reason) {
      of.abandoned(id, at, reason);
    }

    @Override
    public long waiting() {
      return of.waiting();
    }

    @Override
    public int sweep(Instant waitingSince, Instant doneBefore, Instant at) {
      return 0;
    }
  }

  private Courier courier(Outbox from) {
    return new Courier(from, incidents, receivers, InstantSource.system(), meters);
  }

  private Receiver webhook(boolean allowPrivate) {
    return new Receiver(
        "hook",
        Receiver.Kind.WEBHOOK,
        hook.url().resolve("/hook"),
        SECRET,
        null,
        Duration.ofSeconds(2),
        allowPrivate);
  }

  private static Subject link(int number) {
    return new Subject(SubjectType.LINK, "gpu-%03d:mlx5_0/1--leaf1:Ethernet1/1".formatted(number));
  }

  /** What the engine says of a link; null for a cause that went away. */
  private void tell(int number, @Nullable Cause cause, double probability) {
    incidents.apply(
        List.of(
            new Verdict(
                link(number),
                cause == null ? LinkState.HEALTHY : LinkState.DEGRADED,
                probability,
                cause,
                now,
                cause == null ? null : now,
                List.of(),
                List.of(),
                Coverage.NONE,
                "a sentence")),
        Instant.now());
    StorageContext.awaitWritten(context);
  }

  private double count(String outcome) {
    return meters
        .find("fabric.health.notify.deliveries")
        .tag("outcome", outcome)
        .counters()
        .stream()
        .mapToDouble(io.micrometer.core.instrument.Counter::count)
        .sum();
  }

  private static JsonNode json(Posted posted) {
    return JSON.readTree(posted.body());
  }

  private static String hmac(String text) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("did not happen within " + PATIENCE);
      }
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
  }
}
