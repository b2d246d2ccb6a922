package io.fabrichealth.simulate.world;

import java.util.Arrays;

/** Packets and octets so far: weighted integrals of activities. */
final class Tally {
  private Activity[] activities = new Activity[2];
  private double[] weights = new double[2];
  private int size;
  private double packets;
  private double octets;

  /**
   * @param packetsPerSecond more (or less) while the activity is at 1, from that time on
   */
  void add(Activity activity, double packetsPerSecond, double at) {
    packets -= packetsPerSecond * activity.at(at);
    octets -= packetsPerSecond * activity.at(at) * activity.octets();
    for (int i = 0; i < size; i++) {
      if (activities[i] == activity) {
        weights[i] += packetsPerSecond;
        return;
      }
    }
    if (size == activities.length) {
      activities = Arrays.copyOf(activities, 2 * size);
      weights = Arrays.copyOf(weights, 2 * size);
    }
    activities[size] = activity;
    weights[size++] = packetsPerSecond;
  }

  double packets(double seconds) {
    double sum = packets;
    for (int i = 0; i < size; i++) {
      sum += weights[i] * activities[i].at(seconds);
    }
    return sum;
  }

  double octets(double seconds) {
    double sum = octets;
    for (int i = 0; i < size; i++) {
      sum += weights[i] * activities[i].at(seconds) * activities[i].octets();
    }
    return sum;
  }

  double packetsPerSecond() {
    double sum = 0;
    for (int i = 0; i < size; i++) {
      sum += weights[i] * activities[i].level();
    }
    return sum;
  }

  /** Packets a second while all its activities are at 1. */
  double fullPacketsPerSecond() {
    double sum = 0;
    for (int i = 0; i < size; i++) {
      sum += weights[i];
    }
    return sum;
  }
}
