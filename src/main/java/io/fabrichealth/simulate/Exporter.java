package io.fabrichealth.simulate;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabrichealth.topology.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * The exporter of one simulated host: {@code GET /metrics} on a free TCP port of the loopback
 * interface.
 */
public final class Exporter implements AutoCloseable {
  private static final String PATH = "/metrics";

  private final Address address;
  private final HttpServer server;
  private final ExecutorService executor;

  /** Where and as what the exporter is reached. */
  public record Address(String device, Role role, URI url) {}

  private Exporter(Address address, HttpServer server, ExecutorService executor) {
    this.address = address;
    this.server = server;
    this.executor = executor;
  }

  /**
   * Opens the socket and answers from then on.
   *
   * @throws UncheckedIOException where no socket can be had
   */
  static Exporter start(String device, Supplier<String> page) {
    try {
      HttpServer server = HttpServer.create(new InetSocketAddress(DemoFabric.LOOPBACK, 0), 0);
      ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
      server.setExecutor(executor);
      server.createContext(PATH, exchange -> answer(exchange, page));
      server.start();
      URI url =
          URI.create("http://" + DemoFabric.LOOPBACK + ":" + server.getAddress().getPort() + PATH);
      return new Exporter(new Address(device, Role.HOST, url), server, executor);
    } catch (IOException e) {
      throw new UncheckedIOException("no TCP socket on loopback for the host " + device, e);
    }
  }

  Address address() {
    return address;
  }

  @Override
  public void close() {
    server.stop(0);
    executor.shutdownNow();
  }

  private static void answer(HttpExchange exchange, Supplier<String> page) throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().equals("GET")) {
        exchange.sendResponseHeaders(405, -1);
        return;
      }
      byte[] body = page.get().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }
}
