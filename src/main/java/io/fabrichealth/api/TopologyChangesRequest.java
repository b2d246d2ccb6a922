package io.fabrichealth.api;

import io.fabrichealth.runtime.RecentEvent;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which changes to list, the newest first; a filter that is not given does not restrict. */
record TopologyChangesRequest(
    @Nullable Set<String> device,
    @Schema(description = "such as link_moved or reboot") @Nullable Set<String> event,
    @Min(value = 1, message = PageRequest.LIMIT_MESSAGE)
        @Max(value = PageRequest.LARGEST, message = PageRequest.LIMIT_MESSAGE)
        @Schema(defaultValue = "100")
        @Nullable Integer limit,
    @Schema(description = "nextCursor of the page before") @Nullable String cursor) {

  PageRequest page() {
    return PageRequest.of(limit, cursor, "changes " + device + " " + event);
  }

  boolean matches(RecentEvent one) {
    return PageRequest.allows(device, one.device()) && PageRequest.allows(event, one.event());
  }
}
