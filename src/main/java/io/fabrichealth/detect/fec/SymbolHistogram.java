package io.fabrichealth.detect.fec;

import io.fabrichealth.topology.FecMode;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Codewords by how many of their symbols were corrected, in one interval.
 *
 * <p>Bins that a device lacks, or whose counter stands at its end, are left out: the others tell
 * the same.
 *
 * @param mode a Reed-Solomon code
 * @param codewords all codewords of the interval: those of all bins and the lost ones
 * @param counts by bin
 * @param first least number of errors of a bin
 * @param last largest one; beyond what the code corrects: lost codewords
 * @param lost codewords that could not be corrected; NaN where nobody counts them
 */
@SuppressWarnings("ArrayRecordComponent") // columns, never compared
public record SymbolHistogram(
    FecMode mode, double codewords, double[] counts, int[] first, int[] last, double lost) {

  /**
   * From bins as a device gives them.
   *
   * @param counts growth of each bin; NaN where it is not known
   * @param ranges least and largest number of errors of each bin; null where bin k has k errors, as
   *     far as the code corrects: a bin after that counts lost codewords, and the last of fewer
   *     bins what is left up to there
   * @param lost growth of the counter of lost codewords, NaN where there is none
   * @param codewords growth of the counter of all codewords, NaN where there is none
   */
  public static SymbolHistogram of(
      FecMode mode, double[] counts, int @Nullable [][] ranges, double lost, double codewords) {
    int correctable = mode.correctableSymbols();
    int size = 0;
    double sum = 0;
    double beyond = Double.NaN;
    double[] kept = new double[counts.length];
    int[] first = new int[counts.length];
    int[] last = new int[counts.length];
    for (int bin = 0; bin < counts.length; bin++) {
      int from = ranges == null || bin >= ranges.length ? bin : ranges[bin][0];
      int to = ranges == null || bin >= ranges.length ? bin : ranges[bin][1];
      if (ranges == null && bin == counts.length - 1) {
        to = Math.max(bin, correctable);
      }
      if (Double.isNaN(counts[bin])) {
        continue;
      }
      sum += counts[bin];
      if (from > correctable) {
        beyond = (Double.isNaN(beyond) ? 0 : beyond) + counts[bin];
      } else {
        kept[size] = counts[bin];
        first[size] = from;
        last[size++] = Math.min(to, correctable);
      }
    }
    double gone = Double.isNaN(beyond) ? lost : beyond;
    double all = sum + (Double.isNaN(beyond) && !Double.isNaN(lost) ? lost : 0);
    return new SymbolHistogram(
        mode,
        codewords > all ? codewords : all,
        Arrays.copyOf(kept, size),
        Arrays.copyOf(first, size),
        Arrays.copyOf(last, size),
        gone);
  }

  /** Errors of all codewords that the bins hold; a merged bin counts with its least number. */
  public double symbolErrors() {
    double errors = 0;
    for (int bin = 0; bin < counts.length; bin++) {
      errors += counts[bin] * first[bin];
    }
    return errors;
  }
}
