package io.fabrichealth.api;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which part of the fabric to draw. */
record GraphRequest(
    @Schema(description = "these devices and what they are wired to; else all")
        @Nullable Set<String> device,
    @Min(value = 1, message = PageRequest.LIMIT_MESSAGE)
        @Max(value = PageRequest.LARGEST, message = PageRequest.LIMIT_MESSAGE)
        @Schema(
            description =
                "most devices to draw; where there are more, hosts whose links are healthy are left"
                    + " out first, then leaves",
            defaultValue = "200")
        @Nullable Integer limit) {
  private static final int READABLE = 200;

  int most() {
    return limit == null ? READABLE : limit;
  }
}
