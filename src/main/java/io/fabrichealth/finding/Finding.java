package io.fabrichealth.finding;

import java.time.Instant;

/**
 * What one detector says of one subject at one poll. It holds until the detector's next step on the
 * same port.
 *
 * @param detector the detector's id
 * @param subject the link, or the host or pause domain that is to blame
 * @param cause the cause if the finding is right
 * @param since when it began, as far as the detector can tell
 */
public record Finding(
    String detector, Subject subject, Cause cause, Evidence evidence, Instant since) {

  public double nats() {
    return evidence.nats();
  }

  public Family family() {
    return evidence.family();
  }
}
