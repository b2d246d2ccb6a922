package io.fabrichealth.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks a running service, with URLs sent as they are written. */
public final class Http {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

  private final String base;

  public Http(int port) {
    base = "http://127.0.0.1:" + port;
  }

  /** An answer. */
  public record Answer(HttpResponse<String> response) {
    public int status() {
      return response.statusCode();
    }

    public String header(String name) {
      return response.headers().firstValue(name).orElse(null);
    }

    public String text() {
      return response.body();
    }

    public JsonNode json() {
      return JSON.readTree(response.body());
    }
  }

  /**
   * @param headers names and values in turn
   */
  public Answer get(String pathAndQuery, String... headers) {
    return send("GET", pathAndQuery, headers);
  }

  public Answer send(String method, String pathAndQuery, String... headers) {
    return send(method, pathAndQuery, HttpRequest.BodyPublishers.noBody(), headers);
  }

  /**
   * @param headers names and values in turn
   */
  public Answer post(String pathAndQuery, byte[] body, String... headers) {
    return send("POST", pathAndQuery, HttpRequest.BodyPublishers.ofByteArray(body), headers);
  }

  /** Sends a document of the given media type. */
  public Answer sendBody(String method, String pathAndQuery, String mediaType, String body) {
    return send(
        method, pathAndQuery, HttpRequest.BodyPublishers.ofString(body), "Content-Type", mediaType);
  }

  private Answer send(
      String method, String pathAndQuery, HttpRequest.BodyPublisher body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + pathAndQuery))
            .timeout(Duration.ofSeconds(20))
            .method(method, body);
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return new Answer(CLIENT.send(request.build(), BodyHandlers.ofString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Percent-encodes one segment of a path, slashes and colons too. */
  public static String segment(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
