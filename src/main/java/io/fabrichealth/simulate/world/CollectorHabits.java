package io.fabrichealth.simulate.world;

/** What goes wrong between a device and the record of it. */
final class CollectorHabits {
  private double missed = .01;
  private double repeated = .0008;
  private double late = .001;
  private double cutOff = .0008;

  void set(double missedPart, double repeatedPart, double latePart) {
    missed = missedPart;
    repeated = repeatedPart;
    late = latePart;
  }

  /** Part of the passes of which nothing comes. */
  double missed() {
    return missed;
  }

  /** Part of the records that come twice. */
  double repeated() {
    return repeated;
  }

  /** Part of the records that stand behind younger ones. */
  double late() {
    return late;
  }

  /** Part of the passes that end early. */
  double cutOff() {
    return cutOff;
  }
}
