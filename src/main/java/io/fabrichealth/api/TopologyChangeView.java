package io.fabrichealth.api;

import io.fabrichealth.runtime.RecentEvent;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Something that changed in what the devices say. */
record TopologyChangeView(
    Instant at,
    String device,
    @Schema(description = "null where it is of the device") @Nullable String port,
    @Schema(example = "link_moved") String event,
    String detail) {

  static TopologyChangeView of(RecentEvent event) {
    return new TopologyChangeView(
        event.at(), event.device(), event.port(), event.event(), event.detail());
  }
}
