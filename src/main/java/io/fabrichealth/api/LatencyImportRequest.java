package io.fabrichealth.api;

import io.fabrichealth.collect.probes.ProbeFormat;
import io.fabrichealth.latency.ProbeSample.Endpoint;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Whose output is sent, and between whom it was measured. */
record LatencyImportRequest(
    @NotNull @Schema(description = "what printed it") ProbeFormat format,
    @NotBlank @Schema(description = "device where the tool ran", example = "gpu-001") String src,
    @Schema(description = "its port", example = "mlx5_0/1") @Nullable String srcPort,
    @Schema(description = "device that it sent to; needed where the output does not tell")
        @Nullable String dst,
    @Schema(description = "its port") @Nullable String dstPort,
    @Schema(description = "when it ended; now where it is not given") @Nullable Instant at) {

  Endpoint source() {
    return new Endpoint(src, srcPort);
  }

  @Nullable Endpoint destination() {
    return dst == null ? null : new Endpoint(dst, dstPort);
  }
}
