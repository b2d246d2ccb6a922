package io.fabrichealth.simulate;

import java.util.List;

/** The optical module in a port, with what it measures of itself (digital optical monitoring). */
final class OpticalModule {
  private static final double NOISE_DECIBELS = .04;
  private static final double NOISE_MILLIAMPERES = .02;
  private static final double NOISE_CELSIUS = .2;
  private static final double VOLTS = 3.3;

  private final List<Lane> incoming;
  private final double receiveOffset;
  private final double celsius;
  private final double[] transmitBase;
  private final double[] biasBase;
  private final double[] received;
  private final double[] transmitted;
  private final double[] bias;
  private double temperature;
  private double voltage;

  /**
   * @param incoming lanes that it receives
   * @param receiveOffset decibels by which its readings of received power are off
   */
  OpticalModule(List<Lane> incoming, double receiveOffset, Draws draws) {
    int lanes = incoming.size();
    this.incoming = incoming;
    this.receiveOffset = receiveOffset;
    this.celsius = draws.uniform(42, 52);
    transmitBase = new double[lanes];
    biasBase = new double[lanes];
    for (int lane = 0; lane < lanes; lane++) {
      transmitBase[lane] = draws.uniform(.3, 1.3);
      biasBase[lane] = draws.uniform(56, 64);
    }
    received = new double[lanes];
    transmitted = new double[lanes];
    bias = new double[lanes];
    measure(0, draws);
  }

  /**
   * @param warming degrees above the mean of the day
   */
  void measure(double warming, Draws draws) {
    for (int lane = 0; lane < incoming.size(); lane++) {
      received[lane] =
          incoming.get(lane).receivedDbm() + receiveOffset + draws.gaussian(0, NOISE_DECIBELS);
      transmitted[lane] = transmitBase[lane] + draws.gaussian(0, NOISE_DECIBELS);
      bias[lane] = biasBase[lane] + draws.gaussian(0, NOISE_MILLIAMPERES);
    }
    temperature = celsius + warming + draws.gaussian(0, NOISE_CELSIUS);
    voltage = VOLTS + draws.gaussian(0, .003);
  }

  int lanes() {
    return incoming.size();
  }

  double receivedDbm(int lane) {
    return received[lane];
  }

  double transmittedDbm(int lane) {
    return transmitted[lane];
  }

  double biasMilliamperes(int lane) {
    return bias[lane];
  }

  double temperatureCelsius() {
    return temperature;
  }

  double voltageVolts() {
    return voltage;
  }
}
