package io.fabrichealth.collect.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.latency.ProbeSample;
import io.fabrichealth.latency.ProbeSample.RoundTrip;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.testing.Readings;
import io.fabrichealth.topology.Neighbour;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Sighting;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** Pages that anybody may send: expositions, CSV, JSON, and what is none of them. */
class PageFuzzTest {
  private static final Instant AT = Instant.parse("2026-03-01T10:00:00Z");
  private static final BigInteger LARGEST = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

  private final Page page = new Page(Pages.MAPPING);

  /** The outcome of a page: of its form, and the same each time. */
  @FuzzTest
  void a_page_becomes_readings_or_a_reason(byte[] bytes) throws IOException {
    CollectOutcome outcome = outcome(new PageReader("host1", Role.HOST, Pages.MAPPING), bytes);
    CollectOutcome again = outcome(new PageReader("host1", Role.HOST, Pages.MAPPING), bytes);

    check(outcome);
    assertThat(again.readings()).isEqualTo(outcome.readings());
    assertThat(again.problems()).isEqualTo(outcome.problems());
    assertThat(again.sightings()).isEqualTo(outcome.sightings());
    boolean isEmpty = outcome.readings() == 0 && page.probes().flows().isEmpty();
    assertThat(isEmpty && outcome.problems().isEmpty()).isFalse();
  }

  /** Three pages of one exporter, a blank line with a star between them. */
  @FuzzTest
  void pages_of_one_exporter_build_on_each_other(byte[] bytes) throws IOException {
    PageReader reader = new PageReader("host1", Role.HOST, Pages.MAPPING);
    int from = 0;
    for (int pages = 0; pages < 3; pages++) {
      int to = from;
      while (to < bytes.length && bytes[to] != '*') {
        to++;
      }
      check(outcome(reader, Arrays.copyOfRange(bytes, from, to)));
      from = Math.min(to + 1, bytes.length);
    }
  }

  private CollectOutcome outcome(PageReader reader, byte[] bytes) throws IOException {
    page.read(new ByteArrayInputStream(bytes));
    return reader.outcome(page, AT, null);
  }

  private static void check(CollectOutcome outcome) {
    Set<String> devices = new HashSet<>();
    for (PollBatch batch : outcome.batches()) {
      assertThat(devices.add(batch.device())).as("one batch a device").isTrue();
      assertThat(batch.device()).isNotBlank();
      new Readings(batch);
      if (batch.size() > 0) {
        assertThat(batch.complete()).isEqualTo(outcome.problems().isEmpty());
      }
    }
    for (Sighting sighting : outcome.sightings()) {
      assertThat(devices).contains(sighting.device());
      assertThat(sighting.neighbours())
          .extracting(Neighbour::portId)
          .allSatisfy(port -> assertThat(port).isNotBlank());
    }
    for (ProbeSample sample : outcome.probes()) {
      RoundTrip rtt = sample.rtt();
      if (rtt != null && !Double.isNaN(rtt.max())) {
        assertThat(rtt.min()).isLessThanOrEqualTo(rtt.median());
        assertThat(rtt.median()).isLessThanOrEqualTo(rtt.p99());
        assertThat(rtt.p99()).isLessThanOrEqualTo(rtt.max());
      }
    }
  }

  /** Numbers are read as the library reads them; whole ones are exact. */
  @FuzzTest
  void a_number_is_what_it_says(byte[] bytes) {
    DecimalText number = new DecimalText();
    if (!number.parse(bytes, 0, bytes.length)) {
      return;
    }
    String text = new String(bytes, StandardCharsets.US_ASCII);
    double value = number.value();
    if (text.matches("[+-]?[0-9]{1,40}(\\.[0-9]{0,40})?([eE][+-]?[0-9]{1,3})?")) {
      assertThat(value).isEqualTo(Double.parseDouble(text));
    }
    if (text.matches("[0-9]{1,30}")) {
      BigInteger exact = new BigDecimal(text).toBigInteger();
      boolean fits = exact.compareTo(LARGEST) <= 0;
      assertThat(number.counterState()).isEqualTo(fits ? CellState.OK : CellState.TOO_LARGE);
      if (fits) {
        assertThat(Long.toUnsignedString(number.unsigned())).isEqualTo(exact.toString());
      }
    }
  }
}
