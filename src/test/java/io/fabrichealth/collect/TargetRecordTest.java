package io.fabrichealth.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.signal.PollBatch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TargetRecordTest {
  private static final Instant AT = Instant.parse("2026-03-01T12:00:00Z");

  private final TargetRecord record = new TargetRecord();

  @Test
  void a_remark_that_lasts_is_told_and_is_no_failure() {
    note(AT, 5, List.of(), List.of("ifNumber is 7, ifTable has 4 rows"));
    note(AT.plusSeconds(10), 5, List.of(), List.of("ifNumber is 7, ifTable has 4 rows"));

    TargetStatus status = status();
    assertThat(status.lastSuccess()).isEqualTo(AT.plusSeconds(10));
    assertThat(status.failure()).isNull();
    assertThat(status.failures()).isEmpty();
    assertThat(status.remarks()).containsExactly("ifNumber is 7, ifTable has 4 rows");
  }

  @Test
  void a_remark_goes_when_the_device_is_mended_and_stays_while_it_is_silent() {
    note(AT, 5, List.of(), List.of("odd"));
    note(AT.plusSeconds(10), 0, List.of(new Problem(FailureCode.TIMEOUT, "silent")), List.of());
    assertThat(status().remarks()).containsExactly("odd");

    note(AT.plusSeconds(20), 5, List.of(), List.of());
    assertThat(status().remarks()).isEmpty();
  }

  @Test
  void a_pass_that_read_something_is_told_from_one_that_read_nothing_whatever_its_problem() {
    assertThat(status().lastPassRead()).isFalse();

    note(AT, 5, List.of(new Problem(FailureCode.MALFORMED, "a row came twice")), List.of());
    assertThat(status().lastPassRead()).isTrue();

    note(AT.plusSeconds(10), 0, List.of(new Problem(FailureCode.PARTIAL, "restarted")), List.of());
    assertThat(status().lastPassRead()).isFalse();
    assertThat(status().readings()).as("of the last pass that read any").isEqualTo(5);
  }

  @Test
  void a_back_off_shows_the_failure_that_led_to_it() {
    note(AT, 0, List.of(new Problem(FailureCode.AUTHENTICATION, "refused")), List.of());
    note(AT, 0, List.of(new Problem(FailureCode.BACK_OFF, "not asked: refused")), List.of());

    assertThat(status().failure()).isEqualTo(FailureCode.AUTHENTICATION);
    assertThat(status().message()).isEqualTo("not asked: refused");
    assertThat(status().failures()).containsEntry(FailureCode.BACK_OFF, 1L);

    note(AT, 1, List.of(), List.of());
    assertThat(status().failure()).isNull();
    note(AT, 0, List.of(new Problem(FailureCode.BACK_OFF, "not asked")), List.of());
    assertThat(status().failure()).isEqualTo(FailureCode.BACK_OFF);
  }

  @Test
  void late_passes_and_what_is_over_the_budget_are_counted() {
    CollectOutcome outcome =
        CollectOutcome.missed("leaf1", "fake", AT, new Problem(FailureCode.TIMEOUT, "late"));
    record.note(new ReadingBudget.Limited(outcome, 0), AT, Duration.ofSeconds(11), true);
    note(AT, 3, List.of(), List.of());
    PollBatch.Builder batch = PollBatch.builder("leaf1", "fake", AT);
    batch.value(batch.port("Ethernet1"), 0, 0, 1);
    CollectOutcome large =
        CollectOutcome.of(batch.build(true), null, List.of(), List.of(), List.of());
    record.note(new ReadingBudget.Limited(large, 40), AT, Duration.ofSeconds(1), false);
    record.note(new ReadingBudget.Limited(large, 2), AT, Duration.ofSeconds(1), false);

    assertThat(status().latePasses()).isEqualTo(1);
    assertThat(status().dropped()).isEqualTo(2);
    assertThat(status().allDropped()).isEqualTo(42);
  }

  private void note(Instant at, int readings, List<Problem> problems, List<String> remarks) {
    PollBatch.Builder batch = PollBatch.builder("leaf1", "fake", at);
    for (int lane = 0; lane < readings; lane++) {
      batch.value(batch.port("Ethernet1"), 0, lane, 1);
    }
    CollectOutcome outcome =
        CollectOutcome.of(batch.build(problems.isEmpty()), null, List.of(), problems, remarks);
    record.note(new ReadingBudget.Limited(outcome, 0), at, Duration.ofMillis(100), false);
  }

  private TargetStatus status() {
    return record.status(new Idle());
  }

  private record Idle() implements Collector {
    @Override
    public String name() {
      return "fake";
    }

    @Override
    public String device() {
      return "leaf1";
    }

    @Override
    public String address() {
      return "198.51.100.1:161";
    }

    @Override
    public Duration interval() {
      return Duration.ofSeconds(10);
    }

    @Override
    public CollectOutcome collect(Instant deadline) {
      throw new UnsupportedOperationException("only its names are asked for");
    }

    @Override
    public void close() {
      // Holds nothing.
    }
  }
}
