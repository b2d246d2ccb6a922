package io.fabrichealth.notify;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Posts a body to a receiver, once, and says what came of it. */
final class Post {
  private static final String ALGORITHM = "HmacSHA256";
  private static final Duration CONNECT = Duration.ofSeconds(5);

  private final HttpClient client =
      HttpClient.newBuilder()
          .connectTimeout(CONNECT)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();

  /** What came of it. */
  sealed interface Outcome {
    /** The receiver has it. */
    record Taken() implements Outcome {}

    /** It may be taken later. */
    record Failed(String reason) implements Outcome {}

    /** The receiver will never take it. */
    record Refused(String reason) implements Outcome {}
  }

  /**
   * Sends a body.
   *
   * @param headers beside those of the receiver
   */
  Outcome send(Receiver receiver, URI url, byte[] body, Map<String, String> headers)
      throws InterruptedException {
    try {
      String refusal = AddressGuard.refusal(url.getHost(), receiver.allowPrivate());
      if (refusal != null) {
        return new Outcome.Failed("address refused: " + refusal);
      }
      HttpRequest.Builder request =
          HttpRequest.newBuilder(url)
              .timeout(receiver.timeout())
              .header("Content-Type", "application/json")
              .header("User-Agent", "fabric-health")
              .POST(HttpRequest.BodyPublishers.ofByteArray(body));
      headers.forEach(request::header);
      if (receiver.authorization() != null) {
        request.header("Authorization", receiver.authorization());
      }
      HttpResponse<InputStream> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      // Not read: an answer says nothing that is needed, and may be without end.
      answer.body().close();
      return outcome(answer.statusCode());
    } catch (UnknownHostException e) {
      return new Outcome.Failed("unknown host " + url.getHost());
    } catch (IOException e) {
      return new Outcome.Failed(e.getClass().getSimpleName() + ": " + e.getMessage());
    }
  }

  /** A receiver that is set up wrongly may be mended; a body that it does not like is not. */
  private static Outcome outcome(int status) {
    if (status / 100 == 2) {
      return new Outcome.Taken();
    }
    boolean bodyIsToBlame =
        switch (status) {
          case 401, 403, 404, 407, 408, 425, 429 -> false;
          default -> status / 100 == 4;
        };
    return bodyIsToBlame
        ? new Outcome.Refused("status " + status)
        : new Outcome.Failed("status " + status);
  }

  /**
   * The signature of a body: HMAC-SHA256 (RFC 2104) over the time in seconds since 1970, a dot and
   * the body, in hexadecimal digits.
   */
  static String signature(String secret, Instant at, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
      mac.update((at.getEpochSecond() + ".").getBytes(StandardCharsets.UTF_8));
      return "sha256=" + HexFormat.of().formatHex(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java runtime has " + ALGORITHM, e);
    }
  }
}
