package io.fabrichealth.simulate.world;

import io.fabrichealth.simulate.Draws;

/** The module in a port: light, current, temperature, and how far its readings are off. */
final class Optics {
  private static final double NOISE_DECIBELS = .04;
  private static final double NOISE_MILLIAMPERES = .02;
  private static final double NOISE_CELSIUS = .15;
  private static final double MEAN_CELSIUS_ABOVE_ROOM = 24;

  private final Draws draws;
  private final double[] received;
  private final double[] transmitted;
  private final double[] bias;
  private final double[] snr;
  private final double ownCelsius;
  private final double volts;
  private double offset;

  Optics(int lanes, Draws draws) {
    this.draws = draws;
    received = new double[lanes];
    transmitted = new double[lanes];
    bias = new double[lanes];
    snr = new double[lanes];
    double budget = draws.gaussian(-1.4, .5);
    double power = draws.uniform(.2, 1.4);
    for (int lane = 0; lane < lanes; lane++) {
      received[lane] = budget + draws.gaussian(0, .3);
      transmitted[lane] = power + draws.gaussian(0, .15);
      bias[lane] = draws.uniform(56, 64);
      snr[lane] = draws.gaussian(21.5, .5);
    }
    ownCelsius = draws.gaussian(0, 2);
    volts = draws.uniform(3.27, 3.33);
    offset = draws.gaussian(0, .3);
  }

  /** Its readings of received power are off by a constant. */
  void setOffset(double decibels) {
    offset = decibels;
  }

  /** Light is lost before it arrives. */
  void attenuate(int lane, double decibels) {
    received[lane] -= decibels;
    snr[lane] -= .6 * decibels;
  }

  /** The laser gives less light for more current. */
  void decay(int lane, double decibels) {
    transmitted[lane] -= decibels;
    bias[lane] *= Math.pow(10, decibels / 10);
  }

  int lanes() {
    return received.length;
  }

  double receivedDbm(int lane) {
    return received[lane] + offset + draws.gaussian(0, NOISE_DECIBELS);
  }

  double transmittedDbm(int lane) {
    return transmitted[lane] + draws.gaussian(0, NOISE_DECIBELS);
  }

  double biasMilliamperes(int lane) {
    return bias[lane] + draws.gaussian(0, NOISE_MILLIAMPERES);
  }

  double snrDecibels(int lane) {
    return snr[lane] + draws.gaussian(0, .1);
  }

  double celsius(double room) {
    return room + MEAN_CELSIUS_ABOVE_ROOM + ownCelsius + draws.gaussian(0, NOISE_CELSIUS);
  }

  double volts() {
    return volts + draws.gaussian(0, .003);
  }
}
