package io.fabrichealth.api;

import io.fabrichealth.topology.EndsComparison.Mismatch;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.PortProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Something that the two ends of a link do not have alike. */
record MismatchView(
    PortProperty what,
    @Schema(description = "what end a has") String a,
    @Schema(description = "what end b has") String b,
    @Schema(description = "what the plan has, where it has one value for the link; else null")
        @Nullable String planned) {

  static MismatchView of(Mismatch mismatch, Link link, Fabric plan) {
    Set<String> planned = new LinkedHashSet<>();
    for (PortId end : link.ends()) {
      Port port = plan.port(end);
      String value = port == null ? null : value(port, mismatch.what());
      if (value != null) {
        planned.add(value);
      }
    }
    return new MismatchView(
        mismatch.what(),
        mismatch.a(),
        mismatch.b(),
        planned.size() == 1 ? planned.iterator().next() : null);
  }

  private static @Nullable String value(Port port, PortProperty what) {
    return switch (what) {
      case SPEED_BITS_PER_SECOND -> number(port.speedBitsPerSecond());
      case LANES -> number(port.lanes());
      case FEC -> port.fec() == FecMode.UNKNOWN ? null : port.fec().name();
      case MTU_BYTES -> number(port.mtu());
    };
  }

  private static @Nullable String number(long value) {
    return value == 0 ? null : Long.toString(value);
  }
}
