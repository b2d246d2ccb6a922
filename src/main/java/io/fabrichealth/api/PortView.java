package io.fabrichealth.api;

import io.fabrichealth.api.DeviceView.SignalsView;
import io.fabrichealth.runtime.FabricSnapshot;
import io.fabrichealth.signal.PortReadings;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Port;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A port, and what is read of it. */
record PortView(
    @Schema(description = "opaque; percent-encoded in a URL", example = "leaf1:Ethernet1/1")
        String id,
    String device,
    String port,
    @Schema(description = "nominal; null where unknown") @Nullable Long speedBitsPerSecond,
    @Nullable Integer lanes,
    @Nullable FecMode fec,
    @Nullable Media media,
    @Nullable String partNumber,
    @Nullable Integer mtu,
    @Schema(description = "false where plan or device says that it is to be down") boolean adminUp,
    @Schema(description = "other names under which devices and tools speak of it")
        List<String> aliases,
    @Schema(description = "the link that ends here") @Nullable String linkId,
    @Schema(description = "when the last pass that touched it was in hand; null where none did")
        @Nullable Instant readAt,
    @Schema(description = "null where nothing of it is read") @Nullable SignalsView coverage) {

  static PortView of(Port port, FabricSnapshot snapshot) {
    PortReadings readings = snapshot.readings().get(port.id());
    Link link = snapshot.fabric().linkAt(port.id());
    return new PortView(
        port.id().id(),
        port.id().device(),
        port.id().port(),
        port.speedBitsPerSecond() > 0 ? port.speedBitsPerSecond() : null,
        port.lanes() > 0 ? port.lanes() : null,
        port.fec() == FecMode.UNKNOWN ? null : port.fec(),
        port.media() == Media.UNKNOWN ? null : port.media(),
        port.partNumber(),
        port.mtu() > 0 ? port.mtu() : null,
        port.adminUp(),
        port.aliases(),
        link == null ? null : link.id(),
        readings == null ? null : time(readings.readNanos()),
        readings == null ? null : DeviceView.coverage(snapshot.dictionary(), List.of(readings)));
  }

  private static Instant time(long nanos) {
    return Instant.ofEpochSecond(
        Math.floorDiv(nanos, 1_000_000_000L), Math.floorMod(nanos, 1_000_000_000L));
  }
}
