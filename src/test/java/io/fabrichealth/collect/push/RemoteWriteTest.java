package io.fabrichealth.collect.push;

import static io.fabrichealth.collect.push.Pushed.MILLIS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.push.PushException.Code;
import io.fabrichealth.testing.WriteRequest;
import io.fabrichealth.topology.Role;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RemoteWriteTest {
  private static final String RECEIVED = "node_network_receive_bytes_total";
  private static final String SENT = "node_network_transmit_bytes_total";
  private static final String[] ETH0 = {"device", "eth0", "instance", "host1:9100", "job", "node"};

  private final Pushed pushed = new Pushed();

  @AfterEach
  void close() {
    pushed.close();
  }

  @Test
  void parts_of_one_scrape_become_one_batch_of_its_device() {
    pushed.write(new WriteRequest().sample(RECEIVED, MILLIS, 5, ETH0).field(3, new byte[] {1}));
    pushed.write(new WriteRequest().sample(SENT, MILLIS, 7, ETH0));
    pushed.write(
        new WriteRequest()
            .sample(
                "node_boot_time_seconds", MILLIS, 1.7723e9, "instance", "host1:9100", "job", "node")
            .sample("node_load1", MILLIS, 1, "instance", "host1:9100", "job", "node"));
    assertThat(pushed.outcomes).isEmpty();
    pushed.close();

    assertThat(pushed.outcomes).hasSize(1);
    assertThat(pushed.batch(0).device()).isEqualTo("host1");
    assertThat(pushed.batch(0).collector()).isEqualTo("remote-write");
    assertThat(pushed.batch(0).at()).isEqualTo(Pushed.NOW);
    assertThat(pushed.batch(0).boot()).isEqualTo("2026-02-28T17:33:20Z");
    assertThat(pushed.batch(0).complete()).isTrue();
    assertThat(pushed.readings(0))
        .contains("eth0 port.in_octets[0] 5 OK", "eth0 port.out_octets[0] 7 OK");
    assertThat(pushed.outcomes.getFirst().sightings())
        .singleElement()
        .satisfies(seen -> assertThat(seen.role()).isEqualTo(Role.HOST))
        .satisfies(seen -> assertThat(seen.ports()).extracting("name").containsExactly("eth0"));
    assertThat(pushed.refused(Refusal.UNMAPPED)).isOne();
  }

  @Test
  void scrapes_and_exporters_that_interleave_stay_apart_and_in_order() {
    String[] host2 = {"device", "eth0", "instance", "host2:9100", "job", "node"};
    pushed.write(
        new WriteRequest()
            .sample(RECEIVED, MILLIS, 2, ETH0)
            .sample(RECEIVED, MILLIS - 10_000, 1, ETH0)
            .sample(RECEIVED, MILLIS - 9_000, 9, host2)
            .sample(SENT, MILLIS - 10_000, 11, ETH0)
            .sample(SENT, MILLIS, 12, ETH0));
    pushed.close();

    assertThat(pushed.outcomes).hasSize(3);
    assertThat(pushed.batch(0).at()).isEqualTo(Pushed.NOW.minusSeconds(10));
    assertThat(pushed.readings(0))
        .contains("eth0 port.in_octets[0] 1 OK", "eth0 port.out_octets[0] 11 OK");
    assertThat(pushed.readings(1))
        .contains("eth0 port.in_octets[0] 2 OK", "eth0 port.out_octets[0] 12 OK");
    assertThat(pushed.batch(2).device()).isEqualTo("host2");
  }

  @Test
  void a_scrape_is_whole_when_no_part_of_it_came_for_a_while() throws InterruptedException {
    try (Pushed quick = new Pushed(Duration.ofMillis(300), 1_000_000)) {
      quick.write(new WriteRequest().sample(RECEIVED, MILLIS, 5, ETH0));
      for (int wait = 0; wait < 300 && quick.outcomes.isEmpty(); wait++) {
        Thread.sleep(20);
      }
      assertThat(quick.readings(0)).contains("eth0 port.in_octets[0] 5 OK");

      quick.write(new WriteRequest().sample(SENT, MILLIS, 7, ETH0));
      assertThat(quick.refused(Refusal.LATE)).isOne();
    }
  }

  @Test
  void what_is_sent_again_counts_once() {
    WriteRequest request = new WriteRequest().sample(RECEIVED, MILLIS, 5, ETH0);
    pushed.write(request);
    pushed.write(request);
    pushed.close();

    assertThat(pushed.outcomes).hasSize(1);
    assertThat(pushed.batch(0).complete()).isTrue();
    assertThat(pushed.readings(0)).contains("eth0 port.in_octets[0] 5 OK");
    assertThat(pushed.refused(Refusal.DUPLICATE)).isOne();
  }

  @Test
  void counters_are_as_exact_as_a_double_is_and_what_is_none_is_said() {
    String[] eth1 = {"device", "eth1", "instance", "host1:9100", "job", "node"};
    String[] eth2 = {"device", "eth2", "instance", "host1:9100", "job", "node"};
    pushed.write(
        new WriteRequest()
            .sample(RECEIVED, MILLIS, 0x1p53 - 1, ETH0)
            .sample(SENT, MILLIS, 0x1p63 + 2048, ETH0)
            .sample(RECEIVED, MILLIS, -1, eth1)
            .sample(SENT, MILLIS, Double.NaN, eth1)
            .sample(RECEIVED, MILLIS, Double.POSITIVE_INFINITY, eth2)
            .sample(SENT, MILLIS, 1e300, eth2));
    pushed.close();

    assertThat(pushed.readings(0))
        .contains(
            "eth0 port.in_octets[0] 9007199254740991 OK",
            "eth0 port.out_octets[0] 9223372036854777856 OK",
            "eth1 port.in_octets[0] UNREADABLE negative",
            "eth1 port.out_octets[0] UNREADABLE not a number",
            "eth2 port.in_octets[0] UNREADABLE not a number",
            "eth2 port.out_octets[0] UNREADABLE larger than 64 bits hold");
  }

  @Test
  void a_series_that_ended_is_lost_and_an_exporter_that_did_not_answer_is_a_missed_pass() {
    pushed.write(
        new WriteRequest()
            .sample(RECEIVED, MILLIS - 20_000, 5, ETH0)
            .sample(SENT, MILLIS - 20_000, 7, ETH0)
            .sample(RECEIVED, MILLIS - 10_000, 6, ETH0)
            .stale(SENT, MILLIS - 10_000, ETH0)
            .stale(RECEIVED, MILLIS, ETH0));
    pushed.close();

    assertThat(pushed.outcomes).hasSize(3);
    assertThat(pushed.readings(1))
        .contains(
            "eth0 port.in_octets[0] 6 OK",
            "eth0 port.out_octets[0] UNREADABLE the exporter gave it before and does not now");
    assertThat(pushed.batch(2).size()).isZero();
    assertThat(pushed.batch(2).complete()).isFalse();
    assertThat(pushed.batch(2).device()).isEqualTo("host1");
  }

  @Test
  void samples_of_long_ago_and_of_the_future_are_refused() {
    pushed.write(
        new WriteRequest()
            .samples(
                RECEIVED,
                new long[] {0, MILLIS - 3_600_000, MILLIS + 3_600_000, Long.MAX_VALUE, -1},
                new double[5],
                ETH0));
    pushed.close();

    assertThat(pushed.outcomes).isEmpty();
    assertThat(pushed.refused(Refusal.OLD)).isEqualTo(3);
    assertThat(pushed.refused(Refusal.FUTURE)).isEqualTo(2);
  }

  @Test
  void a_series_that_names_no_exporter_is_refused() {
    pushed.write(
        new WriteRequest()
            .sample(RECEIVED, MILLIS, 1, "device", "eth0", "job", "node")
            .sample(RECEIVED, MILLIS, 1, "device", "eth0", "instance", ""));

    assertThat(pushed.refused(Refusal.NO_INSTANCE)).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "gpu-001.example.com:9100, gpu-001.example.com",
    "gpu-001, gpu-001",
    "http://gpu-001:9100/metrics, gpu-001",
    "198.18.0.1:9100, 198.18.0.1",
    "[2001:db8::1]:9100, [2001:db8::1]",
    "pod/gpu 1, pod"
  })
  void a_device_is_the_host_of_its_instance(String instance, String device) {
    pushed.write(
        new WriteRequest().sample(RECEIVED, MILLIS, 1, "device", "eth0", "instance", instance));
    pushed.close();

    assertThat(pushed.batch(0).device()).isEqualTo(device);
  }

  @Test
  void a_host_that_says_its_name_goes_by_it_and_those_that_say_the_same_do_not() {
    for (String instance : new String[] {"198.18.0.1:9100", "198.18.0.2:9100", "198.18.0.3:9100"}) {
      String name = instance.startsWith("198.18.0.1:") ? "gpu-001" : "gpu-002";
      pushed.write(
          new WriteRequest()
              .sample(RECEIVED, MILLIS, 1, "device", "eth0", "instance", instance, "job", "node")
              .sample(
                  "node_uname_info",
                  MILLIS,
                  1,
                  "nodename",
                  name,
                  "instance",
                  instance,
                  "job",
                  "node"));
    }
    pushed.close();

    assertThat(pushed.outcomes)
        .extracting(outcome -> outcome.batch().device())
        .containsExactly("gpu-001", "gpu-002", "198.18.0.3");
  }

  @Test
  void a_further_exporter_of_a_device_does_not_mix_with_the_first() {
    pushed.write(
        new WriteRequest()
            .sample(RECEIVED, MILLIS, 1, ETH0)
            .sample(RECEIVED, MILLIS, 1, "device", "nv0", "instance", "host1:9400", "job", "dcgm"));
    pushed.close();

    assertThat(pushed.outcomes)
        .extracting(outcome -> outcome.batch().device() + " " + outcome.batch().collector())
        .containsExactly("host1 remote-write", "host1 remote-write/dcgm");
  }

  @Test
  void where_nobody_takes_outcomes_nothing_more_is_let_in_and_nothing_is_lost() {
    pushed.full = true;
    for (int scrape = 0; scrape < 100; scrape++) {
      long millis = MILLIS - 100_000 + scrape * 1_000L;
      try {
        pushed.write(
            WriteRequest.MEDIA_TYPE,
            "snappy",
            new WriteRequest().sample(RECEIVED, millis, scrape, ETH0).body());
      } catch (PushException e) {
        assertThat(e.code()).isEqualTo(Code.BUSY);
        pushed.full = false;
        pushed.write(new WriteRequest().sample(RECEIVED, millis, scrape, ETH0));
      }
    }
    pushed.close();

    assertThat(pushed.outcomes).hasSize(100);
    assertThat(pushed.readings(99)).contains("eth0 port.in_octets[0] 99 OK");
  }

  @Test
  void when_the_service_stops_what_waits_is_handed_on_though_there_is_little_room()
      throws InterruptedException {
    BlockingQueue<CollectOutcome> room = new ArrayBlockingQueue<>(2);
    List<String> taken = new ArrayList<>();
    PushReceiver receiver =
        new PushReceiver(
            Pushed.DICTIONARY,
            InstantSource.fixed(Pushed.NOW),
            room::offer,
            new SimpleMeterRegistry());
    Thread detection =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    while (taken.size() < 100) {
                      taken.add(room.take().batch().device());
                      Thread.sleep(1);
                    }
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    List<String> sent = new ArrayList<>();
    WriteRequest request = new WriteRequest();
    for (int host = 0; host < 100; host++) {
      sent.add("host" + host);
      request.sample(RECEIVED, MILLIS, 1, "device", "eth0", "instance", "host" + host);
    }
    InputStream body = new ByteArrayInputStream(request.body());
    assertThatNoException()
        .isThrownBy(() -> receiver.remoteWrite(WriteRequest.MEDIA_TYPE, "snappy", body));
    receiver.close();

    assertThat(detection.join(Duration.ofSeconds(30))).isTrue();
    assertThat(taken).containsExactlyElementsOf(sent);
  }

  @Test
  void once_the_service_stops_nothing_more_is_taken() {
    pushed.write(new WriteRequest().sample(RECEIVED, MILLIS, 1, ETH0));
    pushed.close();
    byte[] late = new WriteRequest().sample(RECEIVED, MILLIS + 10_000, 2, ETH0).body();

    assertThat(fault(WriteRequest.MEDIA_TYPE, "snappy", late)).isEqualTo(Code.BUSY);
    assertThatExceptionOfType(PushException.class)
        .isThrownBy(() -> pushed.otlp(OtlpEncoding.JSON, "", new byte[] {'{', '}'}))
        .satisfies(refused -> assertThat(refused.code()).isEqualTo(Code.BUSY));
    assertThat(pushed.outcomes).hasSize(1);
  }

  @Test
  void memory_is_bounded_what_is_ended_early_says_so() {
    try (Pushed small = new Pushed(Duration.ofMinutes(1), 1_000)) {
      for (int host = 0; host < 30; host++) {
        WriteRequest request = new WriteRequest();
        for (int port = 0; port < 100; port++) {
          request.sample(
              RECEIVED,
              MILLIS,
              1,
              "device",
              "swp" + port,
              "instance",
              "host" + host,
              "job",
              "node");
        }
        small.write(request);
      }
      assertThat(small.meters.get("fabric.health.push.waiting").gauges())
          .allSatisfy(gauge -> assertThat(gauge.value()).isLessThanOrEqualTo(1_100));
      assertThat(small.outcomes)
          .isNotEmpty()
          .allSatisfy(outcome -> assertThat(outcome.batch().complete()).isFalse());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "",
        "application/x-protobuf;proto=io.prometheus.write.v2.Request",
        "text/plain"
      })
  void another_media_type_is_said_to_be_unsupported(String type) {
    assertThat(fault(type, "snappy", new byte[0])).isEqualTo(Code.UNSUPPORTED);
  }

  @Test
  void the_media_type_may_name_the_message() throws PushException {
    pushed.write(
        "application/x-protobuf; proto=prometheus.WriteRequest",
        "snappy",
        new WriteRequest().sample(RECEIVED, MILLIS, 1, ETH0).body());
    pushed.close();

    assertThat(pushed.outcomes).hasSize(1);
  }

  @Test
  void a_body_cut_off_anywhere_is_malformed_and_what_came_before_is_taken() {
    byte[] message =
        new WriteRequest()
            .sample(RECEIVED, MILLIS, 1, ETH0)
            .sample(SENT, MILLIS, 2, ETH0)
            .message();
    int first = new WriteRequest().sample(RECEIVED, MILLIS, 1, ETH0).message().length;
    for (int length = 1; length < message.length; length++) {
      if (length != first) {
        byte[] cut = Arrays.copyOf(message, length);
        assertThat(fault(WriteRequest.MEDIA_TYPE, "", cut)).isEqualTo(Code.MALFORMED);
      }
    }
    pushed.close();

    CollectOutcome outcome = pushed.outcomes.getFirst();
    assertThat(outcome.batch().device()).isEqualTo("host1");
  }

  @Test
  void bodies_that_claim_or_hold_too_much_are_refused_before_they_take_memory() {
    byte[] bomb = {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x07, 0, 0};
    assertThat(fault(WriteRequest.MEDIA_TYPE, "snappy", bomb)).isEqualTo(Code.TOO_LARGE);
    assertThat(fault(WriteRequest.MEDIA_TYPE, "snappy", new byte[] {1, 2, 3}))
        .isEqualTo(Code.MALFORMED);
    assertThat(fault(WriteRequest.MEDIA_TYPE, "snappy", new byte[0])).isEqualTo(Code.MALFORMED);
    assertThat(fault(WriteRequest.MEDIA_TYPE, "zstd", new byte[] {1, 2, 3}))
        .isEqualTo(Code.MALFORMED);
    assertThat(fault(WriteRequest.MEDIA_TYPE, "gzip", new byte[] {1, 2, 3}))
        .isEqualTo(Code.MALFORMED);
    assertThat(fault(WriteRequest.MEDIA_TYPE, "br", new byte[] {1, 2, 3}))
        .isEqualTo(Code.UNSUPPORTED);
    byte[] zeros = com.github.luben.zstd.Zstd.compress(new byte[64 << 20]);
    assertThat(fault(WriteRequest.MEDIA_TYPE, "zstd", zeros)).isEqualTo(Code.TOO_LARGE);
  }

  @Test
  void a_body_packed_with_zstd_is_taken() throws PushException {
    byte[] message = new WriteRequest().sample(RECEIVED, MILLIS, 1, ETH0).message();
    pushed.write(WriteRequest.MEDIA_TYPE, "zstd", com.github.luben.zstd.Zstd.compress(message));
    pushed.close();

    assertThat(pushed.outcomes).hasSize(1);
  }

  @Test
  void series_with_very_many_or_very_long_labels_are_refused_alone() {
    String[] many = new String[200];
    for (int index = 0; index < many.length; index += 2) {
      many[index] = "label" + index;
      many[index + 1] = "x";
    }
    pushed.write(
        new WriteRequest()
            .sample(RECEIVED, MILLIS, 1, many)
            .sample(RECEIVED, MILLIS, 1, "device", "x".repeat(100_000), "instance", "host1")
            .sample(RECEIVED, MILLIS, 1, "device", "eth0", "instance", "x".repeat(100_000))
            .sample(RECEIVED, MILLIS, 3, ETH0));
    pushed.close();

    assertThat(pushed.refused(Refusal.LABELS)).isEqualTo(2);
    assertThat(pushed.refused(Refusal.ROOM)).isOne();
    assertThat(pushed.readings(0)).contains("eth0 port.in_octets[0] 3 OK");
  }

  @Test
  void a_million_series_of_one_exporter_do_not_take_the_memory() {
    for (int part = 0; part < 50; part++) {
      WriteRequest request = new WriteRequest();
      for (int series = 0; series < 20_000; series++) {
        request.sample(
            RECEIVED, MILLIS, 1, "device", "veth" + part + "x" + series, "instance", "host1");
      }
      pushed.write(request);
    }
    pushed.write(new WriteRequest().sample(SENT, MILLIS, 1, "device", "eth0", "instance", "host2"));
    pushed.close();

    assertThat(pushed.refused(Refusal.ROOM)).isEqualTo(800_000);
    assertThat(pushed.outcomes).hasSize(2);
    assertThat(pushed.readings(1)).contains("eth0 port.out_octets[0] 1 OK");
  }

  private Code fault(String type, String encoding, byte[] body) {
    Code[] code = new Code[1];
    assertThatExceptionOfType(PushException.class)
        .isThrownBy(() -> pushed.write(type, encoding, body))
        .satisfies(fault -> code[0] = fault.code());
    return code[0];
  }
}
