package io.fabrichealth.simulate.world;

/**
 * A lane drifts, and a rank of a job is slow: two faults that have nothing to do with each other.
 */
final class LaneAndRank implements Staging {

  @Override
  public void stage(Stage stage) {
    new DriftingLane().stage(stage);
    new SlowRank().stage(stage);
  }
}
