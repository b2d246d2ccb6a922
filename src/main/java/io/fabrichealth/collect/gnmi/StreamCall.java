package io.fabrichealth.collect.gnmi;

import com.github.gnmi.proto.SubscribeRequest;
import com.github.gnmi.proto.SubscribeResponse;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A stream of some paths. */
final class StreamCall implements ClientResponseObserver<SubscribeRequest, SubscribeResponse> {
  private final List<SubscribedPath> paths;
  private final Session session;
  private @Nullable ClientCallStreamObserver<SubscribeRequest> requests;
  private volatile boolean synced;
  private volatile boolean heard;
  private volatile boolean sampled;
  private volatile long heardNanos;

  StreamCall(List<SubscribedPath> paths, Session session) {
    this.paths = paths;
    this.session = session;
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<SubscribeRequest> stream) {
    requests = stream;
  }

  void send(SubscribeRequest request) {
    if (requests == null) {
      throw new IllegalStateException("the call was not started");
    }
    // The device ends a stream whose requests are over, so this one stays open.
    requests.onNext(request);
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

  boolean isSilentSince(long nanos) {
    return sampled && heardNanos - nanos < 0;
  }

  @Override
  public void onNext(SubscribeResponse response) {
    heard = true;
    if (session.take(response)) {
      sampled = true;
      heardNanos = System.nanoTime();
    }
    if (response.getSyncResponse()) {
      synced = true;
      session.take(SubscribeResponse.getDefaultInstance());
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
