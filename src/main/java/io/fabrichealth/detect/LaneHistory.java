package io.fabrichealth.detect;

import java.util.Arrays;

/**
 * What each lane usually shows beside the others, so that one that leaves its place is seen however
 * different lanes are and whatever all of them do together (temperature).
 *
 * @param usual logarithm of the lane's ratio less that of the median of the others; {@link
 *     #UNKNOWN} where not known yet
 * @param seconds how long that was learned
 * @param lane the lane that stands higher than usual; -1 without one
 * @param polls for how many polls it does
 */
@SuppressWarnings("ArrayRecordComponent") // columns, never compared
record LaneHistory(double[] usual, double seconds, int lane, int polls) {
  /** Larger than any logarithm of a ratio. */
  static final double UNKNOWN = 1e9;

  static final LaneHistory NONE = new LaneHistory(new double[0], 0, -1, 0);

  /** Risen by this factor a lane no longer counts for what is usual. */
  private static final double RISEN = Math.log(4);

  /** How much slower what is usual follows a lane that has risen. */
  private static final double SLOWLY = .02;

  /**
   * One poll.
   *
   * @param remembered of the last minute
   * @param read of this poll alone
   * @param rareRatio below it, lanes are not told apart
   */
  LaneHistory next(
      ErrorRatios remembered, ErrorRatios read, double elapsed, double memory, double rareRatio) {
    int size = remembered.size();
    double[] logs = logs(remembered, rareRatio);
    double[] now = logs(read, rareRatio);
    double[] next = Arrays.copyOf(usual, size);
    if (usual.length < size) {
      Arrays.fill(next, usual.length, size, UNKNOWN);
    }
    double age = Math.min(seconds + elapsed, memory);
    double share = age > 0 ? Math.min(1, elapsed / age) : 1;
    int risen = -1;
    double most = RISEN;
    for (int index = 0; index < size; index++) {
      double apart = logs[index] - LaneErrors.medianWithout(logs, index);
      if (Double.isNaN(apart)) {
        continue;
      }
      if (next[index] == UNKNOWN) {
        next[index] = apart;
        continue;
      }
      double rise = apart - next[index];
      double thisPoll =
          index < now.length
              ? now[index] - LaneErrors.medianWithout(now, index) - next[index]
              : Double.NaN;
      if (Math.min(rise, thisPoll) > most) {
        most = Math.min(rise, thisPoll);
        risen = index;
      }
      next[index] += rise * share * (rise > RISEN ? SLOWLY : 1);
    }
    return new LaneHistory(
        next, age, risen, risen < 0 ? 0 : risen == lane ? Math.min(polls + 1, 100) : 1);
  }

  /** The ratio that the lane has when all is usual, given what the others have now. */
  double expected(int index, ErrorRatios remembered, double rareRatio) {
    double[] logs = logs(remembered, rareRatio);
    return Math.exp(usual[index] + LaneErrors.medianWithout(logs, index));
  }

  private static double[] logs(ErrorRatios of, double rareRatio) {
    double[] logs = of.ratios();
    for (int index = 0; index < logs.length; index++) {
      logs[index] = Math.log(Math.max(logs[index], rareRatio));
    }
    return logs;
  }
}
