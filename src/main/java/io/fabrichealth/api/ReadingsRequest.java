package io.fabrichealth.api;

import io.fabrichealth.topology.Role;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** What is said beside the readings. */
record ReadingsRequest(
    @Schema(description = "of devices that are not known yet", defaultValue = "HOST")
        @Nullable Role role) {}
