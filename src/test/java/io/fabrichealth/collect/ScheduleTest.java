package io.fabrichealth.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.SignalDictionary;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ScheduleTest {
  private static final Clock CLOCK = Clock.systemUTC();

  private final BlockingQueue<CollectOutcome> outcomes = new LinkedBlockingQueue<>();
  private final Schedule schedule =
      new Schedule(
          CLOCK,
          new ReadingBudget(new SignalDictionary(List.of()), 1_000),
          (collector, outcome) -> outcomes.put(outcome));

  @AfterEach
  void close() {
    schedule.close();
  }

  @Test
  void a_target_that_hangs_delays_no_other_and_ends_as_a_time_out() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    schedule.replace(
        List.of(new Fake("hangs", 500, never::await), new Fake("works", 100, () -> {})));

    int ofWorking = 0;
    CollectOutcome hung = null;
    while (hung == null) {
      CollectOutcome outcome = outcomes.take();
      if (outcome.batch().device().equals("hangs")) {
        hung = outcome;
      } else {
        ofWorking++;
      }
    }

    assertThat(ofWorking).isGreaterThan(3);
    assertThat(hung.problems().getFirst().code()).isEqualTo(FailureCode.TIMEOUT);
    assertThat(hung.batch().size()).isZero();
    assertThat(hung.batch().complete()).isFalse();
    assertThat(status("hangs").failure()).isEqualTo(FailureCode.TIMEOUT);
    assertThat(status("hangs").lastSuccess()).isNull();
    assertThat(status("works").failure()).isNull();
  }

  @Test
  void a_collector_that_throws_becomes_a_missed_poll_and_goes_on() throws Exception {
    schedule.replace(
        List.of(
            new Fake(
                "throws",
                50,
                () -> {
                  throw new IllegalStateException("a fault of ours");
                })));

    CollectOutcome first = outcomes.poll(10, TimeUnit.SECONDS);
    CollectOutcome second = outcomes.poll(10, TimeUnit.SECONDS);

    assertThat(first.problems().getFirst().code()).isEqualTo(FailureCode.INTERNAL);
    assertThat(second.batch().at()).isAfter(first.batch().at());
    assertThat(status("throws").failures()).containsKey(FailureCode.INTERNAL);
  }

  @Test
  void replaced_collectors_are_closed_and_their_history_goes_on() throws Exception {
    Fake before = new Fake("leaf1", 50, () -> {});
    schedule.replace(List.of(before));
    outcomes.take();
    outcomes.take();
    long passes = status("leaf1").passes();

    schedule.replace(List.of(new Fake("leaf1", 50, () -> {})));
    outcomes.take();

    assertThat(before.closed.await(5, TimeUnit.SECONDS)).isTrue();
    assertThat(status("leaf1").passes()).isGreaterThanOrEqualTo(passes);
    assertThat(schedule.statuses()).hasSize(1);
  }

  @Test
  void a_collector_that_is_named_again_goes_on_undisturbed() throws Exception {
    Fake same = new Fake("leaf1", 50, () -> {});
    schedule.replace(List.of(same, new Fake("leaf2", 50, () -> {})));
    outcomes.take();

    schedule.replace(List.of(same));

    assertThat(same.closed.await(200, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(schedule.statuses()).extracting(TargetStatus::device).containsExactly("leaf1");
  }

  private TargetStatus status(String device) {
    return schedule.statuses().stream()
        .filter(status -> status.device().equals(device))
        .findFirst()
        .orElseThrow();
  }

  private interface Work {
    void run() throws InterruptedException;
  }

  private static final class Fake implements Collector {
    private final String device;
    private final Duration interval;
    private final Work work;
    private final CountDownLatch closed = new CountDownLatch(1);

    Fake(String device, long millis, Work work) {
      this.device = device;
      interval = Duration.ofMillis(millis);
      this.work = work;
    }

    @Override
    public String name() {
      return "fake";
    }

    @Override
    public String device() {
      return device;
    }

    @Override
    public String address() {
      return "198.18.0.11:161";
    }

    @Override
    public Duration interval() {
      return interval;
    }

    @Override
    public CollectOutcome collect(Instant deadline) throws InterruptedException {
      work.run();
      return CollectOutcome.of(
          PollBatch.builder(device, "fake", CLOCK.instant()).build(true),
          null,
          List.of(),
          List.of(),
          List.of());
    }

    @Override
    public void close() {
      closed.countDown();
    }
  }
}
