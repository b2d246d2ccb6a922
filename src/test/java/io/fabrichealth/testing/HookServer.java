package io.fabrichealth.testing;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executors;

/** A server on the loopback that takes what is posted, and answers as a test wants. */
public final class HookServer implements AutoCloseable {
  private final HttpServer server;
  private final List<Posted> posted = new ArrayList<>();
  private final Deque<Integer> answers = new ArrayDeque<>();
  private volatile Duration delay = Duration.ZERO;

  /** What came in, and how it was answered. */
  public record Posted(
      String path, String id, String timestamp, String signature, String body, int status) {}

  public HookServer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          String body = new String(exchange.getRequestBody().readAllBytes());
          int status = next();
          var headers = exchange.getRequestHeaders();
          synchronized (posted) {
            posted.add(
                new Posted(
                    exchange.getRequestURI().getPath(),
                    headers.getFirst("X-Delivery-Id"),
                    headers.getFirst("X-Delivery-Timestamp"),
                    headers.getFirst("X-Signature-256"),
                    body,
                    status));
          }
          try {
            Thread.sleep(delay);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          exchange.getResponseHeaders().set("Location", url() + "/elsewhere");
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    server.start();
  }

  private synchronized int next() {
    Integer answer = answers.poll();
    return answer == null ? 204 : answer;
  }

  /** Statuses of the next answers; 204 after them. */
  public synchronized void answer(int... statuses) {
    for (int status : statuses) {
      answers.add(status);
    }
  }

  public void delay(Duration each) {
    delay = each;
  }

  public URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  public List<Posted> posted() {
    synchronized (posted) {
      return List.copyOf(posted);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
