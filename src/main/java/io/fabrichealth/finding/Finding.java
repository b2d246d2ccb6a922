package io.fabrichealth.finding;

import java.time.Instant;
import java.util.List;

/**
 * What one detector says of one subject at one poll. It holds until the detector's next step on the
 * same port.
 *
 * @param detector the detector's id
 * @param subject the link, or the host or pause domain that is to blame
 * @param cause the cause if the finding is right
 * @param since when it began, as far as the detector can tell
 * @param members what else the fault touches; what it brings about there is explained by it
 */
public record Finding(
    String detector,
    Subject subject,
    Cause cause,
    Evidence evidence,
    Instant since,
    List<Subject> members) {

  public Finding {
    members = List.copyOf(members);
  }

  /** One that touches nothing else. */
  public Finding(String detector, Subject subject, Cause cause, Evidence evidence, Instant since) {
    this(detector, subject, cause, evidence, since, List.of());
  }

  public double nats() {
    return evidence.nats();
  }

  public Family family() {
    return evidence.family();
  }
}
