package io.fabrichealth.testing;

import io.fabrichealth.capture.CaptureWriter;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Scope;
import io.fabrichealth.topology.Tier;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Twenty minutes of one leaf with two hosts, read every ten seconds; one link goes down. */
public final class SmallCapture {
  public static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  public static final String GOOD = "gpu-001:mlx5_0/1--leaf1:Ethernet1";
  public static final String BAD = "gpu-002:mlx5_0/1--leaf1:Ethernet2";
  public static final int DOWN_FROM = 600;

  private static final SignalDictionary DICTIONARY = SignalCatalogue.load();
  private static final int SECONDS = 1_200;

  private SmallCapture() {}

  /** With a link that is down from {@link #DOWN_FROM} on. */
  public static List<EngineInput> withLinkDown() {
    return inputs(true);
  }

  public static List<EngineInput> healthy() {
    return inputs(false);
  }

  /** Announces work on a device for a part of the capture. */
  public static EngineInput maintenance(String device, int from, int to) {
    return new EngineInput.Maintenance(
        START,
        "change-1",
        new Scope(List.of(device), List.of(), List.of()),
        START.plusSeconds(from),
        START.plusSeconds(to),
        "");
  }

  public static Path write(Path file, List<EngineInput> inputs) throws IOException {
    try (CaptureWriter out = CaptureWriter.create(file, DICTIONARY, START, "test/1")) {
      for (EngineInput input : inputs) {
        out.write(input);
      }
    }
    return file;
  }

  private static List<EngineInput> inputs(boolean fails) {
    List<EngineInput> inputs = new ArrayList<>();
    inputs.add(new EngineInput.Topology(START, fabric()));
    for (int second = 0; second < SECONDS; second += 10) {
      boolean down = fails && second >= DOWN_FROM;
      inputs.add(poll("leaf1", second, "Ethernet1", true, "Ethernet2", !down));
      inputs.add(poll("gpu-001", second, "mlx5_0/1", true));
      inputs.add(poll("gpu-002", second, "mlx5_0/1", !down));
    }
    return inputs;
  }

  private static EngineInput poll(String device, int second, Object... portsAndStates) {
    PollBatch.Builder batch = PollBatch.builder(device, "snmp", START.plusSeconds(second));
    for (int i = 0; i < portsAndStates.length; i += 2) {
      int port = batch.port((String) portsAndStates[i]);
      boolean isUp = (boolean) portsAndStates[i + 1];
      batch.value(port, DICTIONARY.ordinal("port.oper_up"), 0, isUp ? 1 : 0);
      batch.value(port, DICTIONARY.ordinal("port.admin_up"), 0, 1);
      batch.counter(port, DICTIONARY.ordinal("port.in_packets"), 0, 100_000L * second);
      batch.counter(port, DICTIONARY.ordinal("port.in_errors"), 0, 0);
    }
    return new EngineInput.Poll(batch.build(true));
  }

  private static Fabric fabric() {
    return Fabric.builder()
        .device(Device.of("leaf1", Role.LEAF))
        .device(Device.of("gpu-001", Role.HOST))
        .device(Device.of("gpu-002", Role.HOST))
        .link(link("Ethernet1", "gpu-001"))
        .link(link("Ethernet2", "gpu-002"))
        .build();
  }

  private static Link link(String port, String host) {
    return Link.between(new PortId("leaf1", port), new PortId(host, "mlx5_0/1"), Tier.HOST_LEAF, 0);
  }
}
