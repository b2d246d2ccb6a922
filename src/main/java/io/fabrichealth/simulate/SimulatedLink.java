package io.fabrichealth.simulate;

import io.fabrichealth.topology.Link;

/** A link as both its ends see it: up or down, and what moves in each direction. */
final class SimulatedLink {
  private final Link link;
  private final Direction aToB;
  private final Direction bToA;
  private boolean up = true;
  private int changes = 1;
  private double lastChangeSeconds;

  /**
   * @param aToB from the link's end {@code a} to its end {@code b}
   */
  SimulatedLink(Link link, Direction aToB, Direction bToA) {
    this.link = link;
    this.aToB = aToB;
    this.bToA = bToA;
  }

  void setUp(boolean nowUp, double seconds) {
    if (up != nowUp) {
      up = nowUp;
      changes++;
      lastChangeSeconds = seconds;
    }
  }

  void advance(double seconds, double errorFactor, Draws draws) {
    if (up) {
      aToB.advance(seconds, errorFactor, draws);
      bToA.advance(seconds, errorFactor, draws);
    } else {
      aToB.rest();
      bToA.rest();
    }
  }

  /** The same number of packets each way. */
  void offerBothWays(long packets) {
    aToB.offer(packets);
    bToA.offer(packets);
  }

  Link link() {
    return link;
  }

  Direction aToB() {
    return aToB;
  }

  Direction bToA() {
    return bToA;
  }

  boolean isUp() {
    return up;
  }

  /** Changes of state since the start, the first coming up among them. */
  int changes() {
    return changes;
  }

  /** Times that it went down. */
  int downs() {
    return changes / 2;
  }

  /** When the state last changed, in seconds since the start. */
  double lastChangeSeconds() {
    return lastChangeSeconds;
  }
}
