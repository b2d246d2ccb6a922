package io.fabrichealth.detect;

import io.fabrichealth.finding.Finding;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.PortId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fabric at one moment, as far as it is read. */
public interface FabricView {

  Instant at();

  Fabric fabric();

  /** The signals of the port as of its own last poll; null where it was never read. */
  @Nullable SignalWindow window(PortId port);

  /** What a detector of ports remembers of the port; null where it was never read. */
  <T> @Nullable T state(Detector<T> detector, PortId port);

  /** What the detectors of ports now say at the port, by whichever collector. */
  List<Finding> findings(PortId port);
}
