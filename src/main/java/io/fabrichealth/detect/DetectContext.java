package io.fabrichealth.detect;

import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Where the port of a step stands, and what is known of the others. */
public interface DetectContext {

  /** The time of this poll, as the reader had it in hand. */
  Instant at();

  Fabric fabric();

  Port port();

  Device device();

  Link link();

  /** The signals of any port, as of its own last poll; null where it was never read. */
  @Nullable SignalWindow window(PortId port);

  /** What a detector of the whole fabric knows, as of its last step. */
  <T> T state(FabricDetector<T> detector);
}
