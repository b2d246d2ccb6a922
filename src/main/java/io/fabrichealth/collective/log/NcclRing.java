package io.fabrichealth.collective.log;

import java.util.List;

/**
 * The order of a ring, by ranks of the largest communicator.
 *
 * @param channel from 0
 */
public record NcclRing(int channel, List<Integer> order) {
  public NcclRing {
    order = List.copyOf(order);
  }
}
