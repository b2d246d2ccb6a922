package io.fabrichealth.signal;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UnsignedTest {

  @Test
  void every_counter_becomes_the_nearest_double() {
    Random random = new Random(5);
    for (int run = 0; run < 20_000; run++) {
      assertNearest(random.nextLong());
      // Next to half-way between two doubles, where rounding twice would show.
      assertNearest((random.nextLong() | Long.MIN_VALUE) & -2048L | 1024 | random.nextInt(3) - 1);
    }
    assertNearest(0);
    assertNearest(Long.MAX_VALUE);
    assertNearest(Long.MIN_VALUE);
    assertNearest(-1);
  }

  private static void assertNearest(long bits) {
    double nearest = new BigInteger(Long.toUnsignedString(bits)).doubleValue();
    assertThat(Unsigned.toDouble(bits)).as(Long.toUnsignedString(bits)).isEqualTo(nearest);
  }
}
