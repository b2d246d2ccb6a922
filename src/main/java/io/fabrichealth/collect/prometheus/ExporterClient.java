package io.fabrichealth.collect.prometheus;

import io.fabrichealth.collect.CollectException;
import io.fabrichealth.collect.FailureCode;
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
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

  /** With which the query API of Prometheus refuses: bad data, cannot be executed, timed out. */
  private static final Set<Integer> REFUSED_FORM = Set.of(400, 422, 503);

  private static final int GZIP_BUFFER_BYTES = 8 * 1024;

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
    send(target, request(target, limit).header("Accept", ACCEPT).build(), limit, reader);
  }

  /**
   * Sends a form and reads the answer in JSON; that to a form that is refused says why, so it is
   * read too.
   *
   * @param limit for all of it
   * @throws CollectException where the answer did not come in whole; the reader may have had part
   *     of it
   */
  void post(PrometheusTarget target, String form, Duration limit, BodyReader reader)
      throws CollectException, InterruptedException {
    HttpRequest request =
        request(target, limit)
            .header("Accept", "application/json")
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form))
            .build();
    send(target, request, limit, reader);
  }

  private void send(PrometheusTarget target, HttpRequest request, Duration limit, BodyReader reader)
      throws CollectException, InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    HttpResponse<InputStream> response;
    try {
      response = clients.of(target).send(request, HttpResponse.BodyHandlers.ofInputStream());
    } catch (IOException e) {
      throw failure(target, limit, e, FailureCode.UNREACHABLE);
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
      if (!saysWhy(response)) {
        checkStatus(target, response.statusCode());
      }
      read(response, target.maxBytes(), reader);
    } catch (IOException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      throw late.get()
          ? failure(target, limit, new HttpTimeoutException("late"), FailureCode.TIMEOUT)
          : failure(target, limit, e, FailureCode.PARTIAL);
    } finally {
      alarm.cancel(false);
      // Closing a body that is not read to its end closes the connection.
      closeQuietly(raw);
    }
  }

  private static boolean saysWhy(HttpResponse<?> response) {
    String type = response.headers().firstValue("Content-Type").orElse("");
    return response.request().method().equals("POST")
        && REFUSED_FORM.contains(response.statusCode())
        && type.startsWith("application/json");
  }

  private static HttpRequest.Builder request(PrometheusTarget target, Duration limit)
      throws CollectException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target.url()).timeout(limit).header("Accept-Encoding", "gzip");
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
    return request;
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
          reader.read(
              new LimitedInputStream(new GunzipInputStream(body, GZIP_BUFFER_BYTES), maxBytes),
              type);
      default -> throw new ProtocolException("Content-Encoding is neither gzip nor identity");
    }
  }

  /** What an exception means; {@code otherwise} where it says no more than that it broke. */
  private static CollectException failure(
      PrometheusTarget target, Duration limit, IOException cause, FailureCode otherwise) {
    String where = target.device() + ": " + target.address() + " ";
    FailureCode code;
    String what;
    switch (cause) {
      case HttpTimeoutException e -> {
        code = FailureCode.TIMEOUT;
        what = "gave no whole page in " + limit.toMillis() + " ms";
      }
      case LimitedInputStream.TooLargeException e -> {
        code = FailureCode.TOO_LARGE;
        what = "gave a page " + e.getMessage();
      }
      case UnreadableAuthorityException e -> {
        code = FailureCode.TLS;
        what = "cannot be trusted: " + e.getMessage();
      }
      case SSLException e -> {
        code = FailureCode.TLS;
        what = "failed to set up TLS: " + e.getMessage();
      }
      case ConnectException e when isUnresolved(e) -> {
        code = FailureCode.UNKNOWN_HOST;
        what = "has a name that cannot be resolved";
      }
      case ConnectException e -> {
        code = FailureCode.UNREACHABLE;
        what = "cannot be connected to: nobody listens, or the network says no";
      }
      case ZipException e -> {
        code = FailureCode.MALFORMED;
        what = "sent gzip that cannot be unpacked: " + e.getMessage();
      }
      case ProtocolException e -> {
        code = FailureCode.MALFORMED;
        what = "broke the protocol: " + e.getMessage();
      }
      default -> {
        code = otherwise;
        what = "broke off: " + cause.getMessage();
      }
    }
    return new CollectException(code, where + what, cause);
  }

  private static boolean isUnresolved(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException || cause instanceof UnknownHostException) {
        return true;
      }
    }
    return false;
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
