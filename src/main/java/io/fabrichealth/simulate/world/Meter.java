package io.fabrichealth.simulate.world;

/** What grows at a constant rate until the rate is changed. */
final class Meter {
  private double total;
  private double rate;
  private double since;

  /** Goes on at that rate from that time. */
  void setRate(double newRate, double at) {
    total = at(at);
    rate = newRate;
    since = at;
  }

  void addRate(double more, double at) {
    setRate(rate + more, at);
  }

  void add(double amount) {
    total += amount;
  }

  double rate() {
    return rate;
  }

  double at(double seconds) {
    return total + rate * Math.max(0, seconds - since);
  }
}
