package io.fabrichealth.simulate.world;

/** A class of faults of the benchmark, or of what only looks like one. */
interface Staging {

  /** Sets up what happens in the run, and tells the truth of it. */
  void stage(Stage stage);
}
