package io.fabrichealth.collect.prometheus;

import io.fabrichealth.collect.CollectException;
import io.fabrichealth.collect.FailureCode;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.UnknownHostException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Fetches pages over HTTP(S), for all targets at once. A page has until its time limit to come in
 * whole, however it trickles, and is cut at its size limit. Redirects are not followed, so
 * credentials go to nobody but the target.
 */
final class ExporterClient implements AutoCloseable {
  private static final String ACCEPT =
      "text/plain;version=0.0.4,application/openmetrics-text;version=1.0.0;q=0.5,*/*;q=0.1";

  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final TrustedClients clients = new TrustedClients(executor);
  private final ScheduledExecutorService watchdog =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("scrape-watchdog").factory());

  /** Reads a body; what it throws ends the fetch. */
  interface BodyReader {
    void read(InputStream body, String contentType) throws IOException;
  }

  /**
   * Fetches one page.
   *
   * @param limit for all of it
   * @throws CollectException where the page did not come in whole; the reader may have had part of
   *     it
   */
  void fetch(PrometheusTarget target, Duration limit, BodyReader reader)
      throws CollectException, InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    HttpRequest request = request(target, limit);
    HttpResponse<InputStream> response;
    try {
      response = clients.of(target).send(request, HttpResponse.BodyHandlers.ofInputStream());
    } catch (IOException e) {
      throw failure(target, limit, e, false);
    }
    AtomicBoolean late = new AtomicBoolean();
    InputStream raw = response.body();
    ScheduledFuture<?> alarm =
        watchdog.schedule(
            () -> {
              late.set(true);
              closeQuietly(raw);
            },
            end - System.nanoTime(),
            TimeUnit.NANOSECONDS);
    try {
      checkStatus(target, response.statusCode());
      read(response, target.maxBytes(), reader);
    } catch (IOException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      throw failure(target, limit, e, late.get());
    } finally {
      alarm.cancel(false);
      // Closing a body that is not read to its end closes the connection.
      closeQuietly(raw);
    }
  }

  private static HttpRequest request(PrometheusTarget target, Duration limit)
      throws CollectException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target.url())
            .timeout(limit)
            .header("Accept", ACCEPT)
            .header("Accept-Encoding", "gzip");
    String credentials = credentials(target);
    if (credentials != null) {
      try {
        request.header("Authorization", credentials);
      } catch (IllegalArgumentException e) {
        // Without the cause: its message holds the secret.
        throw new CollectException(
            FailureCode.AUTHENTICATION,
            target.device() + ": the bearer token holds characters that a header cannot",
            null);
      }
    }
    return request.build();
  }

  private static @Nullable String credentials(PrometheusTarget target) {
    if (target.bearerToken() != null) {
      return "Bearer " + target.bearerToken().strip();
    }
    PrometheusTarget.Basic basic = target.basic();
    if (basic == null) {
      return null;
    }
    byte[] pair = (basic.user() + ":" + basic.password()).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(pair);
  }

  private static void checkStatus(PrometheusTarget target, int status) throws CollectException {
    if (status == 200) {
      return;
    }
    boolean refused = status == 401 || status == 403;
    String hint =
        refused
            ? ": the credentials are refused"
            : status >= 300 && status < 400 ? ": redirects are not followed" : "";
    throw new CollectException(
        refused ? FailureCode.AUTHENTICATION : FailureCode.HTTP_STATUS,
        "%s: %s answered HTTP status %d%s"
            .formatted(target.device(), target.address(), status, hint),
        null);
  }

  private static void read(HttpResponse<InputStream> response, long maxBytes, BodyReader reader)
      throws IOException {
    String type = response.headers().firstValue("Content-Type").orElse("");
    String encoding = response.headers().firstValue("Content-Encoding").orElse("identity");
    InputStream body = new LimitedInputStream(response.body(), maxBytes);
    switch (encoding) {
      case "identity" -> reader.read(body, type);
      case "gzip" ->
          reader.read(new LimitedInputStream(new GZIPInputStream(body, 4096), maxBytes), type);
      default -> throw new ProtocolException("Content-Encoding is neither gzip nor identity");
    }
  }

  private static CollectException failure(
      PrometheusTarget target, Duration limit, IOException cause, boolean late) {
    String where = target.device() + ": " + target.address() + " ";
    if (late || cause instanceof HttpTimeoutException) {
      return new CollectException(
          FailureCode.TIMEOUT, where + "gave no whole page in " + limit.toMillis() + " ms", cause);
    }
    return switch (cause) {
      case LimitedInputStream.TooLargeException e ->
          new CollectException(FailureCode.TOO_LARGE, where + "gave a page " + e.getMessage(), e);
      case UnreadableAuthorityException e ->
          new CollectException(FailureCode.TLS, where + e.getMessage(), e);
      case SSLException e ->
          new CollectException(FailureCode.TLS, where + "TLS failed: " + e.getMessage(), e);
      case UnknownHostException e -> unknownHost(target, e);
      case ConnectException e when e.getCause() instanceof UnresolvedAddressException ->
          unknownHost(target, e);
      case ConnectException e ->
          new CollectException(
              FailureCode.UNREACHABLE, where + "is not reached: nobody listens", e);
      case ZipException e ->
          new CollectException(FailureCode.MALFORMED, where + "sent broken gzip", e);
      case ProtocolException e ->
          new CollectException(
              FailureCode.MALFORMED, where + "broke the protocol: " + e.getMessage(), e);
      case EOFException e ->
          new CollectException(FailureCode.PARTIAL, where + "closed in the middle of the page", e);
      default ->
          new CollectException(
              isCutBody(cause) ? FailureCode.PARTIAL : FailureCode.UNREACHABLE,
              where + "broke off: " + cause.getMessage(),
              cause);
    };
  }

  private static CollectException unknownHost(PrometheusTarget target, IOException cause) {
    return new CollectException(
        FailureCode.UNKNOWN_HOST,
        "%s: the name %s cannot be resolved".formatted(target.device(), target.url().getHost()),
        cause);
  }

  /** Whether headers had come: the client says it by its message alone. */
  private static boolean isCutBody(IOException cause) {
    String message = String.valueOf(cause.getMessage());
    return message.contains("fixed content-length") || message.contains("chunked transfer");
  }

  private static void closeQuietly(InputStream body) {
    try {
      body.close();
    } catch (IOException e) {
      // The connection is given up anyway; the outcome has been decided.
    }
  }

  @Override
  public void close() {
    watchdog.shutdownNow();
    clients.close();
    executor.shutdownNow();
  }
}
