package io.fabrichealth.engine;

import io.fabrichealth.detect.DetectContext;
import io.fabrichealth.detect.FabricDetector;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The engine's state as one step of a detector sees it. */
record StepContext(EngineState state, Engine engine, PortEntry entry, Device device, Link link)
    implements DetectContext {

  @Override
  public Instant at() {
    return state.now;
  }

  @Override
  public Fabric fabric() {
    return state.fabric;
  }

  @Override
  public Port port() {
    return entry.port;
  }

  @Override
  public @Nullable SignalWindow window(PortId port) {
    PortEntry peer = entry.peer;
    if (peer != null && peer.id.equals(port)) {
      PortState newest = peer.newest();
      return newest == null ? null : newest.window;
    }
    return state.window(port);
  }

  @Override
  public <T> T state(FabricDetector<T> detector) {
    int index = engine.detectors().fabric().indexOf(detector);
    return index < 0
        ? detector.initial()
        : detector.stateType().cast(state.fabricWide[index].memory);
  }
}
