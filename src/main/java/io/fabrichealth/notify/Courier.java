package io.fabrichealth.notify;

import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Incidents;
import io.fabrichealth.incident.Notification;
import io.fabrichealth.incident.Outbox;
import io.fabrichealth.incident.Standing;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Carries what the outbox holds to its receivers, in order, and again until it is taken or a day
 * old. Each receiver has a thread of its own, so that a slow one keeps nobody waiting; one that
 * fails is left alone for a second, and for twice as long each time, up to five minutes.
 *
 * <p>A crash between the sending and the note that it was sent sends it again, with the same
 * delivery id. An Alertmanager is told of all that goes on once a minute beside that, from memory:
 * it forgets what it does not hear of, and a database that is away must not keep it uninformed.
 */
public final class Courier implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Courier.class);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
  private static final Duration SWEEP_EVERY = Duration.ofMinutes(1);
  private static final Duration REMIND_EVERY = Duration.ofMinutes(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);
  private static final Duration GIVE_UP_AFTER = Duration.ofHours(24);
  private static final Duration KEPT = Duration.ofDays(30);
  private static final int BATCH = 20;
  private static final int MOST_ALERTS = 1_000;
  private static final String METRIC = "fabric.health.notify.deliveries";

  private final Outbox outbox;
  private final Incidents incidents;
  private final ReceiverList receivers;
  private final InstantSource clock;
  private final MeterRegistry meters;
  private final Post post = new Post();
  private final Map<String, Line> lines = new HashMap<>();
  private final ScheduledExecutorService clerk =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("notify").factory());
  private volatile long waiting;
  private long sweptNanos;

  public Courier(
      Outbox outbox,
      Incidents incidents,
      ReceiverList receivers,
      InstantSource clock,
      MeterRegistry meters) {
    this.outbox = outbox;
    this.incidents = incidents;
    this.receivers = receivers;
    this.clock = clock;
    this.meters = meters;
    sweptNanos = System.nanoTime() - SWEEP_EVERY.toNanos();
    Gauge.builder("fabric.health.notify.waiting", this, self -> self.waiting)
        .description("Notifications that no receiver has taken yet")
        .register(meters);
  }

  /** What is known of one receiver; {@code busy} hands it from the clerk to who serves and back. */
  static final class Line {
    private volatile boolean busy;
    private Duration pause = Duration.ZERO;
    private long pausedNanos;
    private long remindedNanos;

    Line() {
      remindedNanos = System.nanoTime() - REMIND_EVERY.toNanos();
    }

    boolean isPaused() {
      return System.nanoTime() - pausedNanos < pause.toNanos();
    }

    Duration pause() {
      return pause;
    }

    void failed() {
      pauseForLonger(LONGEST_PAUSE);
    }

    /** That is no fault of the receiver: an Alertmanager still hears from us before it forgets. */
    void databaseIsAway() {
      pauseForLonger(REMIND_EVERY);
    }

    private void pauseForLonger(Duration most) {
      Duration longer = pause.isZero() ? LOOK_EVERY : pause.multipliedBy(2);
      pause = longer.compareTo(most) < 0 ? longer : most;
      pausedNanos = System.nanoTime();
    }

    void succeeded() {
      pause = Duration.ZERO;
    }
  }

  public void start() {
    clerk.scheduleWithFixedDelay(
        this::look, LOOK_EVERY.toMillis(), LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    clerk.shutdownNow();
  }

  private void look() {
    try {
      List<Receiver> now = receivers.all();
      lines.keySet().retainAll(receivers.names());
      for (Receiver receiver : now) {
        Line line = lines.computeIfAbsent(receiver.name(), name -> new Line());
        if (!line.busy && !line.isPaused()) {
          line.busy = true;
          Thread.ofVirtual().name("notify-" + receiver.name()).start(() -> serve(receiver, line));
        }
      }
      if (System.nanoTime() - sweptNanos >= SWEEP_EVERY.toNanos()) {
        sweptNanos = System.nanoTime();
        sweep();
      }
    } catch (RuntimeException e) {
      count("", "error");
      log.warn("notify=failed action=look reason=\"{}\"", e.getMessage());
    }
  }

  private void sweep() {
    Instant now = clock.instant();
    int given = outbox.sweep(now.minus(GIVE_UP_AFTER), now.minus(KEPT), now);
    waiting = outbox.waiting();
    if (given > 0) {
      deliveries("", "abandoned").increment(given);
      log.error("notify=abandoned notifications={} after={}", given, GIVE_UP_AFTER);
    }
  }

  private void serve(Receiver receiver, Line line) {
    try {
      if (receiver.kind() == Receiver.Kind.ALERTMANAGER
          && System.nanoTime() - line.remindedNanos >= REMIND_EVERY.toNanos()
          && remind(receiver, line)) {
        line.remindedNanos = System.nanoTime();
      }
      for (Notification next : outbox.next(receiver.name(), BATCH)) {
        if (!deliver(receiver, line, next)) {
          return;
        }
      }
    } catch (DataAccessException e) {
      line.databaseIsAway();
      count(receiver.name(), "error");
      log.warn("notify=waiting receiver={} reason=\"database away\"", receiver.name());
    } catch (RuntimeException e) {
      line.failed();
      count(receiver.name(), "error");
      log.error("notify=failed receiver={}", receiver.name(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      line.busy = false;
    }
  }

  /** Whether the next may be sent. */
  private boolean deliver(Receiver receiver, Line line, Notification notification)
      throws InterruptedException {
    Instant now = clock.instant();
    return switch (send(receiver, notification, now)) {
      case Post.Outcome.Taken taken -> {
        outbox.delivered(notification.id(), now);
        line.succeeded();
        count(receiver.name(), "delivered");
        yield true;
      }
      case Post.Outcome.Failed failed -> {
        line.failed();
        outbox.failed(notification.id(), failed.reason());
        count(receiver.name(), "failed");
        log.warn(
            "notify=failed receiver={} delivery={} event={} attempt={} retry-in={} reason=\"{}\"",
            receiver.name(),
            notification.id(),
            notification.event(),
            notification.attempts() + 1,
            line.pause,
            failed.reason());
        yield false;
      }
      case Post.Outcome.Refused refused -> {
        outbox.abandoned(notification.id(), now, refused.reason());
        count(receiver.name(), "refused");
        log.error(
            "notify=refused receiver={} delivery={} event={} reason=\"{}\"",
            receiver.name(),
            notification.id(),
            notification.event(),
            refused.reason());
        yield true;
      }
    };
  }

  private Post.Outcome send(Receiver receiver, Notification notification, Instant now)
      throws InterruptedException {
    return switch (receiver.kind()) {
      case WEBHOOK -> {
        byte[] body = Bodies.webhook(notification);
        Map<String, String> headers = new HashMap<>();
        headers.put("X-Delivery-Id", notification.id().toString());
        headers.put("X-Delivery-Timestamp", Long.toString(now.getEpochSecond()));
        if (receiver.secret() != null) {
          headers.put("X-Signature-256", Post.signature(receiver.secret(), now, body));
        }
        yield post.send(receiver, receiver.url(), body, headers);
      }
      case ALERTMANAGER ->
          post.send(receiver, alerts(receiver), Bodies.alerts(notification, now), Map.of());
    };
  }

  private boolean remind(Receiver receiver, Line line) throws InterruptedException {
    List<Incident> told =
        incidents.unresolved().stream().filter(one -> Standing.of(one).isToldOf()).toList();
    for (int from = 0; from < told.size(); from += MOST_ALERTS) {
      List<Incident> part = told.subList(from, Math.min(told.size(), from + MOST_ALERTS));
      Post.Outcome outcome =
          post.send(receiver, alerts(receiver), Bodies.alerts(part, clock.instant()), Map.of());
      if (!(outcome instanceof Post.Outcome.Taken)) {
        line.failed();
        count(receiver.name(), "failed");
        log.warn(
            "notify=failed receiver={} action=remind outcome=\"{}\"", receiver.name(), outcome);
        return false;
      }
    }
    return true;
  }

  private static URI alerts(Receiver receiver) {
    String url = receiver.url().toString();
    return URI.create((url.endsWith("/") ? url : url + "/") + "api/v2/alerts");
  }

  private void count(String receiver, String outcome) {
    deliveries(receiver, outcome).increment();
  }

  private Counter deliveries(String receiver, String outcome) {
    return Counter.builder(METRIC)
        .description("Attempts to tell somebody of an incident, by what became of them")
        .tag("receiver", receiver)
        .tag("outcome", outcome)
        .register(meters);
  }
}
