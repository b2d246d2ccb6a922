package io.fabrichealth.api;

import io.fabrichealth.topology.Port;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which ports to list; a filter that is not given does not restrict. */
record PortsRequest(
    @Nullable Set<String> device,
    @Min(value = 1, message = PageRequest.LIMIT_MESSAGE)
        @Max(value = PageRequest.LARGEST, message = PageRequest.LIMIT_MESSAGE)
        @Schema(defaultValue = "100")
        @Nullable Integer limit,
    @Schema(description = "nextCursor of the page before") @Nullable String cursor) {

  PageRequest page() {
    return PageRequest.of(limit, cursor, "ports " + device);
  }

  boolean matches(Port port) {
    return PageRequest.allows(device, port.id().device());
  }
}
