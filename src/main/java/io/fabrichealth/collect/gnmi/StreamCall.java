package io.fabrichealth.collect.gnmi;

import com.github.gnmi.proto.SubscribeResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.List;

/** A stream of some paths. */
final class StreamCall implements StreamObserver<SubscribeResponse> {
  private final List<SubscribedPath> paths;
  private final Session session;
  private volatile boolean synced;
  private volatile boolean heard;
  private volatile boolean sampled;

  /** When it last brought what it owes: anything until there is a sample, samples from then on. */
  private volatile long heardNanos = System.nanoTime();

  StreamCall(List<SubscribedPath> paths, Session session) {
    this.paths = paths;
    this.session = session;
  }

  List<SubscribedPath> paths() {
    return paths;
  }

  boolean isSynced() {
    return synced;
  }

  boolean hasHeard() {
    return heard;
  }

  /**
   * Whether it has been silent for too long. One that told all and has no samples may be silent for
   * ever.
   *
   * @param now by {@link System#nanoTime}
   * @param samples longest silence of a stream that brings samples, in nanoseconds
   * @param beginning longest silence of one that has not told all, in nanoseconds
   */
  boolean isSilent(long now, long samples, long beginning) {
    return (sampled || !synced) && now - heardNanos > (sampled ? samples : beginning);
  }

  @Override
  public void onNext(SubscribeResponse response) {
    heard = true;
    if (response.getSyncResponse()) {
      // Before it is taken, which wakes those who wait for it.
      synced = true;
    }
    boolean sample = session.take(response);
    if (sample || !sampled) {
      heardNanos = System.nanoTime();
    }
    if (sample) {
      sampled = true;
    }
  }

  @Override
  public void onError(Throwable failure) {
    session.over(this, Status.fromThrowable(failure));
  }

  @Override
  public void onCompleted() {
    session.over(this, Status.UNAVAILABLE.withDescription("the device ended the stream"));
  }
}
