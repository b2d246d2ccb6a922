package io.fabrichealth.collect.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.testing.Readings;
import io.fabrichealth.topology.Role;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Damages a good page at random, from a fixed seed, and reads what comes of it. */
@Timeout(120)
class MutatedExpositionTest {
  private static final Instant AT = Instant.parse("2026-03-01T10:00:00Z");
  private static final byte[] TELLING =
      "\n\r\t {}\"\\,=#+-.eE0123456789NaNInf\0\u00ff".getBytes(StandardCharsets.ISO_8859_1);
  private static final String GOOD =
      """
      # HELP node_network_receive_bytes_total Network device statistic receive_bytes.
      # TYPE node_network_receive_bytes_total counter
      node_network_receive_bytes_total{device="eth0"} 4.00242256e+08
      node_network_receive_bytes_total{device="eth1"} 18446744073709551615
      node_network_info{address="0c:42:a1:00:00:02",device="eth0",ifalias="to \\"leaf1\\""} 1
      node_network_speed_bytes{device="eth1"} -125000
      node_infiniband_port_transmit_wait_total{device="mlx5_0",port="1"} 4294967295 1520879607789
      node_infiniband_state_id{device="mlx5_0",port="1"} 4 # {trace_id="x"} 1
      node_ethtool_received_prio3_pause_duration{device="eth0"} NaN
      node_boot_time_seconds 1.77e+09
      node_time_seconds 1.7723592001234567e+09
      fabric_host_port_info{device="mlx5_0",port="1",netdev="eth0",mac="0c:42:a1:00:00:02",guid="a"} 1
      # EOF
      """;

  private final Page page = new Page(Pages.MAPPING);

  @Test
  void damage_never_throws_and_never_spoils_what_is_not_damaged() throws IOException {
    Random random = new Random(3_072);
    PageReader reader = new PageReader("host1", Role.HOST, Pages.MAPPING);
    byte[] good = GOOD.getBytes(StandardCharsets.UTF_8);
    for (int round = 0; round < 20_000; round++) {
      byte[] damaged = mutate(good, random);

      page.read(new ByteArrayInputStream(damaged));
      CollectOutcome outcome = reader.outcome(page, AT, null);

      assertThat(outcome.batch().complete()).isEqualTo(outcome.problems().isEmpty());
      assertThat(page.samples()).isLessThanOrEqualTo(page.lines());
      new Readings(outcome.batch());
    }
    page.read(new ByteArrayInputStream(good));
    CollectOutcome clean = reader.outcome(page, AT, null);
    assertThat(new Readings(clean.batch()).of("eth1", "port.in_octets"))
        .isEqualTo("OK 18446744073709551615");
  }

  private static byte[] mutate(byte[] good, Random random) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(good.length * 2);
    int damage = 1 + random.nextInt(8);
    int copied = 0;
    for (int piece = 0; piece < damage; piece++) {
      int from = copied + random.nextInt(Math.max(1, good.length - copied));
      out.write(good, copied, from - copied);
      int length = Math.min(random.nextInt(12), good.length - from);
      switch (random.nextInt(4)) {
        case 0 -> {} // a piece is missing
        case 1 -> {
          out.write(good, from, length);
          out.write(good, from, length);
        }
        case 2 -> out.write(TELLING[random.nextInt(TELLING.length)]);
        default -> {
          for (int index = 0; index < length; index++) {
            out.write(random.nextInt(256));
          }
        }
      }
      copied = from + length;
    }
    out.write(good, copied, random.nextInt(good.length - copied + 1));
    return out.toByteArray();
  }
}
