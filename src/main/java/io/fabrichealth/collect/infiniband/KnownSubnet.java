package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.CollectOutcome.LeftOut;
import io.fabrichealth.topology.Sighting;
import java.time.Instant;
import java.util.List;

/**
 * A subnet as discovered, with the names of its devices.
 *
 * @param at when the discovery was in hand
 * @param sightings of its devices
 * @param leftOut nodes and ports that are none of the fabric
 */
record KnownSubnet(
    Subnet subnet, SubnetNames names, Instant at, List<Sighting> sightings, List<LeftOut> leftOut) {

  static KnownSubnet of(Subnet subnet, Instant at) {
    SubnetNames names = new SubnetNames(subnet);
    SubnetSightings seen = new SubnetSightings(subnet, names);
    return new KnownSubnet(
        subnet, names, at, List.copyOf(seen.sightings()), List.copyOf(seen.leftOut()));
  }
}
