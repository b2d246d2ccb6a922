package io.fabrichealth.engine;

import io.fabrichealth.finding.Finding;
import io.fabrichealth.signal.DeviceBaselines;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** What has to outlive a restart of one device as one collector reads it. */
public record StoredSource(
    DeviceBaselines baselines,
    Instant lastAt,
    List<StoredPort> ports,
    List<StoredSpeaker> speakers) {
  public StoredSource {
    ports = List.copyOf(ports);
    speakers = List.copyOf(speakers);
  }

  /**
   * One port.
   *
   * @param states by detector id, as the {@link StateCodec} wrote them
   * @param findings by detector id
   */
  public record StoredPort(
      String port,
      Map<String, byte[]> states,
      Map<String, List<Finding>> findings,
      boolean stateKnown,
      boolean up,
      int pollsWithoutState,
      int pollsWithoutErrors) {
    public StoredPort {
      states = Map.copyOf(states);
      findings = Map.copyOf(findings);
    }
  }
}
