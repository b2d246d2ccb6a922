package io.fabrichealth.collect.gnmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.SubscriptionMode;
import com.github.gnmi.proto.TypedValue;
import com.github.gnmi.proto.Update;
import com.google.protobuf.ByteString;
import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.testing.Readings;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Role;
import io.grpc.Status;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Subscribes to a simulated switch over real gRPC. */
class GnmiCollectorTest {
  private static final Duration INTERVAL = Duration.ofMillis(400);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String E1 = "/interfaces/interface[name=Ethernet1]";

  private final InstantSource clock = InstantSource.system();
  private final GnmiCollectors collectors = GnmiCollectors.shipped(Readings.DICTIONARY, clock);
  private final LeafTree device = OpenConfigSwitch.withPorts("Ethernet1", "Ethernet2");
  private final SimulatedGnmiTarget target = new SimulatedGnmiTarget(device);
  private final List<AutoCloseable> toClose = new ArrayList<>();

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : toClose) {
      each.close();
    }
    target.close();
    collectors.close();
  }

  private Collector collector() {
    target.start();
    return collector(target.target("openconfig", INTERVAL, null));
  }

  private Collector collector(Duration interval, Duration timeout) {
    target.start();
    return collector(
        new GnmiTarget(
            "leaf1",
            Role.LEAF,
            "127.0.0.1",
            target.port(),
            "openconfig",
            interval,
            timeout,
            null,
            null));
  }

  private Collector collector(GnmiTarget of) {
    Collector collector = collectors.collector(of);
    toClose.addFirst(collector);
    return collector;
  }

  private CollectOutcome collect(Collector collector) throws InterruptedException {
    return collector.collect(clock.instant().plus(Duration.ofSeconds(20)));
  }

  /** Passes until one is as it should be. */
  private CollectOutcome collectUntil(Collector collector, Predicate<CollectOutcome> good)
      throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    CollectOutcome outcome = collect(collector);
    while (!good.test(outcome) && System.nanoTime() < end) {
      Thread.sleep(INTERVAL.dividedBy(2));
      outcome = collect(collector);
    }
    return outcome;
  }

  private static Readings readings(CollectOutcome outcome) {
    return new Readings(outcome.batch());
  }

  private static FailureCode code(CollectOutcome outcome) {
    return outcome.problems().isEmpty() ? null : outcome.problems().getFirst().code();
  }

  @Test
  void the_first_pass_has_all_that_the_device_has() throws InterruptedException {
    CollectOutcome outcome = collect(collector());

    assertThat(outcome.problems()).isEmpty();
    assertThat(outcome.batch().complete()).isTrue();
    assertThat(outcome.batch().boot()).isEqualTo("2026-03-01T00:00:00Z");
    Readings readings = readings(outcome);
    assertThat(readings.of("Ethernet1", "port.oper_up")).isEqualTo("OK 1.0");
    assertThat(readings.of("Ethernet2", "port.in_octets")).isEqualTo("OK 1000");
    assertThat(readings.of("Ethernet1", "port.speed_bits_per_second")).isEqualTo("OK 4.0E11");
    assertThat(outcome.sighting().systemName()).isEqualTo("leaf1.example");
    assertThat(outcome.sighting().ports())
        .extracting("name", "speedBitsPerSecond", "mtu", "fec")
        .containsExactly(
            tuple("Ethernet1", 400_000_000_000L, 9216, FecMode.RS544),
            tuple("Ethernet2", 400_000_000_000L, 9216, FecMode.RS544));
  }

  @Test
  void what_the_device_never_sends_is_unsupported_and_not_0() throws InterruptedException {
    Readings readings = readings(collect(collector()));

    assertThat(readings.of("Ethernet1", "fec.corrected_codewords")).isEqualTo("UNSUPPORTED");
    assertThat(readings.of("Ethernet1", "ecn.marked_packets")).isEqualTo("UNSUPPORTED");
    assertThat(readings.of("Ethernet1", "optics.rx_power_dbm")).isEqualTo("UNSUPPORTED");
  }

  @Test
  void a_flap_between_two_passes_is_counted() throws InterruptedException {
    Collector collector = collector();
    assertThat(readings(collect(collector)).of("Ethernet1", "port.link_downed")).isEqualTo("OK 0");

    device.set(E1 + "/state/oper-status", "DOWN");
    device.set(E1 + "/state/oper-status", "UP");
    Readings readings =
        readings(
            collectUntil(
                collector, o -> "OK 1".equals(readings(o).of("Ethernet1", "port.link_downed"))));

    assertThat(readings.of("Ethernet1", "port.link_downed")).isEqualTo("OK 1");
    assertThat(readings.of("Ethernet1", "port.oper_up")).isEqualTo("OK 1.0");
  }

  @Test
  void time_is_that_of_the_device() throws InterruptedException {
    Instant before = clock.instant();
    target.clock(() -> clock.instant().minus(Duration.ofHours(7)));

    CollectOutcome outcome = collect(collector());

    assertThat(outcome.batch().deviceTime())
        .isBetween(before.minus(Duration.ofHours(7)), clock.instant().minus(Duration.ofHours(7)));
    assertThat(outcome.batch().at()).isAfterOrEqualTo(before);
  }

  @Test
  void a_counter_is_read_again_only_when_it_was_sent_again() throws InterruptedException {
    Collector collector = collector();
    CollectOutcome first = collect(collector);
    device.set(E1 + "/state/counters/in-octets", 5000);
    CollectOutcome second =
        collectUntil(
            collector, o -> "OK 5000".equals(readings(o).of("Ethernet1", "port.in_octets")));

    assertThat(readings(second).of("Ethernet1", "port.in_octets")).isEqualTo("OK 5000");
    assertThat(second.batch().deviceTime()).isAfter(first.batch().deviceTime());
  }

  @Test
  void a_path_that_cannot_be_told_on_change_is_sampled() throws InterruptedException {
    target.refuse(
        (path, mode) ->
            mode == SubscriptionMode.ON_CHANGE && ends(path, "mtu")
                ? Status.INVALID_ARGUMENT.withDescription("ON_CHANGE is not for this path")
                : null);

    CollectOutcome outcome = collect(collector());

    assertThat(outcome.problems()).isEmpty();
    assertThat(readings(outcome).of("Ethernet1", "port.mtu_bytes")).isEqualTo("OK 9216.0");
    assertThat(outcome.remarks())
        .containsExactly("takes /interfaces/interface[name={port}]/state/mtu as SAMPLE only");
  }

  @Test
  void a_path_that_cannot_be_streamed_is_asked_for_in_each_pass() throws InterruptedException {
    target.refuse(
        (path, mode) ->
            mode != SubscriptionMode.TARGET_DEFINED && ends(path, "counters")
                ? Status.UNIMPLEMENTED.withDescription("no streams of counters")
                : null);
    Collector collector = collector();

    assertThat(readings(collect(collector)).of("Ethernet1", "port.in_octets")).isEqualTo("OK 1000");
    device.set(E1 + "/state/counters/in-octets", 1700);
    assertThat(readings(collect(collector)).of("Ethernet1", "port.in_octets")).isEqualTo("OK 1700");
  }

  @Test
  void paths_that_are_asked_for_and_never_answer_share_the_time_and_hide_no_other()
      throws InterruptedException {
    // Refused together they are asked for one by one, and two of them hang.
    target
        .refuse(
            (path, mode) ->
                ends(path, "type")
                        || (mode != SubscriptionMode.TARGET_DEFINED
                            && (ends(path, "mtu")
                                || ends(path, "admin-status")
                                || ends(path, "counters")))
                    ? Status.UNIMPLEMENTED
                    : null)
        .hang(
            (path, mode) ->
                mode == SubscriptionMode.TARGET_DEFINED
                    && (ends(path, "mtu") || ends(path, "admin-status")));
    Collector collector = collector(Duration.ofSeconds(2), Duration.ofMillis(1500));

    CollectOutcome outcome = collect(collector);

    assertThat(target.mostHanging()).as("open at the same time").isEqualTo(2);
    assertThat(readings(outcome).of("Ethernet1", "port.in_octets")).isEqualTo("OK 1000");
    assertThat(outcome.problems()).extracting(Problem::code).containsExactly(FailureCode.TIMEOUT);
    assertThat(outcome.batch().complete()).isFalse();
    assertThat(readings(outcome).of("Ethernet1", "port.mtu_bytes"))
        .as("nobody said that it has none")
        .isNull();

    target.hang((path, mode) -> false);
    CollectOutcome answered = collect(collector);
    assertThat(answered.problems()).isEmpty();
    assertThat(answered.batch().complete()).isTrue();
    assertThat(readings(answered).of("Ethernet1", "port.mtu_bytes")).isEqualTo("OK 9216.0");
  }

  @Test
  void a_path_that_is_refused_altogether_is_unsupported_and_hides_no_other()
      throws InterruptedException {
    target.refuse(
        (path, mode) ->
            path.getElem(0).getName().equals("qos")
                ? Status.UNIMPLEMENTED.withDescription("no qos here")
                : null);

    CollectOutcome outcome = collect(collector());

    assertThat(outcome.problems()).isEmpty();
    assertThat(readings(outcome).of("Ethernet1", "ecn.marked_packets"))
        .isEqualTo("UNSUPPORTED the device refuses the path: no qos here");
    assertThat(readings(outcome).of("Ethernet1", "port.in_octets")).isEqualTo("OK 1000");
  }

  private static boolean ends(Path path, String name) {
    return path.getElem(path.getElemCount() - 1).getName().equals(name);
  }

  @Test
  void what_the_device_deletes_is_unreadable_and_not_its_last_value() throws InterruptedException {
    Collector collector = collector();
    collect(collector);
    device.delete("/interfaces/interface[name=Ethernet1]/state/counters");

    Readings readings =
        readings(
            collectUntil(
                collector,
                o ->
                    !"OK 1000".equals(readings(o).of("Ethernet1", "port.in_octets"))
                        && readings(o).of("Ethernet2", "port.in_octets") != null));

    assertThat(readings.of("Ethernet1", "port.in_octets"))
        .isEqualTo("UNREADABLE the device deleted it");
    assertThat(readings.of("Ethernet1", "port.oper_up")).isEqualTo("OK 1.0");
    assertThat(readings.of("Ethernet2", "port.in_octets")).isEqualTo("OK 1000");
  }

  @Test
  void a_port_that_is_gone_is_unreadable_and_seen_no_more() throws InterruptedException {
    Collector collector = collector();
    collect(collector);
    device.delete(E1);

    CollectOutcome outcome =
        collectUntil(collector, o -> o.sighting() != null && o.sighting().ports().size() == 1);

    assertThat(outcome.sighting().ports()).extracting("name").containsExactly("Ethernet2");
    assertThat(readings(outcome).of("Ethernet1", "port.oper_up"))
        .isEqualTo("UNREADABLE the device does not tell of the port any more");
  }

  @Test
  void a_restart_is_survived_and_what_it_does_not_tell_again_is_gone() throws InterruptedException {
    Collector collector = collector();
    collect(collector);
    target.stop();
    CollectOutcome lost = collectUntil(collector, o -> code(o) == FailureCode.UNREACHABLE);
    assertThat(lost.batch().size()).isZero();
    assertThat(lost.batch().complete()).isFalse();

    device.delete(E1 + "/state/counters/in-errors");
    device.set("/system/state/boot-time", LeafTree.unsigned(1_772_326_800_000_000_000L));
    target.start();
    CollectOutcome back = collectUntil(collector, o -> o.batch().complete());

    assertThat(back.batch().boot()).isEqualTo("2026-03-01T01:00:00Z");
    assertThat(readings(back).of("Ethernet1", "port.in_octets")).isEqualTo("OK 1000");
    assertThat(readings(back).of("Ethernet1", "port.in_errors"))
        .isEqualTo("UNREADABLE not told again since the connection was made anew");
  }

  @Test
  void a_connection_that_is_told_to_go_away_is_made_anew() throws InterruptedException {
    Collector collector = collector();
    collect(collector);
    target.goAway();
    target.start();

    CollectOutcome outcome =
        collectUntil(collector, o -> o.batch().complete() && !o.remarks().isEmpty());

    assertThat(outcome.remarks()).anyMatch(remark -> remark.startsWith("connected anew after"));
    assertThat(readings(outcome).of("Ethernet1", "port.in_octets")).isEqualTo("OK 1000");
  }

  @Test
  void a_connection_that_falls_silent_is_made_anew() throws InterruptedException {
    Collector collector = collector();
    collect(collector);
    int before = target.connections();
    target.mute(true);
    CollectOutcome silent =
        collectUntil(collector, o -> code(o) == FailureCode.TIMEOUT && o.batch().size() == 0);
    assertThat(code(silent)).isEqualTo(FailureCode.TIMEOUT);
    target.mute(false);

    CollectOutcome back = collectUntil(collector, o -> o.batch().complete());

    assertThat(target.connections()).isGreaterThan(before);
    assertThat(readings(back).of("Ethernet1", "port.in_octets")).isEqualTo("OK 1000");
  }

  @Test
  void a_stream_that_hangs_before_it_told_anything_is_made_anew() throws InterruptedException {
    // A refusal makes a stream of each path.
    target
        .refuse((path, mode) -> ends(path, "type") ? Status.UNIMPLEMENTED : null)
        .hang((path, mode) -> ends(path, "counters"));
    Collector collector = collector(INTERVAL, Duration.ofSeconds(1));
    CollectOutcome first = collect(collector);
    assertThat(code(first)).isEqualTo(FailureCode.PARTIAL);
    assertThat(readings(first).of("Ethernet1", "port.oper_up")).isEqualTo("OK 1.0");

    target.hang((path, mode) -> false);
    CollectOutcome back = collectUntil(collector, o -> o.batch().complete());

    assertThat(back.remarks())
        .contains(
            "connected anew after: leaf1: silent for 3 intervals, with samples or a sync due:"
                + " connecting anew");
    assertThat(readings(back).of("Ethernet1", "port.in_octets")).isEqualTo("OK 1000");
  }

  @Test
  void a_device_that_never_says_that_it_told_all_is_not_ready() throws InterruptedException {
    target.withoutSync();
    Collector collector = collector(INTERVAL, Duration.ofMillis(700));

    CollectOutcome outcome = collect(collector);

    assertThat(outcome.batch().complete()).isFalse();
    assertThat(outcome.sightings()).isEmpty();
    assertThat(outcome.problems())
        .extracting(Problem::message)
        .containsExactly("leaf1: no sync within 700 ms: what it lacks is not known yet");
    assertThat(readings(outcome).of("Ethernet1", "port.in_octets")).isEqualTo("OK 1000");
    assertThat(readings(outcome).of("Ethernet1", "ecn.marked_packets")).isNull();
  }

  @Test
  void a_wrong_password_is_said_and_not_shown() throws InterruptedException {
    target.password("right").start();
    GnmiTarget plain = target.target("openconfig", INTERVAL, null);
    GnmiTarget wrong =
        new GnmiTarget(
            plain.device(),
            plain.role(),
            plain.address(),
            plain.port(),
            plain.profile(),
            plain.interval(),
            plain.timeout(),
            null,
            new GnmiTarget.User("monitor", "s3cret-and-wrong"));

    CollectOutcome outcome = collect(collector(wrong));

    assertThat(code(outcome)).isEqualTo(FailureCode.AUTHENTICATION);
    assertThat(outcome.toString()).doesNotContain("s3cret");
    assertThat(wrong.toString()).doesNotContain("s3cret");
  }

  @Test
  void nobody_who_listens_is_unreachable_and_then_asked_less_often() throws InterruptedException {
    target.start();
    target.stop();
    Collector collector = collector(target.target("openconfig", INTERVAL, null));

    assertThat(code(collect(collector))).isEqualTo(FailureCode.UNREACHABLE);
    assertThat(code(collect(collector))).isEqualTo(FailureCode.UNREACHABLE);
    assertThat(code(collect(collector))).isEqualTo(FailureCode.BACK_OFF);
  }

  @Test
  void a_name_that_nobody_knows_is_told_from_a_device_that_is_down() throws InterruptedException {
    Collector collector =
        collector(
            new GnmiTarget(
                "leaf1",
                Role.LEAF,
                "no-such-host.invalid",
                9339,
                "openconfig",
                INTERVAL,
                Duration.ofSeconds(5),
                null,
                null));

    assertThat(code(collect(collector))).isEqualTo(FailureCode.UNKNOWN_HOST);
  }

  @Test
  void one_that_takes_connections_and_says_nothing_delays_nobody() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Collector waiting =
          collector(
              new GnmiTarget(
                  "leaf9",
                  Role.LEAF,
                  "127.0.0.1",
                  silent.getLocalPort(),
                  "openconfig",
                  INTERVAL,
                  Duration.ofSeconds(30),
                  null,
                  null));
      Collector other = collector();
      List<CollectOutcome> late = new ArrayList<>();
      Thread thread =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      late.add(waiting.collect(clock.instant().plus(Duration.ofSeconds(3))));
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  });

      CollectOutcome outcome = collect(other);
      boolean waits = thread.isAlive();
      thread.join();

      assertThat(waits).isTrue();
      assertThat(outcome.batch().complete()).isTrue();
      assertThat(late).extracting(GnmiCollectorTest::code).containsExactly(FailureCode.TIMEOUT);
    }
  }

  @Test
  void a_document_of_more_than_the_usual_limit_of_grpc_is_read() throws InterruptedException {
    String filler = "x".repeat(60_000);
    StringBuilder json = new StringBuilder("{\"a\":[");
    for (int part = 0; part < 100; part++) {
      json.append(part == 0 ? "\"" : ",\"").append(filler).append('"');
    }
    json.append("],\"counters\":{\"in-octets\":\"18446744073709551615\"}}");
    Collector collector = collector();
    collect(collector);
    target.send(
        Notification.newBuilder()
            .setTimestamp(clock.instant().toEpochMilli() * 1_000_000)
            .addUpdate(
                Update.newBuilder()
                    .setPath(LeafTree.path("/interfaces/interface[name=Ethernet7]/state"))
                    .setVal(json(json.toString())))
            .build());
    CollectOutcome outcome =
        collectUntil(collector, o -> readings(o).of("Ethernet7", "port.in_octets") != null);

    assertThat(readings(outcome).of("Ethernet7", "port.in_octets"))
        .isEqualTo("OK 18446744073709551615");
  }

  @Test
  void a_message_beyond_any_limit_ends_the_connection_and_is_said() throws InterruptedException {
    Collector collector = collector();
    collect(collector);
    target.send(
        Notification.newBuilder()
            .addUpdate(
                Update.newBuilder()
                    .setPath(LeafTree.path(E1 + "/state"))
                    .setVal(
                        TypedValue.newBuilder()
                            .setJsonVal(ByteString.copyFrom(new byte[(64 << 20) + 1]))))
            .build());

    CollectOutcome outcome =
        collectUntil(
            collector,
            o ->
                o.remarks().stream().anyMatch(r -> r.contains("exceeds maximum"))
                    || code(o) == FailureCode.TOO_LARGE);

    assertThat(outcome.remarks() + " " + outcome.problems()).contains("exceeds maximum");
  }

  @Test
  void values_that_are_no_json_are_counted_and_hide_no_other() throws InterruptedException {
    device.set(E1 + "/state/counters/in-octets", json("{\"a\":".repeat(5_000)));

    CollectOutcome outcome = collect(collector());

    assertThat(code(outcome)).isEqualTo(FailureCode.MALFORMED);
    assertThat(readings(outcome).of("Ethernet1", "port.out_octets")).isEqualTo("OK 2000");
    assertThat(readings(outcome).of("Ethernet2", "port.in_octets")).isEqualTo("OK 1000");
  }

  private static TypedValue json(String text) {
    return TypedValue.newBuilder()
        .setJsonIetfVal(ByteString.copyFrom(text, StandardCharsets.UTF_8))
        .build();
  }

  @Test
  void a_target_needs_a_profile_that_there_is() {
    GnmiTarget unknown = target.target("no-such-profile", INTERVAL, null);

    assertThatThrownBy(() -> collectors.collector(unknown))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'no-such-profile' is none of")
        .hasMessageContaining("openconfig");
  }
}
