package io.fabrichealth.collect.gnmi;

import io.fabrichealth.collect.CollectException;
import io.grpc.ClientInterceptor;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Makes the connections to all targets, and holds the threads that they share. */
final class Channels implements AutoCloseable {
  private static final int EVENT_LOOPS = 2;

  /** A snapshot of a whole box comes as one message; gRPC's own limit is 4 MiB. */
  private static final int LARGEST_MESSAGE = 64 << 20;

  /**
   * Servers of grpc-go close the connection (GOAWAY, too_many_pings) of a client that pings more
   * often than every five minutes. A silent device is noticed by the age of its data anyway.
   */
  private static final int KEEP_ALIVE_MINUTES = 6;

  private static final int KEEP_ALIVE_TIMEOUT_SECONDS = 20;

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(
          EVENT_LOOPS, new DefaultThreadFactory("gnmi", true), NioIoHandler.newFactory());
  private final ExecutorService callbacks =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("gnmi-call-", 0).factory());

  /**
   * A new connection; it is made with the first call.
   *
   * @param tls null for one without encryption
   */
  ManagedChannel open(GnmiTarget target, @Nullable TlsFiles tls) throws CollectException {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(target.address(), target.port())
            .eventLoopGroup(loops)
            .channelType(NioSocketChannel.class)
            .withOption(
                ChannelOption.CONNECT_TIMEOUT_MILLIS,
                (int) Math.min(Integer.MAX_VALUE, target.timeout().toMillis()))
            .executor(callbacks)
            .offloadExecutor(callbacks)
            .proxyDetector(address -> null)
            .maxInboundMessageSize(LARGEST_MESSAGE)
            .keepAliveTime(KEEP_ALIVE_MINUTES, TimeUnit.MINUTES)
            .keepAliveTimeout(KEEP_ALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
            .keepAliveWithoutCalls(false)
            .disableRetry();
    if (tls == null) {
      builder.usePlaintext();
    } else {
      builder.sslContext(tls.context());
      String serverName = tls.serverName();
      if (serverName != null) {
        builder.overrideAuthority(serverName);
      }
    }
    if (target.user() != null) {
      builder.intercept(credentials(target.user()));
    }
    return builder.build();
  }

  /** gNMI authentication: name and password as metadata of each call. */
  private static ClientInterceptor credentials(GnmiTarget.User user) {
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("username", Metadata.ASCII_STRING_MARSHALLER), user.name());
    headers.put(Metadata.Key.of("password", Metadata.ASCII_STRING_MARSHALLER), user.password());
    return MetadataUtils.newAttachHeadersInterceptor(headers);
  }

  @Override
  public void close() {
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    callbacks.shutdown();
  }
}
