package io.fabrichealth.engine;

import io.fabrichealth.finding.Finding;
import java.util.List;

/**
 * What has to outlive a restart of one detector of a device or of the fabric.
 *
 * @param detector its id
 * @param memory as the {@link StateCodec} wrote it
 */
public record StoredSpeaker(String detector, byte[] memory, List<Finding> findings) {
  public StoredSpeaker {
    memory = memory.clone();
    findings = List.copyOf(findings);
  }

  @Override
  public byte[] memory() {
    return memory.clone();
  }
}
