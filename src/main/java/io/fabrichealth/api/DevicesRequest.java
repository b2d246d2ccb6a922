package io.fabrichealth.api;

import io.fabrichealth.topology.Device;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which devices to list; a filter that is not given does not restrict. */
record DevicesRequest(
    @Schema(allowableValues = {"host", "leaf", "spine", "core", "switch"})
        @Nullable Set<@Pattern(regexp = "host|leaf|spine|core|switch") String> role,
    @Min(value = 1, message = PageRequest.LIMIT_MESSAGE)
        @Max(value = PageRequest.LARGEST, message = PageRequest.LIMIT_MESSAGE)
        @Schema(defaultValue = "100")
        @Nullable Integer limit,
    @Schema(description = "nextCursor of the page before") @Nullable String cursor) {

  PageRequest page() {
    return PageRequest.of(limit, cursor, "devices " + role);
  }

  boolean matches(Device device) {
    return PageRequest.allows(role, device.role().name().toLowerCase(Locale.ROOT));
  }
}
