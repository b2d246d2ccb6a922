package io.fabrichealth.api;

import io.fabrichealth.api.ApiProblem.Kind;
import io.fabrichealth.collect.push.OtlpEncoding;
import io.fabrichealth.collect.push.PushException;
import io.fabrichealth.collect.push.PushReceiver;
import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Where OpenTelemetry collectors export metrics to: under the path of the protocol, and under that
 * of Prometheus' receiver. Answers are what the protocol has, problems too.
 */
@Hidden
@RestController
@RequestMapping({"/v1/metrics", "/api/v1/otlp/v1/metrics"})
class OtlpController {
  private static final String PROTOBUF = "application/x-protobuf";
  private static final String RETRY_AFTER_SECONDS = "2";

  private final PushReceiver receiver;

  OtlpController(PushReceiver receiver) {
    this.receiver = receiver;
  }

  @PostMapping(consumes = PROTOBUF)
  ResponseEntity<byte[]> protobuf(
      @RequestHeader(name = HttpHeaders.CONTENT_ENCODING, defaultValue = "") String packed,
      HttpServletRequest request)
      throws IOException {
    return take(OtlpEncoding.PROTOBUF, MediaType.parseMediaType(PROTOBUF), packed, request);
  }

  @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<byte[]> json(
      @RequestHeader(name = HttpHeaders.CONTENT_ENCODING, defaultValue = "") String packed,
      HttpServletRequest request)
      throws IOException {
    return take(OtlpEncoding.JSON, MediaType.APPLICATION_JSON, packed, request);
  }

  private ResponseEntity<byte[]> take(
      OtlpEncoding encoding, MediaType type, String packed, HttpServletRequest request)
      throws IOException {
    try {
      byte[] answer = receiver.otlp(encoding, packed, request.getInputStream());
      return ResponseEntity.ok().contentType(type).body(answer);
    } catch (PushException refused) {
      Kind kind = RemoteWriteController.kind(refused.code());
      ResponseEntity.BodyBuilder answer = ResponseEntity.status(kind.status()).contentType(type);
      if (kind == Kind.BUSY) {
        answer.header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
      }
      return answer.body(encoding.failure(String.valueOf(refused.getMessage())));
    }
  }
}
