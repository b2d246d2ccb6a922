package io.fabrichealth.collect.gnmi;

import com.github.gnmi.proto.Notification;
import io.fabrichealth.collect.BackOff;
import io.fabrichealth.collect.CollectException;
import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.signal.SignalDictionary;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Stays subscribed to one device, and makes a pass of what it sent since the last one. A connection
 * that ended, fell silent, or whose certificates changed is made anew, with all that belongs to it.
 */
final class GnmiCollector implements Collector {
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  private static final Duration LONGEST_JITTER = Duration.ofSeconds(3);
  private static final Duration LONGEST_BURST = Duration.ofSeconds(1);
  private static final long QUIET_NANOS = 50_000_000;

  /** Kept free for making the batch. */
  private static final Duration MARGIN = Duration.ofMillis(100);

  private final GnmiTarget target;
  private final Profile profile;
  private final Channels channels;
  private final InstantSource clock;
  private final BackOff backOff;
  private final @Nullable TlsFiles tls;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final DeviceReader reader;
  private @Nullable Session session;
  private @Nullable Problem lost;
  private @Nullable Problem unusable;
  private boolean wasConnected;
  private boolean swept;
  private boolean sampleTaken;
  private long sampleNanos;

  GnmiCollector(
      GnmiTarget target,
      Profile profile,
      Channels channels,
      SignalDictionary dictionary,
      InstantSource clock) {
    this.target = target;
    this.profile = profile;
    this.channels = channels;
    this.clock = clock;
    backOff = new BackOff(target.interval(), LONGEST_PAUSE);
    tls = target.tls() == null ? null : new TlsFiles(target.device(), target.tls());
    reader = new DeviceReader(target, profile, dictionary);
  }

  @Override
  public String name() {
    return GnmiCollectors.NAME;
  }

  @Override
  public String device() {
    return target.device();
  }

  @Override
  public String address() {
    return target.address() + ":" + target.port();
  }

  @Override
  public Duration interval() {
    return target.interval();
  }

  @Override
  public CollectOutcome collect(Instant deadline) throws InterruptedException {
    Instant now = clock.instant();
    Duration left = Duration.between(now, deadline).minus(MARGIN);
    if (!left.isPositive()) {
      return missed(new Problem(FailureCode.TIMEOUT, target.device() + ": no time was left"));
    }
    long deadlineNanos = System.nanoTime() + left.toNanos();
    unusable = null;
    dropWhatIsOver();
    Session current = session;
    if (current == null) {
      String held = backOff.holds(now);
      if (held != null) {
        return missed(new Problem(FailureCode.BACK_OFF, target.device() + ": " + held));
      }
      current = connect(deadlineNanos);
      if (current == null) {
        return failed();
      }
    }
    return pass(current, deadlineNanos);
  }

  /** Closes a connection that ended, fell silent, or was made with other certificates. */
  private void dropWhatIsOver() {
    Session current = session;
    if (current == null) {
      return;
    }
    lock.lock();
    Problem why = null;
    try {
      Status ended = current.ended();
      if (ended != null) {
        why = Failures.problem(target.device(), ended);
      } else if (current.isSilent()) {
        why =
            new Problem(
                FailureCode.TIMEOUT,
                "%s: silent for %d intervals, with samples or a sync due: connecting anew"
                    .formatted(target.device(), Session.SILENT_INTERVALS));
      }
    } finally {
      lock.unlock();
    }
    if (why != null) {
      lost = why;
      drop();
    } else if (tls != null && tls.haveChanged()) {
      dropIfUsable(tls);
    }
  }

  /** A connection that runs is not given up for certificates that cannot be used. */
  private void dropIfUsable(TlsFiles files) {
    try {
      files.context();
      drop();
    } catch (CollectException e) {
      unusable = new Problem(e.code(), String.valueOf(e.getMessage()));
    }
  }

  private void drop() {
    Session current = session;
    if (current != null) {
      current.close();
      session = null;
    }
  }

  private @Nullable Session connect(long deadlineNanos) throws InterruptedException {
    if (wasConnected) {
      // All switches lose us at once when the network between does: they are not to be met at once.
      TimeUnit.NANOSECONDS.sleep(jitterNanos());
    }
    Session fresh;
    try {
      fresh =
          new Session(
              target,
              profile,
              reader.modes(),
              channels.open(target, tls),
              this::take,
              lock,
              changed);
    } catch (CollectException e) {
      lost = new Problem(e.code(), String.valueOf(e.getMessage()));
      return null;
    }
    try {
      fresh.open(limit(deadlineNanos));
    } catch (StatusRuntimeException e) {
      fresh.close();
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      lost = Failures.problem(target.device(), e.getStatus());
      return null;
    }
    wasConnected = true;
    swept = false;
    session = fresh;
    return fresh;
  }

  /** A share of a quarter of the interval that is the device's own. */
  private long jitterNanos() {
    Duration most = target.interval().dividedBy(4);
    long nanos = (most.compareTo(LONGEST_JITTER) < 0 ? most : LONGEST_JITTER).toNanos();
    return nanos * (target.device().hashCode() & 0xff) / 0x100;
  }

  private Duration limit(long deadlineNanos) {
    Duration left = Duration.ofNanos(Math.max(1, deadlineNanos - System.nanoTime()));
    return left.compareTo(target.timeout()) < 0 ? left : target.timeout();
  }

  private CollectOutcome failed() {
    Problem why =
        lost == null
            ? new Problem(FailureCode.UNREACHABLE, target.device() + ": not connected")
            : lost;
    backOff.failed(clock.instant(), why.message());
    return missed(why);
  }

  private CollectOutcome missed(Problem why) {
    return CollectOutcome.missed(target.device(), name(), clock.instant(), why);
  }

  private boolean take(Notification notification, long nanos) {
    Instant now = clock.instant();
    boolean sample = reader.take(notification, nanos, nanos(now));
    if (sample) {
      sampleTaken = true;
      sampleNanos = nanos;
    }
    return sample;
  }

  private CollectOutcome pass(Session current, long deadlineNanos) throws InterruptedException {
    long syncBy = Math.min(deadlineNanos, current.subscribedNanos() + target.timeout().toNanos());
    lock.lock();
    try {
      await(() -> current.isSynced() || current.ended() != null, syncBy);
    } finally {
      lock.unlock();
    }
    Status polled = current.poll(limit(deadlineNanos));
    lock.lock();
    try {
      awaitSample(current, deadlineNanos);
      return outcome(current, polled);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Samples come at the pace of the passes, but not in step: the one that belongs to this pass may
   * be late by a little.
   */
  private void awaitSample(Session current, long deadlineNanos) throws InterruptedException {
    long half = System.nanoTime() + target.interval().dividedBy(2).toNanos();
    await(() -> sampleTaken || current.ended() != null, Math.min(half, deadlineNanos));
    // They come port by port.
    long burst = System.nanoTime() + LONGEST_BURST.toNanos();
    long quarter = System.nanoTime() + target.interval().dividedBy(4).toNanos();
    long end = Math.min(deadlineNanos, Math.min(burst, quarter));
    while (sampleTaken
        && System.nanoTime() - sampleNanos < QUIET_NANOS
        && System.nanoTime() - end < 0) {
      changed.awaitNanos(Math.min(QUIET_NANOS, Math.max(1, end - System.nanoTime())));
    }
  }

  private void await(BooleanSupplier done, long untilNanos) throws InterruptedException {
    long left = untilNanos - System.nanoTime();
    while (!done.getAsBoolean() && left > 0) {
      left = changed.awaitNanos(left);
      left = Math.min(left, untilNanos - System.nanoTime());
    }
  }

  /**
   * @param polled how asking once ended: where that failed the device has not told all, too
   */
  private CollectOutcome outcome(Session current, Status polled) {
    Status ended = current.ended();
    boolean streams = current.isSynced() && ended == null;
    boolean synced = streams && polled.isOk();
    if (!current.hasHeard() && !streams) {
      lost =
          ended == null
              ? new Problem(
                  FailureCode.TIMEOUT,
                  "%s: no sync within %s ms"
                      .formatted(target.device(), target.timeout().toMillis()))
              : Failures.problem(target.device(), ended);
      drop();
      return failed();
    }
    reader.modesMayHaveChanged();
    if (synced && !swept) {
      reader.sweep(current.openedNanos());
      swept = true;
      backOff.succeeded();
    }
    sampleTaken = false;
    Problem before = lost;
    lost = null;
    Problem problem = problem(streams, ended, polled);
    return reader.outcome(
        clock.instant(),
        synced,
        Stream.of(problem, unusable).filter(Objects::nonNull).toList(),
        before == null ? null : "connected anew after: " + before.message());
  }

  private @Nullable Problem problem(boolean streams, @Nullable Status ended, Status polled) {
    Problem why = null;
    if (ended != null) {
      why = Failures.problem(target.device(), ended);
    } else if (!streams) {
      why =
          new Problem(
              FailureCode.PARTIAL,
              "%s: no sync within %s ms: what it lacks is not known yet"
                  .formatted(target.device(), target.timeout().toMillis()));
    } else if (!polled.isOk()) {
      why = Failures.problem(target.device(), polled);
    }
    return why;
  }

  static long nanos(Instant time) {
    return time.getEpochSecond() * 1_000_000_000L + time.getNano();
  }

  @Override
  public void close() {
    drop();
  }
}
