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
record StepContext(EngineState state, Engine engine, PortId portId, Device device, Link link)
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
    Port known = state.fabric.port(portId);
    return known == null ? Port.of(portId) : known;
  }

  @Override
  public @Nullable SignalWindow window(PortId port) {
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
