package io.fabrichealth.benchmark.localise;

/**
 * How much flows tell of the faults.
 *
 * @param flows of a trace
 * @param noise the most that a healthy directed link loses
 * @param least the least that a faulty one loses
 * @param most the most that a faulty one loses
 */
enum Regime {
  A(12_800, 1e-4, 2e-3, 2e-2),
  B(12_800, 1e-4, 5e-4, 2e-3),
  C(12_800, 1e-6, 1e-4, 1e-3),
  D(64_000, 1e-6, 1e-5, 1e-4),
  E(640_000, 1e-6, 1e-5, 1e-4);

  private final int flows;
  private final double noise;
  private final double least;
  private final double most;

  Regime(int flows, double noise, double least, double most) {
    this.flows = flows;
    this.noise = noise;
    this.least = least;
    this.most = most;
  }

  int flows() {
    return flows;
  }

  double noise() {
    return noise;
  }

  double least() {
    return least;
  }

  double most() {
    return most;
  }
}
