package io.fabrichealth.collect.gnmi;

import com.github.gnmi.proto.CapabilityRequest;
import com.github.gnmi.proto.CapabilityResponse;
import com.github.gnmi.proto.Encoding;
import com.github.gnmi.proto.GetRequest;
import com.github.gnmi.proto.GetResponse;
import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.SubscribeRequest;
import com.github.gnmi.proto.SubscribeResponse;
import com.github.gnmi.proto.Subscription;
import com.github.gnmi.proto.SubscriptionMode;
import com.github.gnmi.proto.Update;
import com.github.gnmi.proto.gNMIGrpc;
import io.fabrichealth.topology.Role;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A gNMI target over real gRPC: Capabilities, Get, and Subscribe in all modes. What a test wants it
 * to do wrong, it does.
 */
final class SimulatedGnmiTarget implements AutoCloseable {
  private final DeviceContent content;
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
  private final List<Stream> streams = new CopyOnWriteArrayList<>();
  private final List<SubscribeRequest> requests = new CopyOnWriteArrayList<>();
  private InstantSource clock = InstantSource.system();
  private List<Encoding> encodings = List.of(Encoding.PROTO, Encoding.JSON_IETF);
  private BiFunction<Path, SubscriptionMode, @Nullable Status> refusal = (path, mode) -> null;
  private volatile BiPredicate<Path, SubscriptionMode> hangs = (path, mode) -> false;
  private final AtomicInteger hanging = new AtomicInteger();
  private final AtomicInteger mostHanging = new AtomicInteger();
  private @Nullable String password;
  private TestCertificates.@Nullable Pem tls;
  private boolean asksForCertificate;
  private volatile boolean mute;
  private volatile boolean withoutSync;
  private @Nullable Server server;
  private int port;
  private int connections;

  SimulatedGnmiTarget(DeviceContent content) {
    this.content = content;
    content.onChange(this::changed);
  }

  SimulatedGnmiTarget clock(InstantSource source) {
    clock = source;
    return this;
  }

  SimulatedGnmiTarget encodings(Encoding... supported) {
    encodings = List.of(supported);
    return this;
  }

  /** What it says to a subscription; null to take it. */
  SimulatedGnmiTarget refuse(BiFunction<Path, SubscriptionMode, @Nullable Status> rule) {
    refusal = rule;
    return this;
  }

  /** Which subscriptions it takes and never answers. */
  SimulatedGnmiTarget hang(BiPredicate<Path, SubscriptionMode> rule) {
    hangs = rule;
    return this;
  }

  /** How many calls without an answer were open at the same time, at most. */
  int mostHanging() {
    return mostHanging.get();
  }

  SimulatedGnmiTarget password(String expected) {
    password = expected;
    return this;
  }

  SimulatedGnmiTarget tls(TestCertificates.Pem files, boolean askForCertificate) {
    tls = files;
    asksForCertificate = askForCertificate;
    return this;
  }

  /** Takes calls and sends nothing any more, as behind a dead link. */
  void mute(boolean silent) {
    mute = silent;
  }

  void withoutSync() {
    withoutSync = true;
  }

  SimulatedGnmiTarget start() {
    try {
      NettyServerBuilder builder =
          NettyServerBuilder.forAddress(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
              .maxInboundMessageSize(1 << 20)
              .intercept(new Password())
              .addService(new Service());
      if (tls != null) {
        SslContextBuilder context =
            GrpcSslContexts.configure(
                SslContextBuilder.forServer(tls.certificate().toFile(), tls.key().toFile()),
                SslProvider.JDK);
        if (asksForCertificate) {
          context.trustManager(tls.authority().toFile()).clientAuth(ClientAuth.REQUIRE);
        }
        builder.sslContext(context.build());
      }
      server = builder.build().start();
      port = server.getPort();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return port;
  }

  /** Streams that were ever opened. */
  int connections() {
    return connections;
  }

  List<SubscribeRequest> requests() {
    return requests;
  }

  /** Ends at once, as with a crash; {@link #start} begins anew on the same port. */
  void stop() {
    Server running = server;
    if (running != null) {
      running.shutdownNow();
      await(running);
    }
    streams.clear();
  }

  /** Tells its clients to go away (GOAWAY) and ends their calls. */
  void goAway() {
    Server running = server;
    if (running != null) {
      running.shutdown();
      streams.forEach(Stream::end);
      await(running);
    }
    streams.clear();
  }

  private static void await(Server running) {
    try {
      if (!running.awaitTermination(5, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the server did not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sends it on all streams as it is. */
  void send(Notification notification) {
    streams.forEach(stream -> stream.send(notification));
  }

  private void changed(List<Update> updates, List<Path> deletes) {
    streams.forEach(stream -> stream.changed(updates, deletes));
  }

  @Override
  public void close() {
    stop();
    timer.shutdownNow();
  }

  private long now() {
    Instant time = clock.instant();
    return time.getEpochSecond() * 1_000_000_000L + time.getNano();
  }

  private final class Password implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      String given = headers.get(Metadata.Key.of("password", Metadata.ASCII_STRING_MARSHALLER));
      if (password != null && !password.equals(given)) {
        call.close(Status.UNAUTHENTICATED.withDescription("no such user"), new Metadata());
        return new ServerCall.Listener<>() {};
      }
      return next.startCall(call, headers);
    }
  }

  private final class Service extends gNMIGrpc.gNMIImplBase {
    @Override
    public void capabilities(
        CapabilityRequest request, StreamObserver<CapabilityResponse> response) {
      if (mute) {
        return;
      }
      response.onNext(
          CapabilityResponse.newBuilder()
              .addAllSupportedEncodings(encodings)
              .setGNMIVersion("0.10.0")
              .build());
      response.onCompleted();
    }

    @Override
    public void get(GetRequest request, StreamObserver<GetResponse> response) {
      GetResponse.Builder answer = GetResponse.newBuilder();
      for (Path path : request.getPathList()) {
        answer.addNotification(
            Notification.newBuilder()
                .setTimestamp(now())
                .setPrefix(request.getPrefix())
                .addAllUpdate(content.read(request.getPrefix(), path)));
      }
      response.onNext(answer.build());
      response.onCompleted();
    }

    @Override
    public StreamObserver<SubscribeRequest> subscribe(StreamObserver<SubscribeResponse> response) {
      return new Stream((ServerCallStreamObserver<SubscribeResponse>) response);
    }
  }

  private final class Stream implements StreamObserver<SubscribeRequest> {
    private final ServerCallStreamObserver<SubscribeResponse> response;
    private final List<ScheduledFuture<?>> samples = new ArrayList<>();
    private @Nullable SubscribeRequest request;
    private boolean over;
    private boolean hung;

    Stream(ServerCallStreamObserver<SubscribeResponse> response) {
      this.response = response;
      response.setOnCancelHandler(this::forget);
      streams.add(this);
    }

    @Override
    public synchronized void onNext(SubscribeRequest next) {
      if (next.hasPoll()) {
        sendAll();
        return;
      }
      requests.add(next);
      connections++;
      request = next;
      for (Subscription subscription : next.getSubscribe().getSubscriptionList()) {
        Status refused = refusal.apply(subscription.getPath(), subscription.getMode());
        if (refused != null) {
          fail(refused.asRuntimeException());
          return;
        }
      }
      hung =
          next.getSubscribe().getSubscriptionList().stream()
              .anyMatch(each -> hangs.test(each.getPath(), each.getMode()));
      if (hung) {
        request = null;
        int open = hanging.incrementAndGet();
        mostHanging.accumulateAndGet(open, Math::max);
        return;
      }
      sendAll();
      switch (next.getSubscribe().getMode()) {
        case ONCE -> end();
        case STREAM -> {
          for (Subscription subscription : next.getSubscribe().getSubscriptionList()) {
            if (subscription.getMode() == SubscriptionMode.SAMPLE) {
              sample(subscription);
            }
          }
        }
        case POLL, UNRECOGNIZED -> {}
      }
    }

    private void sample(Subscription subscription) {
      long nanos = Math.max(subscription.getSampleInterval(), 10_000_000);
      samples.add(
          timer.scheduleAtFixedRate(() -> send(subscription), nanos, nanos, TimeUnit.NANOSECONDS));
    }

    private void sendAll() {
      SubscribeRequest asked = request;
      if (asked == null) {
        return;
      }
      asked.getSubscribe().getSubscriptionList().forEach(this::send);
      if (!mute && !over && !withoutSync) {
        response.onNext(SubscribeResponse.newBuilder().setSyncResponse(true).build());
      }
    }

    private synchronized void send(Subscription subscription) {
      SubscribeRequest asked = request;
      if (over || asked == null) {
        return;
      }
      Path prefix = asked.getSubscribe().getPrefix();
      try {
        List<Update> updates = content.read(prefix, subscription.getPath());
        if (!updates.isEmpty()) {
          send(
              Notification.newBuilder()
                  .setTimestamp(now())
                  .setPrefix(prefix)
                  .addAllUpdate(updates)
                  .build());
        }
      } catch (StatusRuntimeException e) {
        fail(e);
      }
    }

    synchronized void send(Notification notification) {
      if (!over && !mute) {
        response.onNext(SubscribeResponse.newBuilder().setUpdate(notification).build());
      }
    }

    synchronized void changed(List<Update> updates, List<Path> deletes) {
      SubscribeRequest asked = request;
      if (asked == null) {
        return;
      }
      for (Subscription subscription : asked.getSubscribe().getSubscriptionList()) {
        if (subscription.getMode() == SubscriptionMode.ON_CHANGE) {
          List<Update> fitting =
              updates.stream()
                  .filter(update -> LeafTree.fits(subscription.getPath(), update.getPath()))
                  .toList();
          if (!fitting.isEmpty()) {
            send(Notification.newBuilder().setTimestamp(now()).addAllUpdate(fitting).build());
          }
        }
      }
      if (!deletes.isEmpty()) {
        send(Notification.newBuilder().setTimestamp(now()).addAllDelete(deletes).build());
      }
    }

    private void fail(StatusRuntimeException why) {
      if (!over) {
        over = true;
        response.onError(why);
        forget();
      }
    }

    synchronized void end() {
      if (!over) {
        over = true;
        response.onCompleted();
        forget();
      }
    }

    private synchronized void forget() {
      if (hung) {
        hung = false;
        hanging.decrementAndGet();
      }
      samples.forEach(sample -> sample.cancel(false));
      streams.remove(this);
    }

    @Override
    public void onError(Throwable failure) {
      forget();
    }

    @Override
    public void onCompleted() {
      end();
    }
  }

  /** A target to collect from, sampled as often as a test wants. */
  GnmiTarget target(String profile, Duration interval, GnmiTarget.@Nullable Tls trust) {
    return new GnmiTarget(
        "leaf1",
        Role.LEAF,
        "127.0.0.1",
        port,
        profile,
        interval,
        Duration.ofSeconds(20),
        trust,
        null);
  }
}
