package io.fabrichealth.benchmark.localise;

import io.fabrichealth.latency.FlowLosses;
import io.fabrichealth.latency.LossLocalisation;
import io.fabrichealth.latency.LossPrior;
import java.lang.management.ManagementFactory;
import java.util.BitSet;
import java.util.Locale;

/**
 * A million flows over the 6,144 directed links of a fat tree of switches with 16 ports, from
 * arrays of paths to the lossy links: what one thread needs, by its own time and by the clock on
 * the wall.
 */
public final class LocalisationSpeed {
  private static final int ROUNDS = 8;
  private static final int FLOWS = 1_000_000;

  private LocalisationSpeed() {}

  public static void main(String[] args) {
    FatTreeTraces traces = new FatTreeTraces(16, FlowSizes.MEAN_OF_SIZES);
    for (double noise : new double[] {1e-6, 1e-4}) {
      LossTrace trace = traces.trace(FLOWS, noise, noise * 20, noise * 200, 1);
      long lossy = 0;
      for (int lost : trace.lost()) {
        lossy += lost > 0 ? 1 : 0;
      }
      System.out.printf(
          Locale.ROOT,
          "noise %.0e: %,d flows, %,d lossy, %,d links, %d faults%n",
          noise,
          trace.flows(),
          lossy,
          trace.candidates(),
          trace.faulty().cardinality());
      for (int round = 0; round < ROUNDS; round++) {
        long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        long wall = System.nanoTime();
        FlowLosses losses = LocalisationBenchmark.losses(trace);
        long loaded = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        BitSet found = new BitSet();
        LossPrior prior = LossPrior.even(trace.candidates(), Math.log(1e-3));
        LossLocalisation.faults(losses, prior).forEach(fault -> found.set(fault.candidate()));
        long end = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        BitSet right = (BitSet) found.clone();
        right.and(trace.faulty());
        System.out.printf(
            Locale.ROOT,
            "load %.3f s, infer %.3f s of the thread, %.3f s on the wall; found %d, right %d%n",
            (loaded - cpu) / 1e9,
            (end - loaded) / 1e9,
            (System.nanoTime() - wall) / 1e9,
            found.cardinality(),
            right.cardinality());
      }
    }
  }
}
