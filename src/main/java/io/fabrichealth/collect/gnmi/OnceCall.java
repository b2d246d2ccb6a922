package io.fabrichealth.collect.gnmi;

import com.github.gnmi.proto.SubscribeRequest;
import com.github.gnmi.proto.SubscribeResponse;
import com.github.gnmi.proto.gNMIGrpc;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Asks once for some paths. */
final class OnceCall implements StreamObserver<SubscribeResponse> {
  private final List<SubscribedPath> paths;
  private final Session session;
  private final StreamObserver<SubscribeRequest> requests;
  private final CompletableFuture<Status> end = new CompletableFuture<>();

  /**
   * Asks.
   *
   * @param stub with the deadline by which the call ends, answered or not
   */
  OnceCall(
      List<SubscribedPath> paths,
      Session session,
      gNMIGrpc.gNMIStub stub,
      SubscribeRequest request) {
    this.paths = paths;
    this.session = session;
    requests = stub.subscribe(this);
    requests.onNext(request);
  }

  List<SubscribedPath> paths() {
    return paths;
  }

  /** Waits for the end of the answer. */
  Status await() throws InterruptedException {
    Status status;
    try {
      status = end.get();
    } catch (ExecutionException e) {
      status = Status.fromThrowable(e);
    }
    if (status.isOk()) {
      requests.onCompleted();
    }
    return status;
  }

  @Override
  public void onNext(SubscribeResponse response) {
    session.take(response);
    if (response.getSyncResponse()) {
      end.complete(Status.OK);
    }
  }

  @Override
  public void onError(Throwable failure) {
    end.complete(Status.fromThrowable(failure));
  }

  @Override
  public void onCompleted() {
    end.complete(Status.OK);
  }
}
