package io.fabrichealth.collect.infiniband;

import org.jspecify.annotations.Nullable;

/**
 * A port of a node as one text tells it.
 *
 * @param number on its node, from 1
 * @param external number on the front of a chassis; 0 where the text does not say
 * @param label on the front, for example {@code 1/1/2} where a cage is split; null where unknown
 * @param guid of the port; 0 where unknown and for ports of switches, which share their node's
 * @param lid of the port; 0 where unknown and for ports of switches
 * @param lanes as negotiated; 0 where unknown or down
 * @param speed of a lane as negotiated
 * @param link whether it is up
 * @param peer the other end; null where nothing is seen there
 * @param line of the text
 */
record NodePort(
    int number,
    int external,
    @Nullable String label,
    long guid,
    int lid,
    int lanes,
    LaneSpeed speed,
    Link link,
    @Nullable Peer peer,
    int line) {

  /** State of a link. */
  enum Link {
    UP,
    DOWN,
    UNKNOWN
  }

  /**
   * The other end of a link as this end tells it.
   *
   * @param kind of the node
   * @param guid of the node or the port; 0 where the text does not say
   * @param port number
   * @param lid 0 where the text does not say
   * @param description of the node
   */
  record Peer(Node.Kind kind, long guid, int port, int lid, String description) {}

  /** All lanes together; 0 where unknown. */
  long bitsPerSecond() {
    return link == Link.DOWN ? 0 : lanes * speed.bitsPerSecond();
  }

  NodePort withState(Link state, int lanes, LaneSpeed speed) {
    return new NodePort(number, external, label, guid, lid, lanes, speed, state, peer, line);
  }

  NodePort withLabel(String text) {
    return new NodePort(number, external, text, guid, lid, lanes, speed, link, peer, line);
  }

  NodePort withPeer(@Nullable Peer other) {
    return new NodePort(number, external, label, guid, lid, lanes, speed, link, other, line);
  }
}
