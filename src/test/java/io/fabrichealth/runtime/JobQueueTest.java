package io.fabrichealth.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabrichealth.collect.jobs.GatheredInputs;
import io.fabrichealth.runtime.JobDesk.Analysis;
import io.fabrichealth.runtime.JobQueue.Sent;
import io.fabrichealth.runtime.UnusableJobException.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JobQueueTest {
  private static final Duration LONG = Duration.ofMinutes(5);

  private final ExecutorService senders = Executors.newCachedThreadPool();
  private final List<String> analysed = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch gate = new CountDownLatch(1);

  @AfterEach
  void stop() {
    gate.countDown();
    senders.shutdownNow();
  }

  @Test
  void what_waits_of_one_job_is_analysed_at_once() throws Exception {
    try (JobQueue queue = new JobQueue(LONG, this::analyze)) {
      Future<Optional<Analysis>> first = send(queue, "busy", false);
      begun.await();
      List<Future<Optional<Analysis>>> sent = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        sent.add(send(queue, "job", false));
      }
      Future<Optional<Analysis>> other = send(queue, "other", false);
      awaitWaiting(queue, 101);
      gate.countDown();

      assertThat(first.get()).isPresent();
      assertThat(other.get()).isPresent();
      UUID id = sent.getFirst().get().orElseThrow().id();
      for (Future<Optional<Analysis>> one : sent) {
        assertThat(one.get().orElseThrow().id()).isEqualTo(id);
      }
      assertThat(analysed).containsExactlyInAnyOrder("busy 1", "job 100", "other 1");
    }
  }

  @Test
  void what_begins_anew_is_not_analysed_with_what_came_before_it() throws Exception {
    try (JobQueue queue = new JobQueue(LONG, this::analyze)) {
      Future<Optional<Analysis>> first = send(queue, "busy", false);
      begun.await();
      Future<Optional<Analysis>> before = send(queue, "job", false);
      awaitWaiting(queue, 1);
      Future<Optional<Analysis>> fresh = send(queue, "job", true);
      awaitWaiting(queue, 2);
      Future<Optional<Analysis>> after = send(queue, "job", false);
      awaitWaiting(queue, 3);
      gate.countDown();

      assertThat(first.get()).isPresent();
      assertThat(before.get()).isNotEqualTo(fresh.get());
      assertThat(after.get()).isEqualTo(fresh.get());
      assertThat(analysed).containsExactly("busy 1", "job 1", "job 2");
    }
  }

  @Test
  void what_waits_too_long_is_given_back_and_not_read() throws Exception {
    try (JobQueue queue = new JobQueue(Duration.ofMillis(50), this::analyze)) {
      Future<Optional<Analysis>> first = send(queue, "busy", false);
      begun.await();

      assertThat(send(queue, "job", false).get()).isEmpty();
      gate.countDown();
      assertThat(first.get()).as("it had begun").isPresent();
      assertThat(queue.waiting()).isZero();
      assertThat(analysed).containsExactly("busy 1");
    }
  }

  @Test
  void a_failure_is_told_to_its_sender_and_stops_no_other() {
    gate.countDown();
    try (JobQueue queue = new JobQueue(LONG, this::analyze)) {
      assertThatThrownBy(() -> queue.analyze("unusable", () -> GatheredInputs.NONE, false))
          .isInstanceOf(UnusableJobException.class);
      assertThatThrownBy(() -> queue.analyze("broken", () -> GatheredInputs.NONE, false))
          .isInstanceOf(ArithmeticException.class);
      assertThat(analysed).containsExactly("unusable 1", "broken 1");
    }
  }

  private void analyze(String job, List<Sent> sent) {
    analysed.add(job + " " + sent.size());
    begun.countDown();
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (job.equals("broken")) {
      throw new ArithmeticException();
    }
    Analysis analysis =
        new Analysis(
            UUID.randomUUID(),
            job,
            Instant.EPOCH,
            new JobReport(List.of(), List.of(), List.of(), List.of(), 1));
    for (Sent one : sent) {
      if (job.equals("unusable")) {
        one.answer()
            .completeExceptionally(new UnusableJobException("no", List.of(new Fault("x", "y"))));
      } else {
        one.answer().complete(analysis);
      }
    }
  }

  private Future<Optional<Analysis>> send(JobQueue queue, String job, boolean isFresh) {
    return senders.submit(() -> queue.analyze(job, () -> GatheredInputs.NONE, isFresh));
  }

  private static void awaitWaiting(JobQueue queue, int count) {
    long end = System.nanoTime() + LONG.toNanos();
    while (queue.waiting() < count) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
  }
}
