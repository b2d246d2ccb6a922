package io.fabrichealth.api;

import io.fabrichealth.latency.LatencyMatrix;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** By what endpoints are put together. */
record LatencyMatrixRequest(
    @Schema(
            description =
                "each port by itself, by host, by the leaf that it is wired to, or by rail",
            defaultValue = "HOST")
        LatencyMatrix.@Nullable Level level) {

  LatencyMatrix.Level levelOrDefault() {
    return level == null ? LatencyMatrix.Level.HOST : level;
  }
}
