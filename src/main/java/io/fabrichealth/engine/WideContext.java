package io.fabrichealth.engine;

import io.fabrichealth.detect.Detector;
import io.fabrichealth.detect.DeviceView;
import io.fabrichealth.detect.FabricView;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.PortId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The engine's state as detectors of devices and of the fabric see it. */
final class WideContext {

  private WideContext() {}

  /** What a detector of the fabric sees. */
  record OfFabric(EngineState state, Engine engine) implements FabricView {
    @Override
    public Instant at() {
      return state.now;
    }

    @Override
    public Fabric fabric() {
      return state.fabric;
    }

    @Override
    public @Nullable SignalWindow window(PortId port) {
      return state.window(port);
    }

    @Override
    public <T> @Nullable T state(Detector<T> detector, PortId id) {
      int index = engine.detectors().ports().indexOf(detector);
      PortState newest = state.entry(id).newest();
      return newest == null || index < 0
          ? null
          : detector.stateType().cast(newest.detectorStates[index]);
    }

    @Override
    public List<Finding> findings(PortId port) {
      return state.findings(port);
    }
  }

  /** What a detector of devices sees. */
  record OfDevice(
      EngineState state,
      Device device,
      String collector,
      boolean isComplete,
      List<SignalWindow> read)
      implements DeviceView {
    @Override
    public Instant at() {
      return state.now;
    }

    @Override
    public Fabric fabric() {
      return state.fabric;
    }

    @Override
    public @Nullable SignalWindow window(PortId port) {
      return state.window(port);
    }

    @Override
    public List<Finding> findings(PortId port) {
      return state.findings(port);
    }
  }
}
