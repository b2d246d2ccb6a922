package io.fabrichealth.detect;

import io.fabrichealth.detect.statistics.ReadingNoise;
import io.fabrichealth.detect.statistics.SlopeStep;
import io.fabrichealth.detect.statistics.Trail;

/**
 * Judges what is missing of the packets of a link, in both directions.
 *
 * @param healthy standard deviation of the share that is missing on healthy links
 * @param least the smallest loss that is looked for
 * @param floor a share that is missing from the start is loss above this
 * @param floorRate and above that many packets a second
 * @param skew seconds by which the ends may be read apart
 */
record PacketBalance(double healthy, double least, double floor, double floorRate, double skew) {
  static final int EITHER = 0;
  static final int THERE = 1;
  static final int BACK = 2;

  /** What a counter that is read in the midst of traffic is off by, where both are added. */
  private static final double LEAST_PACKETS = 1;

  private static final double LEAST_SECONDS = .001;

  /** Beyond that ratio of the traffic of the two directions, one says nothing of the other. */
  private static final double MOST_UNEVEN = 8;

  /** Points from which on there is anything to be seen. */
  private static final int LATELY = 8;

  /** Parts of the time since a loss began of which each must show it, and how much of it. */
  private static final int PARTS = 5;

  private static final double LASTING = .5;
  private static final double LEAST_LASTING_SECONDS = 240;
  private static final int LEAST_READINGS = 3;

  /**
   * What is lost counts only beyond that many times the largest error that was seen: errors are
   * bounded and come back, what is lost does neither.
   */
  private static final double ERRORS = 3;

  /** Column of the trail that holds the time. */
  static final int SECONDS = 4;

  private static final double MUCH = 6;
  private static final double MANY_PACKETS = 40;
  private static final double OVER = .3;

  /**
   * Loss on a link.
   *
   * @param nats log-likelihood ratio; 0 where there is none
   * @param before share that was missing before
   * @param ratio share that is lost
   * @param passed packets since it began
   * @param seconds since then
   * @param direction {@link #THERE}, {@link #BACK}, or {@link #EITHER} where it cannot be told
   */
  record Loss(
      double nats, double before, double ratio, double passed, double seconds, int direction) {
    static final Loss NONE = new Loss(0, 0, 0, 0, 0, EITHER);

    double lost() {
      return ratio * passed;
    }

    /** The same after so many times as long. */
    Loss goingOn(double times) {
      return new Loss(nats, before, ratio, passed * times, seconds * times, direction);
    }
  }

  /** Whether both directions carry enough for one to tell of the skew of the other. */
  private static boolean isEven(double there, double back) {
    return there > 0 && back > 0 && there <= MOST_UNEVEN * back && back <= MOST_UNEVEN * there;
  }

  /**
   * What the next sample adds to what is missing of both together.
   *
   * @param growth as it goes into the trail
   * @return NaN where both together tell nothing
   */
  static double difference(Trail trail, double... growth) {
    double there = trail.growth(0);
    double back = trail.growth(2);
    if (!isEven(there, back)) {
      return Double.NaN;
    }
    double factor = Math.max(there, back) / Math.min(there, back);
    return there >= back ? growth[1] + factor * growth[3] : growth[3] + factor * growth[1];
  }

  /** What passes in the fuller direction, packets a second. */
  static double rate(Trail trail) {
    return Math.max(trail.growth(0), trail.growth(2)) / trail.growth(SECONDS);
  }

  /**
   * Of a trail of what was sent there, what of it is missing, and the same back.
   *
   * @param noise of what is missing of both together
   * @param isKnown whether the link is known to lose packets
   */
  Loss loss(Trail trail, ReadingNoise noise, boolean isKnown) {
    double there = trail.growth(0);
    double back = trail.growth(2);
    if (isEven(there, back)) {
      return ofBoth(trail, there, back, noise, isKnown);
    }
    return ofOne(trail, there >= back ? 0 : 2);
  }

  private Loss ofBoth(Trail trail, double there, double back, ReadingNoise noise, boolean isKnown) {
    int main = there >= back ? 0 : 2;
    int less = 2 - main;
    double factor = Math.max(there, back) / Math.min(there, back);
    double[] passed = column(trail, main);
    double[] missing = column(trail, main + 1);
    for (int at = 0; at < missing.length; at++) {
      missing[at] += factor * trail.value(at, less + 1);
    }
    if (!mayBeLoss(passed, missing)) {
      return Loss.NONE;
    }
    double rate = passed[passed.length - 1] / trail.growth(SECONDS);
    double error = Math.max(LEAST_PACKETS * factor, LEAST_SECONDS * rate);
    SlopeStep step =
        SlopeStep.ofReadings(passed, missing, trail.sizes(), healthy, noise.atLeast(error));
    double lost = step.loss() * step.passed();
    double shift =
        Math.max(ERRORS * noise.largest() * rate, 2 * skew * unevenness(trail, step, main, factor));
    boolean lasts =
        step.at() < 0 || lasts(trail, passed, missing, step.at(), step.before(), step.loss());
    if (!isKnown && !(lost > shift && lasts)) {
      step = SlopeStep.NONE;
      lost = 0;
    }
    int direction = direction(trail, step, lost, rate, factor);
    boolean isMain = direction == EITHER || direction == THERE == (main == 0);
    int last = missing.length - 1;
    boolean isMuch =
        isKnown
            || (missing[last] > ERRORS * noise.largest() * rate
                && lasts(trail, passed, missing, 0, 0, missing[last] / passed[last]));
    double above =
        isMuch
            ? SlopeStep.natsAbove(floor, passed, missing, trail.sizes(), noise.atLeast(error))
            : 0;
    return found(step, above, passed, missing, rate, direction, isMain ? 1 : 1 / factor);
  }

  /**
   * By how much more the main direction carries since the bend than its usual share, in packets a
   * second: as much of it as the ends are read apart seems to be lost, once.
   */
  private static double unevenness(Trail trail, SlopeStep step, int main, double factor) {
    int last = trail.length() - 1;
    double seconds = step.at() < 0 ? 0 : grown(trail, SECONDS, step.at(), last);
    return seconds > 0
        ? Math.abs(
                grown(trail, main, step.at(), last)
                    - factor * grown(trail, 2 - main, step.at(), last))
            / seconds
        : 0;
  }

  private static double grown(Trail trail, int column, int from, int to) {
    return trail.value(to, column) - trail.value(from, column);
  }

  /**
   * Whether the loss goes on all the time since it began: a job that stops or starts between two
   * readings shifts packets once, and most of them come back; a lossy wire loses some of all that
   * pass.
   */
  private static boolean lasts(
      Trail trail, double[] passed, double[] missing, int from, double before, double loss) {
    int last = passed.length - 1;
    int readings = 0;
    for (int at = from + 1; at <= last; at++) {
      readings += trail.sizes()[at];
    }
    return readings >= PARTS * LEAST_READINGS
        && grown(trail, SECONDS, from, last) >= LEAST_LASTING_SECONDS
        && SlopeStep.goesOn(passed, missing, from, before, loss, PARTS, LASTING);
  }

  /** Of one direction, as long as more is missing than the skew of the readings can explain. */
  private Loss ofOne(Trail trail, int column) {
    double[] passed = column(trail, column);
    double[] missing = column(trail, column + 1);
    if (!mayBeLoss(passed, missing)) {
      return Loss.NONE;
    }
    double rate = passed[passed.length - 1] / trail.growth(SECONDS);
    SlopeStep step =
        SlopeStep.ofReadings(
            passed, missing, trail.sizes(), healthy, ReadingNoise.UNKNOWN.atLeast(skew * rate));
    double most = 2 * skew * rate;
    if (!(step.loss() * step.passed() > most)) {
      return Loss.NONE;
    }
    return found(step, 0, passed, missing, rate, column == 0 ? THERE : BACK, 1);
  }

  /** Spares most healthy links the fit: nowhere in the trail is there a loss worth looking for. */
  private boolean mayBeLoss(double[] passed, double[] missing) {
    int last = passed.length - 1;
    if (last < LATELY || !(passed[last] > 0)) {
      return false;
    }
    for (int at = 0; at <= last - LATELY / 2; at++) {
      if (missing[last] - missing[at] > least * (passed[last] - passed[at])) {
        return true;
      }
    }
    return false;
  }

  private Loss found(
      SlopeStep step,
      double aboveFloor,
      double[] passed,
      double[] missing,
      double rate,
      int direction,
      double share) {
    double nats = step.loss() >= least ? step.nats() : 0;
    double ratio = missing[missing.length - 1] / passed[passed.length - 1];
    if (aboveFloor > nats && ratio * rate >= floorRate) {
      return new Loss(
          aboveFloor,
          floor,
          ratio,
          passed[passed.length - 1],
          passed[passed.length - 1] / rate,
          direction);
    }
    if (nats <= 0) {
      return Loss.NONE;
    }
    return new Loss(
        nats, step.before(), step.loss(), step.passed() * share, step.passed() / rate, direction);
  }

  /**
   * Whether a loss that was found goes on no more: of the last packets, of which enough would be
   * lost to see it, next to none is.
   */
  boolean isOver(Loss found, Trail trail, ReadingNoise noise) {
    double there = trail.growth(0);
    double back = trail.growth(2);
    int main = there >= back ? 0 : 2;
    double factor = isEven(there, back) ? Math.max(there, back) / Math.min(there, back) : 0;
    double rate = rate(trail);
    double error =
        factor > 0 ? Math.max(Math.sqrt(noise.variance()), LEAST_SECONDS * rate) : 2 * skew * rate;
    double enough = Math.max(MUCH * error, MANY_PACKETS * Math.max(1, factor));
    int last = trail.length() - 1;
    for (int at = last - 1; at >= 0; at--) {
      double passed = trail.value(last, main) - trail.value(at, main);
      double due = found.ratio() * passed;
      if (due > enough && last - at >= LATELY / 2) {
        double missing =
            trail.value(last, main + 1)
                - trail.value(at, main + 1)
                + factor * (trail.value(last, 3 - main) - trail.value(at, 3 - main));
        return missing - Math.max(0, found.before()) * passed < OVER * due;
      }
    }
    return false;
  }

  /**
   * By each direction alone: told as soon as more is lost than the skew of the readings can shift
   * from one to the other.
   */
  private int direction(Trail trail, SlopeStep both, double lost, double rate, double factor) {
    double shift = 2 * skew * rate;
    if (both.at() < 0 || lost <= shift) {
      return EITHER;
    }
    int last = trail.length() - 1;
    double there = trail.value(last, 1) - trail.value(both.at(), 1);
    double back = trail.value(last, 3) - trail.value(both.at(), 3);
    boolean isThereMain = trail.growth(0) >= trail.growth(2);
    double apart = isThereMain ? there - factor * back : factor * there - back;
    return apart > shift ? THERE : apart < -shift ? BACK : EITHER;
  }

  private static double[] column(Trail trail, int column) {
    double[] values = new double[trail.length()];
    for (int at = 0; at < values.length; at++) {
      values[at] = trail.value(at, column);
    }
    return values;
  }
}
