package io.fabrichealth.collect.gnmi;

import com.github.gnmi.proto.SubscribeRequest;
import com.github.gnmi.proto.SubscribeResponse;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Asks once for some paths. */
final class OnceCall implements ClientResponseObserver<SubscribeRequest, SubscribeResponse> {
  private final Session session;
  private final CompletableFuture<Status> end = new CompletableFuture<>();
  private @Nullable ClientCallStreamObserver<SubscribeRequest> requests;

  OnceCall(Session session) {
    this.session = session;
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<SubscribeRequest> stream) {
    requests = stream;
  }

  /** Waits for the end of the answer. */
  Status run(SubscribeRequest request, Duration limit) throws InterruptedException {
    ClientCallStreamObserver<SubscribeRequest> stream = requests;
    if (stream == null) {
      throw new IllegalStateException("the call was not started");
    }
    stream.onNext(request);
    try {
      return end.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      stream.cancel("no time is left", e);
      return Status.DEADLINE_EXCEEDED;
    } catch (ExecutionException e) {
      return Status.fromThrowable(e);
    }
  }

  @Override
  public void onNext(SubscribeResponse response) {
    session.take(response);
    if (response.getSyncResponse()) {
      end.complete(Status.OK);
      if (requests != null) {
        requests.onCompleted();
      }
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
