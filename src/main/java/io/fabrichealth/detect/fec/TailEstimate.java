package io.fabrichealth.detect.fec;

/**
 * How many codewords are lost, as the good ones tell it.
 *
 * @param shape the family of distributions that explains the histogram best
 * @param bursty whether more codewords are lost than noise of the same error ratio loses
 * @param symbolErrorRatio ratio of symbols in error, as counted
 * @param logLostRatio log10 of the ratio of lost codewords
 * @param low lower end of its 95 % interval
 * @param high upper end
 * @param misfit Pearson's chi-square over degrees of freedom of that family; about 1 where it holds
 */
public record TailEstimate(
    Shape shape,
    boolean bursty,
    double symbolErrorRatio,
    double logLostRatio,
    double low,
    double high,
    double misfit) {

  /** Decades from here to what the code leaves at its limit; negative beyond it. */
  public double decadesTo(double logLimit) {
    return logLimit - logLostRatio;
  }
}
