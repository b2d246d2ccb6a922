package io.fabrichealth.detect;

import io.fabrichealth.finding.Finding;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.PortId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One device after a poll, and what is known of the others. */
public interface DeviceView {

  /** The time of this poll, as the reader had it in hand. */
  Instant at();

  Fabric fabric();

  Device device();

  String collector();

  /** Whether the pass ended as it should; what an incomplete one read is good all the same. */
  boolean isComplete();

  /** The ports that this poll read. */
  List<SignalWindow> read();

  /** The signals of any port, as of its own last poll; null where it was never read. */
  @Nullable SignalWindow window(PortId port);

  /** What the detectors of ports now say at the port, by whichever collector. */
  List<Finding> findings(PortId port);
}
