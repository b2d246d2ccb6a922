package io.fabrichealth.benchmark;

import io.fabrichealth.detect.fec.HistogramFit;
import io.fabrichealth.detect.fec.SymbolHistogram;
import io.fabrichealth.detect.fec.TailEstimate;
import io.fabrichealth.topology.FecMode;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * What one fit of a histogram of codewords costs. docs/reference/benchmarks.md has the command and
 * the figures.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class FecFitBenchmark {
  /** Two minutes of 400G, drawn once; lost codewords last. */
  public enum Drawn {
    /** Bit error ratio 1e-5. */
    NOISE(
        8878768566.0, 483_010_205, 13_110_859, 236_650, 3_142, 26, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    /** Bursts: .05 a codeword, going on with .3. */
    BURSTS(
        8917923321.0,
        312_111_410,
        99_087_921,
        31_428_500,
        9_956_456,
        3_150_240,
        995_507,
        315_257,
        99_419,
        31_465,
        9_950,
        3_068,
        973,
        297,
        112,
        28,
        12),
    /** 1e-5, and one codeword in a million at 2 % of its symbols. */
    TWO_STATES(
        8878759687.0,
        483_009_724,
        13_110_856,
        236_686,
        3_240,
        244,
        382,
        586,
        904,
        1_035,
        1_153,
        1_160,
        995,
        831,
        651,
        481,
        763),
    /** Bursts of geometrically many errors in bad times: none of the families. */
    OUTSIDER(
        9324200658.0,
        50_727_155,
        148_215,
        12_110,
        11_533,
        10_338,
        8_737,
        7_209,
        5_564,
        4_219,
        3_089,
        2_135,
        1_504,
        1_003,
        710,
        448,
        833);

    private final double[] counts;

    Drawn(double... counts) {
      this.counts = counts;
    }
  }

  @Param private Drawn drawn = Drawn.NOISE;

  private final HistogramFit fit = new HistogramFit();
  private SymbolHistogram histogram = histogram(Drawn.NOISE);
  private long fits;
  private long cpuNanosBefore;

  @Setup(Level.Iteration)
  public void begin() {
    histogram = histogram(drawn);
    fits = 0;
    cpuNanosBefore = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /** By the thread's own time, so that a busy machine does not change the figure. */
  @TearDown(Level.Iteration)
  public void end() {
    long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpuNanosBefore;
    System.out.printf("cpu_microseconds_per_fit=%.1f ", nanos / 1e3 / fits);
  }

  private static SymbolHistogram histogram(Drawn drawn) {
    int bins = drawn.counts.length - 1;
    return SymbolHistogram.of(
        FecMode.RS544, Arrays.copyOf(drawn.counts, bins), null, drawn.counts[bins], Double.NaN);
  }

  /** The whole fit, with its interval. */
  @Benchmark
  public TailEstimate fit() {
    fits++;
    return Objects.requireNonNull(fit.fit(histogram, null));
  }

  public static void main(String[] arguments) throws RunnerException {
    new Runner(new OptionsBuilder().include(FecFitBenchmark.class.getSimpleName()).build()).run();
  }
}
