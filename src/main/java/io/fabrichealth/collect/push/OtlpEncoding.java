package io.fabrichealth.collect.push;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.Status;
import io.fabrichealth.collect.push.PushException.Code;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsPartialSuccess;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * How messages of OTLP/HTTP are written.
 *
 * @see <a href="https://opentelemetry.io/docs/specs/otlp/#otlphttp">OTLP/HTTP</a>
 */
public enum OtlpEncoding {
  PROTOBUF,
  JSON;

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  ExportMetricsServiceRequest decode(byte[] body) throws PushException {
    try {
      return switch (this) {
        case PROTOBUF -> ExportMetricsServiceRequest.parseFrom(body);
        case JSON -> OtlpJson.request(MAPPER.readTree(body));
      };
    } catch (InvalidProtocolBufferException e) {
      throw malformed(e.getMessage());
    } catch (JacksonException e) {
      throw malformed(e.getOriginalMessage());
    } catch (IllegalArgumentException e) {
      throw malformed(e.getMessage());
    }
  }

  private static PushException malformed(@Nullable String why) {
    return new PushException(Code.MALFORMED, "the body is no ExportMetricsServiceRequest: " + why);
  }

  /**
   * The body of an answer to what was taken.
   *
   * @param rejected data points that were not
   * @param why for people; empty where all were taken
   */
  byte[] success(long rejected, String why) {
    return switch (this) {
      case PROTOBUF -> {
        ExportMetricsServiceResponse.Builder answer = ExportMetricsServiceResponse.newBuilder();
        if (rejected > 0) {
          answer.setPartialSuccess(
              ExportMetricsPartialSuccess.newBuilder()
                  .setRejectedDataPoints(rejected)
                  .setErrorMessage(why));
        }
        yield answer.build().toByteArray();
      }
      case JSON -> {
        ObjectNode answer = MAPPER.createObjectNode();
        if (rejected > 0) {
          // 64-bit integers are strings in the JSON form of protobuf.
          answer
              .putObject("partialSuccess")
              .put("rejectedDataPoints", Long.toString(rejected))
              .put("errorMessage", why);
        }
        yield answer.toString().getBytes(StandardCharsets.UTF_8);
      }
    };
  }

  /** The body of an answer to what was not taken: a {@code google.rpc.Status}. */
  public byte[] failure(String why) {
    return switch (this) {
      case PROTOBUF -> Status.newBuilder().setMessage(why).build().toByteArray();
      case JSON ->
          MAPPER.createObjectNode().put("message", why).toString().getBytes(StandardCharsets.UTF_8);
    };
  }
}
