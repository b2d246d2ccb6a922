package io.fabrichealth.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is wired to what, as the record of a capture says it; what is not known is left out. */
@Schema(description = "the topology record of a capture; what is not known is left out")
record TopologyView(
    Instant at,
    List<DeviceRecordView> devices,
    List<PortRecordView> ports,
    List<LinkRecordView> links) {

  /** A switch or host. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record DeviceRecordView(
      String name,
      @Schema(allowableValues = {"host", "leaf", "spine", "core", "switch"}) String role,
      @Nullable String vendor,
      @Nullable String model,
      @Nullable Integer rail,
      @Nullable Integer plane,
      @Nullable Map<String, Integer> counterBits,
      @Schema(description = "the least and the most corrected symbols of each bin")
          @Nullable List<List<Integer>> fecBins) {

    static DeviceRecordView of(Device device) {
      return new DeviceRecordView(
          device.name(),
          label(device.role()),
          device.vendor(),
          device.model(),
          device.rail(),
          device.plane(),
          device.counterBits().isEmpty() ? null : device.counterBits(),
          device.fecBins().isEmpty()
              ? null
              : device.fecBins().stream().map(bin -> List.of(bin.least(), bin.most())).toList());
    }
  }

  /** A port. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record PortRecordView(
      String device,
      String name,
      @Nullable Long speedBitsPerSecond,
      @Nullable Integer lanes,
      @Nullable FecMode fec,
      @Schema(allowableValues = {"optical", "aoc", "dac", "aec", "backplane"})
          @Nullable String media,
      @Nullable String partNumber,
      @Nullable Integer mtu,
      @Schema(allowableValues = {"up", "down"}) String admin,
      @Schema(description = "other names of the port") @Nullable List<String> aliases) {

    static PortRecordView of(Port port) {
      return new PortRecordView(
          port.id().device(),
          port.id().port(),
          port.speedBitsPerSecond() == 0 ? null : port.speedBitsPerSecond(),
          port.lanes() == 0 ? null : port.lanes(),
          port.fec() == FecMode.UNKNOWN ? null : port.fec(),
          port.media() == Media.UNKNOWN ? null : label(port.media()),
          port.partNumber(),
          port.mtu() == 0 ? null : port.mtu(),
          port.adminUp() ? "up" : "down",
          port.aliases().isEmpty() ? null : port.aliases());
    }
  }

  /**
   * A link.
   *
   * @param b null for a half-link
   */
  record LinkRecordView(
      String id,
      PortIdView a,
      @Nullable PortIdView b,
      @Schema(allowableValues = {"host-leaf", "leaf-spine", "spine-core", "other"}) String tier,
      @Nullable Integer rail) {

    static LinkRecordView of(Link link) {
      PortId b = link.b();
      return new LinkRecordView(
          link.id(),
          PortIdView.of(link.a()),
          b == null ? null : PortIdView.of(b),
          link.tier().label(),
          link.rail());
    }
  }

  static TopologyView of(Fabric fabric, Instant at) {
    return new TopologyView(
        at,
        fabric.devices().stream().map(DeviceRecordView::of).toList(),
        fabric.ports().stream().map(PortRecordView::of).toList(),
        fabric.links().stream().map(LinkRecordView::of).toList());
  }

  private static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
