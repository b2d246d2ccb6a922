package io.fabrichealth.collect.gnmi;

import com.github.gnmi.proto.CapabilityRequest;
import com.github.gnmi.proto.Encoding;
import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.SubscribeRequest;
import com.github.gnmi.proto.SubscribeResponse;
import com.github.gnmi.proto.SubscriptionList;
import com.github.gnmi.proto.gNMIGrpc;
import io.fabrichealth.collect.gnmi.SubscribedPath.Mode;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a device with the calls that run on it: a stream for each target and origin,
 * and for each path that the device refused together with others. Ends as a whole when one of its
 * streams does.
 */
final class Session implements AutoCloseable {
  /** In so many intervals without a sample a stream has fallen silent. */
  static final int SILENT_INTERVALS = 3;

  private final GnmiTarget target;
  private final Profile profile;
  private final Modes modes;
  private final ManagedChannel channel;
  private final Sink sink;
  private final ReentrantLock lock;
  private final Condition changed;
  private final List<StreamCall> calls = new ArrayList<>();
  private final long openedNanos = System.nanoTime();
  private Encoding encoding = Encoding.PROTO;
  private long subscribedNanos = openedNanos;
  private boolean subscribed;
  private boolean closed;
  private @Nullable Status ended;

  /** Takes what a device sends; called with the lock held. */
  interface Sink {
    /** Returns whether it brought a sampled value. */
    boolean take(Notification notification, long nanos);
  }

  /**
   * @param lock guards all that the session and the sink hold
   * @param changed signalled when anything came
   */
  Session(
      GnmiTarget target,
      Profile profile,
      Modes modes,
      ManagedChannel channel,
      Sink sink,
      ReentrantLock lock,
      Condition changed) {
    this.target = target;
    this.profile = profile;
    this.modes = modes;
    this.channel = channel;
    this.sink = sink;
    this.lock = lock;
    this.changed = changed;
  }

  /** When it began, by {@link System#nanoTime}. */
  long openedNanos() {
    return openedNanos;
  }

  /** When the device was asked to stream, by {@link System#nanoTime}. */
  long subscribedNanos() {
    return subscribedNanos;
  }

  /** Why it is over; null while it is not. */
  @Nullable Status ended() {
    return ended;
  }

  /**
   * Asks what the device can do, and subscribes. Called without the lock.
   *
   * @throws StatusRuntimeException where the device does not answer
   */
  void open(Duration limit) {
    Encoding chosen = encoding(limit);
    lock.lock();
    try {
      encoding = chosen;
      grouped(modes.in(Mode.SAMPLE, Mode.ON_CHANGE)).forEach(this::start);
      subscribed = true;
      subscribedNanos = System.nanoTime();
    } finally {
      lock.unlock();
    }
  }

  private Encoding encoding(Duration limit) {
    try {
      List<Encoding> supported =
          gNMIGrpc
              .newBlockingStub(channel)
              .withDeadlineAfter(limit.toMillis(), TimeUnit.MILLISECONDS)
              .capabilities(CapabilityRequest.getDefaultInstance())
              .getSupportedEncodingsList();
      for (Encoding preferred : profile.encodings()) {
        if (supported.contains(preferred)) {
          return preferred;
        }
      }
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() != Status.Code.UNIMPLEMENTED) {
        throw e;
      }
    }
    return profile.encodings().getFirst();
  }

  private static Collection<List<SubscribedPath>> grouped(List<SubscribedPath> paths) {
    Map<String, List<SubscribedPath>> groups = new LinkedHashMap<>();
    for (SubscribedPath path : paths) {
      groups
          .computeIfAbsent(path.target() + "\n" + path.origin(), key -> new ArrayList<>())
          .add(path);
    }
    return groups.values();
  }

  private void start(List<SubscribedPath> paths) {
    StreamCall call = new StreamCall(paths, this);
    calls.add(call);
    SubscribeRequest request =
        Requests.subscribe(paths, modes, SubscriptionList.Mode.STREAM, encoding, target.interval());
    // The device ends a stream whose requests are over, so they are not completed.
    gNMIGrpc.newStub(channel).subscribe(call).onNext(request);
  }

  /** Whether every stream has told all that there is. */
  boolean isSynced() {
    return subscribed && calls.stream().allMatch(StreamCall::isSynced);
  }

  boolean hasHeard() {
    return calls.stream().anyMatch(StreamCall::hasHeard);
  }

  /**
   * Whether a stream has been silent for too long: it brings no samples any more, or fell silent
   * before it told all.
   */
  boolean isSilent() {
    long now = System.nanoTime();
    long samples = target.interval().multipliedBy(SILENT_INTERVALS).toNanos();
    // The first answer of a slow device may take as long as its time-out.
    long beginning = Math.max(samples, target.timeout().toNanos());
    return calls.stream().anyMatch(call -> call.isSilent(now, samples, beginning));
  }

  /**
   * Asks once for the paths that the device refuses to stream, for all of them at the same time.
   * Called without the lock.
   *
   * @param limit of all answers together
   * @return what went wrong with one that did not come whole; OK where all did
   */
  Status poll(Duration limit) throws InterruptedException {
    Deadline deadline = Deadline.after(limit.toNanos(), TimeUnit.NANOSECONDS);
    Collection<List<SubscribedPath>> groups;
    lock.lock();
    try {
      groups = grouped(modes.in(Mode.ONCE));
    } finally {
      lock.unlock();
    }
    Deque<OnceCall> open = new ArrayDeque<>();
    groups.forEach(group -> open.add(ask(group, deadline)));
    Status failure = Status.OK;
    while (!open.isEmpty()) {
      OnceCall call = open.remove();
      Status status = call.await();
      if (!Failures.isRefusal(status)) {
        failure = status.isOk() ? failure : status;
      } else if (call.paths().size() > 1) {
        call.paths().forEach(path -> open.add(ask(List.of(path), deadline)));
      } else {
        refusedOnce(call.paths().getFirst(), status);
      }
    }
    return failure;
  }

  private OnceCall ask(List<SubscribedPath> paths, Deadline deadline) {
    SubscribeRequest request =
        Requests.subscribe(paths, modes, SubscriptionList.Mode.ONCE, encoding, target.interval());
    return new OnceCall(paths, this, gNMIGrpc.newStub(channel).withDeadline(deadline), request);
  }

  private void refusedOnce(SubscribedPath path, Status status) {
    lock.lock();
    try {
      modes.refused(path.index(), why(status));
    } finally {
      lock.unlock();
    }
  }

  /** A message of any call. Returns whether it brought a sampled value. */
  boolean take(SubscribeResponse response) {
    lock.lock();
    try {
      if (closed) {
        return false;
      }
      boolean sampled = response.hasUpdate() && sink.take(response.getUpdate(), System.nanoTime());
      changed.signalAll();
      return sampled;
    } finally {
      lock.unlock();
    }
  }

  /** A stream is over: the device refuses what it asks for, or the connection ends with it. */
  void over(StreamCall call, Status status) {
    lock.lock();
    try {
      if (closed || ended != null) {
        return;
      }
      if (Failures.isRefusal(status) && !call.hasHeard()) {
        calls.remove(call);
        refused(call.paths(), status);
      } else {
        ended = status;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Which path it refuses is not said: they are asked for one by one. */
  private void refused(List<SubscribedPath> paths, Status status) {
    if (paths.size() > 1) {
      paths.forEach(path -> start(List.of(path)));
      return;
    }
    int index = paths.getFirst().index();
    modes.refused(index, why(status));
    Mode lesser = modes.of(index);
    if (lesser == Mode.SAMPLE || lesser == Mode.ON_CHANGE) {
      start(paths);
    }
  }

  private static String why(Status status) {
    String text = status.getDescription();
    return text == null ? status.getCode().name() : Texts.clean(text, 200);
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    channel.shutdownNow();
  }
}
