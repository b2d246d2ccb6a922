package io.fabrichealth.api;

import io.fabrichealth.api.ApiProblem.Kind;
import io.fabrichealth.collect.push.PushException;
import io.fabrichealth.collect.push.PushReceiver;
import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Where Prometheus and vmagent write to. A sender drops what is answered with 4xx and sends again
 * what is answered with 5xx, so only the latter is used where nothing is wrong with the request.
 */
@Hidden
@RestController
class RemoteWriteController {
  private final PushReceiver receiver;

  RemoteWriteController(PushReceiver receiver) {
    this.receiver = receiver;
  }

  @PostMapping("/api/v1/write")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void write(
      @RequestHeader(name = HttpHeaders.CONTENT_TYPE, defaultValue = "") String type,
      @RequestHeader(name = HttpHeaders.CONTENT_ENCODING, defaultValue = "") String encoding,
      HttpServletRequest request)
      throws IOException {
    try {
      receiver.remoteWrite(type, encoding, request.getInputStream());
    } catch (PushException refused) {
      throw new ApiProblem(kind(refused.code()), String.valueOf(refused.getMessage()), List.of());
    }
  }

  static Kind kind(PushException.Code code) {
    return switch (code) {
      case MALFORMED -> Kind.BAD_REQUEST;
      case TOO_LARGE -> Kind.TOO_LARGE;
      case UNSUPPORTED -> Kind.UNSUPPORTED_MEDIA_TYPE;
      case BUSY -> Kind.BUSY;
    };
  }
}
