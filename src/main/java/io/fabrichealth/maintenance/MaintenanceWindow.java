package io.fabrichealth.maintenance;

import io.fabrichealth.topology.Scope;
import java.time.Instant;

/**
 * Work on a part of the fabric, announced.
 *
 * @param id the same id again replaces it
 * @param startsAt from here on, inclusive
 * @param endsAt until here, exclusive
 */
public record MaintenanceWindow(String id, Scope scope, Instant startsAt, Instant endsAt) {

  boolean isOn(Instant at) {
    return !at.isBefore(startsAt) && at.isBefore(endsAt);
  }
}
