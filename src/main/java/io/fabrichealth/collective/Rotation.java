package io.fabrichealth.collective;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Steps in which one rank was late and all others waited for it, another one each time.
 *
 * @param lateSteps in which one rank stands out
 * @param steps recorded
 * @param ranks how many different ranks it was
 * @param lostMicros that the others waited for it
 */
record Rotation(int lateSteps, int steps, int ranks, double lostMicros) {
  static final Rotation NONE = new Rotation(0, 1, 0, 0);
  private static final int FEWEST_STEPS = 5;
  private static final int FEWEST_RANKS = 2;
  private static final double LATE_MICROS = 5_000;
  private static final double LATE_STEP_SHARE = 0.1;
  private static final double STEP_SHARE = 0.2;
  private static final double STANDS_OUT = 0.5;
  private static final double MOST_STEPS = 0.6;
  private static final double LOST_SHARE = 0.1;
  private static final double USUAL = 0.25;
  private static final double QUICKEST = 0.05;
  private static final double NOISE = 6;

  boolean isPersistent(Pace pace) {
    return lateSteps >= Math.max(FEWEST_STEPS, MOST_STEPS * steps)
        && ranks >= FEWEST_RANKS
        && lostMicros >= LOST_SHARE * pace.spanMicros();
  }

  static Rotation of(Timeline timeline, OwnTime times, Gaps gaps, Pace pace) {
    double[] late = new double[timeline.size()];
    double sum = 0;
    for (int place = 0; place < gaps.places(); place++) {
      int begin = gaps.from(place);
      while (begin < gaps.to(place)) {
        int end = gaps.endOfRank(timeline, place, begin);
        sum += gather(times, gaps, pace, begin, end, late);
        begin = end;
      }
    }
    return sum < LOST_SHARE * pace.spanMicros() ? NONE : byStep(timeline, times.skew(), late, pace);
  }

  /** What goes beyond the usual for this rank and place, and beyond the other members'. */
  private static double gather(
      OwnTime times, Gaps gaps, Pace pace, int begin, int end, double[] late) {
    double[] own = new double[end - begin];
    double[] beyond = new double[end - begin];
    for (int i = begin; i < end; i++) {
      own[i - begin] = times.sinceMeeting(gaps.entry(i));
      beyond[i - begin] = times.beyondPeersSince(gaps.entry(i));
    }
    Arrays.sort(own);
    Arrays.sort(beyond);
    double usual = Quantiles.of(own, USUAL);
    double noise = Quantiles.of(beyond, USUAL) - Quantiles.of(beyond, QUICKEST);
    double enough =
        Math.max(LATE_MICROS, Math.max(LATE_STEP_SHARE * pace.stepMicros(), NOISE * noise));
    double sum = 0;
    for (int i = begin; i < end; i++) {
      int entry = gaps.entry(i);
      double more = Math.min(times.sinceMeeting(entry) - usual, times.beyondPeersSince(entry));
      if (more > enough) {
        late[entry] = more;
        sum += more;
      }
    }
    return sum;
  }

  private static Rotation byStep(Timeline timeline, ClockSkew skew, double[] late, Pace pace) {
    Map<Long, Map<Integer, Double>> steps = new HashMap<>();
    for (int entry = 0; entry < late.length; entry++) {
      if (late[entry] > 0) {
        int rank = timeline.rankOf(entry);
        double at = skew.common(rank, timeline.created(entry));
        steps
            .computeIfAbsent((long) (at / pace.stepMicros()), fresh -> new HashMap<>())
            .merge(rank, late[entry], Double::sum);
      }
    }
    int lateSteps = 0;
    double lost = 0;
    Set<Integer> ranks = new HashSet<>();
    for (Map<Integer, Double> step : steps.values()) {
      double all = step.values().stream().mapToDouble(time -> time).sum();
      Map.Entry<Integer, Double> most =
          step.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
      if (most.getValue() >= STEP_SHARE * pace.stepMicros()
          && most.getValue() >= STANDS_OUT * all) {
        lateSteps++;
        lost += most.getValue();
        ranks.add(most.getKey());
      }
    }
    return new Rotation(lateSteps, pace.steps(), ranks.size(), lost);
  }
}
