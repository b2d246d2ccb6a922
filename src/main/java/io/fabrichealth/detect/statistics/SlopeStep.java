package io.fabrichealth.detect.statistics;

/**
 * Whether a line became steeper at some point: a share that is lost of what passes, from the sum of
 * what is missing over the sum of what passed.
 *
 * <p>For each point at which it may bend, the slope before and the slope after are held against
 * each other, by the errors that they have; the bend for which most speaks is taken, and the choice
 * is paid for. Only a loss is looked for: where the line fell before the bend, its slope after the
 * bend counts instead of the change.
 *
 * <p>There are two kinds of noise. {@link #ofReadings}: each point lies a bit off for itself, since
 * counters are read at another moment than one believes; what adds up is small. Then the error of a
 * slope falls with the length to the power of 1.5. {@link #ofWalk}: everything adds up, since not
 * all is counted that comes and goes. Then it falls with the square root of the length, and the
 * steps between the points are compared, not the points.
 *
 * <p>The likelihood ratio is that of Student's distribution, as the noise is measured on the same
 * points.
 *
 * @param before slope before the bend, as far as it was seen or is known beforehand
 * @param after slope after it
 * @param error standard error of the difference while nothing more is lost after than before
 * @param passed since the bend
 * @param at index of the point at which the line bends; -1 where none is steeper
 * @param nats log-likelihood ratio of a step up against none; 0 where there is none
 */
public record SlopeStep(
    double before, double after, double error, double passed, int at, double nats) {

  /** Nothing can be told. */
  public static final SlopeStep NONE = new SlopeStep(0, 0, 0, 0, -1, 0);

  private static final int LEAST_BEFORE = 4;
  private static final int LEAST_AFTER = 3;
  private static final int PARAMETERS = 5;

  /** How much surer one may be by what varied before than by what varies now. */
  private static final double STEADY = 3;

  /** Single events come in small groups, so their number varies more than that of Poisson. */
  private static final double OVERDISPERSION = 3;

  private static final double MOST_ALIKE = .95;

  /** One line in twenty is not healthy but always as steep as it is. */
  private static final double ALWAYS = Math.log(20);

  private static final double STEEPEST = .1;

  /** Points that are means of several differ by less than the walk between their middles. */
  private static final double OF_MEANS = 1.5;

  /** By how much the line got steeper, or how steep it is now if it fell before. */
  public double loss() {
    return Math.min(after - before, after);
  }

  /**
   * Whether a share goes on missing all the time since a point: in each of so many parts of what
   * passed since then.
   *
   * @param from index of the point
   * @param before share that was missing before it
   * @param loss share that is missing beyond that
   * @param parts of equal size; a rest of half that size counts as one
   * @param share of the loss that each part has to show
   */
  public static boolean goesOn(
      double[] passed,
      double[] missing,
      int from,
      double before,
      double loss,
      int parts,
      double share) {
    int last = passed.length - 1;
    int begin = from;
    double part = (passed[last] - passed[from]) / parts;
    for (int at = from + 1; at <= last; at++) {
      double through = passed[at] - passed[begin];
      if (through >= part || (at == last && 2 * through >= part)) {
        double lost = missing[at] - missing[begin] - before * through;
        if (lost < share * loss * through) {
          return false;
        }
        begin = at;
      }
    }
    return true;
  }

  private static double nats(double excess, double error, int freedom) {
    if (!(excess > 0) || !(error > 0)) {
      return 0;
    }
    double deviation = excess / error;
    return freedom / 2.0 * Math.log1p(deviation * deviation / freedom);
  }

  /**
   * Where each point is off for itself.
   *
   * @param x sum of what passed, growing
   * @param y sum of what is missing, in the same unit
   * @param sizes points that each is the mean of
   * @param healthy standard deviation of the slope of healthy lines around 0; counts together with
   *     what was seen before the bend
   * @param noise what is known of the error of one point
   */
  public static SlopeStep ofReadings(
      double[] x, double[] y, byte[] sizes, double healthy, ReadingNoise noise) {
    int length = x.length;
    if (length < LEAST_BEFORE + LEAST_AFTER + PARAMETERS || !(x[length - 1] > x[0])) {
      return NONE;
    }
    LineSums sums = new LineSums(x, y, sizes);
    SlopeStep best = NONE;
    for (int at = LEAST_BEFORE - 1; at <= length - LEAST_AFTER; at++) {
      LineSums.Line early = sums.line(0, at + 1);
      LineSums.Line late = sums.line(at, length);
      int freedom = length - PARAMETERS + noise.freedom();
      double squares = early.squares() + late.squares() + noise.variance() * noise.freedom();
      double single = Math.max(squares / freedom, noise.least());
      double second = x[length - 1] - x[at];
      Judged judged = judged(early, late, single, single, healthy, second);
      double nats = judged.nats(freedom);
      if (nats > best.nats()) {
        // A line that was always as steep as it is seems to be steeper than healthy ones, too.
        nats = Math.min(nats, always(early, late, single, second, freedom));
      }
      if (nats > best.nats()) {
        best = new SlopeStep(judged.seen(), late.slope(), judged.error(), second, at, nats);
      }
    }
    return best.at() < 0 ? NONE : persistent(best, sums, healthy, noise);
  }

  /**
   * What speaks against a line that is not healthy but was always as steep as it is: few are, and
   * such a one could have any slope up to the steepest.
   */
  private static double always(
      LineSums.Line early, LineSums.Line late, double single, double passed, int freedom) {
    Judged ofSeen = judged(early, late, single, single, STEEPEST, passed);
    return ofSeen.nats(freedom) + ALWAYS + Math.log(Math.max(1, STEEPEST / ofSeen.error()));
  }

  /**
   * What is alike in neighbouring residuals is no noise of single points: it adds up after all, so
   * that the error of the slope is larger than it seems.
   */
  private static SlopeStep persistent(
      SlopeStep best, LineSums sums, double healthy, ReadingNoise noise) {
    int length = sums.length();
    LineSums.Line early = sums.line(0, best.at() + 1);
    LineSums.Line late = sums.line(best.at(), length);
    int freedom = length - PARAMETERS + noise.freedom();
    double squares = early.squares() + late.squares() + noise.variance() * noise.freedom();
    double single = Math.max(squares / freedom, noise.least());
    Judged judged =
        judged(
            early,
            late,
            single * persistence(sums.alike(early, 0, best.at() + 1)),
            single * persistence(sums.alike(late, best.at(), length)),
            healthy,
            best.passed());
    double nats = Math.min(judged.nats(freedom), best.nats());
    return new SlopeStep(judged.seen(), late.slope(), judged.error(), best.passed(), best.at(), 0)
        .judged(judged.error(), nats - Math.log(length));
  }

  /**
   * Log-likelihood ratio of a straight line that is steeper than a limit against one that is as
   * steep; each point is off for itself.
   */
  public static double natsAbove(
      double limit, double[] x, double[] y, byte[] sizes, ReadingNoise noise) {
    int length = x.length;
    if (length < LEAST_BEFORE + PARAMETERS || !(x[length - 1] > x[0])) {
      return 0;
    }
    LineSums sums = new LineSums(x, y, sizes);
    LineSums.Line line = sums.line(0, length);
    int freedom = length - 2 + noise.freedom();
    double squares = line.squares() + noise.variance() * noise.freedom();
    double single = Math.max(squares / freedom, noise.least());
    double events = OVERDISPERSION * limit / (x[length - 1] - x[0]);
    double persistence = persistence(sums.alike(line, 0, length));
    return nats(
        line.slope() - limit, Math.sqrt(single * persistence / line.spread() + events), freedom);
  }

  private static double persistence(double alike) {
    double bounded = Math.clamp(alike, 0, MOST_ALIKE);
    return (1 + bounded) / (1 - bounded);
  }

  /** The slope before as it is to be believed, by how much more is lost now, and its error. */
  private record Judged(double seen, double excess, double error) {
    double nats(int freedom) {
      return SlopeStep.nats(excess, error, freedom);
    }
  }

  private static Judged judged(
      LineSums.Line early,
      LineSums.Line late,
      double earlySingle,
      double lateSingle,
      double healthy,
      double passed) {
    double share = healthy * healthy / (healthy * healthy + earlySingle / early.spread());
    double seen = early.slope() * share;
    double variance = earlySingle / early.spread() * share;
    double usual = OVERDISPERSION * (Math.max(seen, 0) + Math.sqrt(variance));
    double error = Math.sqrt(lateSingle / late.spread() + variance + usual / passed);
    return new Judged(seen, Math.min(late.slope() - seen, late.slope()), error);
  }

  private SlopeStep judged(double withError, double withNats) {
    return new SlopeStep(before, after, withError, passed, at, Math.max(0, withNats));
  }

  /**
   * Where all adds up: what is added now is held against how much was added before, by how much
   * that varied; and it must be steady enough now, so that a burst is no step.
   *
   * @param least the smallest error of one point that is believed
   */
  public static SlopeStep ofWalk(double[] x, double[] y, byte[] sizes, double least) {
    int length = x.length;
    double range = length == 0 ? 0 : x[length - 1] - x[0];
    if (length < LEAST_BEFORE + LEAST_AFTER + PARAMETERS || !(range > 0)) {
      return NONE;
    }
    double[] squares = new double[length];
    int[] points = new int[length];
    for (int at = 1; at < length; at++) {
      double passed = x[at] - x[at - 1];
      double missing = y[at] - y[at - 1];
      squares[at] = squares[at - 1] + (passed > 0 ? missing * missing / passed : 0);
      points[at] = points[at - 1] + sizes[at - 1];
    }
    int[] largest = largestStepFrom(y);
    double floor = least * least * (points[length - 1] + sizes[length - 1]) / range;
    SlopeStep best = NONE;
    for (int at = LEAST_BEFORE; at < length - LEAST_AFTER; at++) {
      double first = x[at] - x[0];
      double second = x[length - 1] - x[at];
      double early = (y[at] - y[0]) / first;
      double late = (y[length - 1] - y[at]) / second;
      int burst = largest[at + 1];
      double others =
          (y[length - 1] - y[at] - (y[burst] - y[burst - 1]))
              / Math.max(1, second - (x[burst] - x[burst - 1]));
      double excess = Math.min(Math.min(late, others) - early, Math.min(late, others));
      double earlySquares = Math.max(0, squares[at] - early * early * first);
      double lateSquares = Math.max(0, squares[length - 1] - squares[at] - late * late * second);
      double varied = OF_MEANS * earlySquares / (at - 1);
      double usual = Math.max(varied, floor);
      double events = OVERDISPERSION * Math.max(early, 0);
      double error = Math.sqrt((usual + events) * (1 / first + 1 / second));
      int freedom = varied > floor ? at - 1 : points[at];
      int all = length - PARAMETERS;
      double now = Math.max(floor, OF_MEANS * (earlySquares + lateSquares) / all);
      double steady = Math.sqrt(now * (1 / first + 1 / second));
      double nats = Math.min(nats(excess, error, freedom), STEADY * nats(excess, steady, all));
      if (nats > best.nats()) {
        best = new SlopeStep(early, late, error, second, at, nats);
      }
    }
    return best.judged(best.error(), best.nats() - Math.log(length));
  }

  /** For each step the largest one from there on. */
  private static int[] largestStepFrom(double[] y) {
    int[] largest = new int[y.length];
    int best = y.length - 1;
    for (int at = y.length - 1; at > 0; at--) {
      best = y[at] - y[at - 1] > y[best] - y[best - 1] ? at : best;
      largest[at] = best;
    }
    return largest;
  }
}
