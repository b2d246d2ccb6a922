package io.fabrichealth.signal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What has to outlive a restart of what one collector reads of one device. */
public record DeviceBaselines(
    String device,
    String collector,
    @Nullable String boot,
    long lastAtNanos,
    long lastTimeNanos,
    long typicalNanos,
    List<PortBaselines> ports) {
  public DeviceBaselines {
    ports = List.copyOf(ports);
  }
}
