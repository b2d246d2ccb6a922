package io.fabrichealth.collect.query;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Answers queries with what a test says. */
final class FakeDatabase implements AutoCloseable {
  final List<String> forms = new ArrayList<>();
  final List<String> authorizations = new ArrayList<>();

  /** From the decoded form to the answer. */
  volatile Function<String, Answer> answers = form -> success("");

  private final HttpServer server;

  record Answer(int status, String type, String body) {}

  FakeDatabase() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/prometheus/api/v1/query", this::answer);
    server.start();
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String form =
          URLDecoder.decode(new String(exchange.getRequestBody().readAllBytes(), UTF_8), UTF_8);
      forms.add(form);
      authorizations.add(exchange.getRequestHeaders().getFirst("Authorization"));
      Answer answer = answers.apply(form);
      byte[] body = answer.body().getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", answer.type());
      exchange.sendResponseHeaders(answer.status(), body.length);
      exchange.getResponseBody().write(body);
    }
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/prometheus");
  }

  static Answer success(String result) {
    return json(
        200,
        "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":["
            + result
            + "]}}");
  }

  static Answer json(int status, String body) {
    return new Answer(status, "application/json", body);
  }

  /**
   * @param labels as JSON, without braces
   * @param samples as JSON, without the outer brackets
   */
  static String series(String metric, String labels, String samples) {
    return "{\"metric\":{\"__name__\":\"%s\",%s},\"values\":[%s]}"
        .formatted(metric, labels, samples);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
