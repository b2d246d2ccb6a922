package io.fabrichealth.detect.fec;

import java.util.Arrays;
import java.util.Random;
import java.util.function.IntToDoubleFunction;

/**
 * A distribution of symbol errors over codewords, worked out by plain convolution and recursion:
 * what counters are drawn from, and what the true ratio of lost codewords is.
 */
final class Truth {
  private static final int FAR = 200;

  final double[] mass;

  private Truth(double[] mass) {
    this.mass = mass;
  }

  static Truth of(IntToDoubleFunction mass) {
    double[] all = new double[FAR];
    Arrays.setAll(all, mass);
    return new Truth(all);
  }

  static Truth binomial(int n, double p) {
    double[] mass = new double[FAR];
    double log = n * Math.log1p(-p);
    for (int k = 0; k < FAR && k <= n; k++) {
      mass[k] = Math.exp(log);
      log += Math.log((n - k) / (k + 1.0)) + Math.log(p) - Math.log1p(-p);
    }
    return new Truth(mass);
  }

  static Truth bitErrors(double ratio) {
    return binomial(544, 1 - Math.pow(1 - ratio, 10));
  }

  /** Poisson many bursts of geometrically many errors, summed burst by burst. */
  static Truth bursts(double rate, double more) {
    double[] size = new double[FAR];
    for (int k = 1; k < FAR; k++) {
      size[k] = (1 - more) * Math.pow(more, k - 1);
    }
    double[] sum = new double[FAR];
    double[] power = new double[FAR];
    power[0] = 1;
    double weight = Math.exp(-rate);
    for (int burst = 0; burst < 60; burst++) {
      for (int k = 0; k < FAR; k++) {
        sum[k] += weight * power[k];
      }
      weight *= rate / (burst + 1);
      power = convolve(power, size);
    }
    return new Truth(sum);
  }

  static Truth lanes(int n, double... ratios) {
    double[] sum = new double[FAR];
    sum[0] = 1;
    for (double ratio : ratios) {
      sum = convolve(sum, binomial(n / ratios.length, ratio).mass);
    }
    return new Truth(sum);
  }

  Truth mixedWith(Truth other, double weight) {
    return of(k -> (1 - weight) * mass[k] + weight * other.mass[k]);
  }

  Truth plus(Truth other) {
    return new Truth(convolve(mass, other.mass));
  }

  private static double[] convolve(double[] one, double[] other) {
    double[] sum = new double[FAR];
    for (int k = 0; k < FAR; k++) {
      for (int j = 0; j <= k; j++) {
        sum[k] += one[j] * other[k - j];
      }
    }
    return sum;
  }

  double logLost(int correctable) {
    double sum = 0;
    for (int k = FAR - 1; k > correctable; k--) {
      sum += mass[k];
    }
    return Math.log10(sum);
  }

  /**
   * Counts of codewords with 0, 1, ... correctable errors, and of lost ones in the last element.
   */
  double[] draw(double codewords, int correctable, Random random) {
    double[] counts = new double[correctable + 2];
    for (int k = 0; k <= correctable; k++) {
      counts[k] = poisson(codewords * mass[k], random);
    }
    counts[correctable + 1] = poisson(codewords * Math.pow(10, logLost(correctable)), random);
    return counts;
  }

  static double poisson(double mean, Random random) {
    if (mean > 500) {
      return Math.max(0, Math.rint(mean + Math.sqrt(mean) * random.nextGaussian()));
    }
    double limit = Math.exp(-mean);
    double product = random.nextDouble();
    int count = 0;
    while (product > limit) {
      product *= random.nextDouble();
      count++;
    }
    return count;
  }
}
