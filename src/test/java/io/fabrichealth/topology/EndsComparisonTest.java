package io.fabrichealth.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.topology.EndsComparison.End;
import io.fabrichealth.topology.EndsComparison.Mismatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndsComparisonTest {
  private static final long SPEED = 400_000_000_000L;

  @ParameterizedTest
  @CsvSource({
    "HOST, 9000, LEAF, 9216, false",
    "LEAF, 9216, HOST, 9000, false",
    "HOST, 9000, LEAF, 9000, false",
    "HOST, 9000, LEAF, 8999, true",
    "HOST, 9000, LEAF, 1500, true",
    "HOST, 1500, SWITCH, 9216, false",
    "LEAF, 9216, SPINE, 9216, false",
    "LEAF, 9216, SPINE, 9242, false",
    "LEAF, 9216, SPINE, 9243, true",
    "LEAF, 9216, SPINE, 1500, true",
    "LEAF, 9216, LEAF, 1500, true",
    "HOST, 9000, HOST, 9000, false",
    "HOST, 9000, HOST, 1500, true",
    "HOST, 0, LEAF, 1500, false",
    "LEAF, 9216, SPINE, 0, false"
  })
  void a_switch_may_let_more_through_than_a_host_sends_and_not_less(
      Role a, int mtuOfA, Role b, int mtuOfB, boolean isMismatch) {
    End one = new End(new PortId("a", "1"), a, SPEED, 8, FecMode.RS544, mtuOfA, true);
    End other = new End(new PortId("b", "1"), b, SPEED, 8, FecMode.RS544, mtuOfB, true);

    assertThat(EndsComparison.mismatches(one, other)).hasSize(isMismatch ? 1 : 0);
  }

  @Test
  void speed_lanes_and_fec_must_be_the_same() {
    End one = new End(new PortId("a", "1"), Role.LEAF, SPEED, 8, FecMode.RS544, 9216, true);
    End other = new End(new PortId("b", "1"), Role.SPINE, SPEED / 2, 4, FecMode.NONE, 9216, null);

    assertThat(EndsComparison.mismatches(one, other))
        .containsExactly(
            new Mismatch(PortProperty.SPEED_BITS_PER_SECOND, "400000000000", "200000000000"),
            new Mismatch(PortProperty.LANES, "8", "4"),
            new Mismatch(PortProperty.FEC, "RS544", "NONE"));
  }

  @Test
  void a_port_that_is_down_tells_nothing_of_speed_lanes_and_fec() {
    End up = new End(new PortId("a", "1"), Role.LEAF, SPEED, 8, FecMode.RS544, 9216, true);
    End down = new End(new PortId("b", "1"), Role.SPINE, SPEED / 8, 1, FecMode.NONE, 1500, false);

    assertThat(EndsComparison.mismatches(up, down))
        .containsExactly(new Mismatch(PortProperty.MTU_BYTES, "9216", "1500"));
  }

  @Test
  void what_an_end_does_not_say_is_no_mismatch() {
    End one = new End(new PortId("a", "1"), Role.LEAF, SPEED, 8, FecMode.RS544, 9216, true);
    End silent = new End(new PortId("b", "1"), Role.SPINE, 0, 0, FecMode.UNKNOWN, 0, null);

    assertThat(EndsComparison.mismatches(one, silent)).isEmpty();
    assertThat(EndsComparison.mismatches(silent, one)).isEmpty();
  }
}
