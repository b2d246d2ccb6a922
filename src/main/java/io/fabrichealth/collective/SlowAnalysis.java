package io.fabrichealth.collective;

import java.util.List;

/**
 * Why a job that goes on is slow: a rank that computes longer than the others, or another one each
 * step. A rank that only waits, or passes on that it waited, is not blamed.
 *
 * <p>Only what a rank does by itself counts, see {@link OwnTime}.
 */
public final class SlowAnalysis {
  private SlowAnalysis() {}

  /**
   * What the recorders of a job tell.
   *
   * @param job its roster, for hosts; {@link Job#UNNAMED} where there is none
   */
  public static List<CollectiveFinding> analyze(Job job, List<FlightRecorder> recorders) {
    Timeline timeline = Timeline.of(recorders);
    Pace pace = Pace.of(timeline);
    if (timeline.ranks() < 2 || !(pace.spanMicros() > 0)) {
      return List.of();
    }
    OwnTime times = OwnTime.of(timeline);
    Gaps gaps = Gaps.of(timeline, times);
    List<Stragglers.Straggler> slow = Stragglers.of(timeline, times, gaps, pace).persistent();
    if (!slow.isEmpty()) {
      return new SlowReport(job, timeline, pace).stragglers(slow);
    }
    Rotation rotation = Rotation.of(timeline, times, gaps, pace);
    return rotation.isPersistent(pace)
        ? List.of(new SlowReport(job, timeline, pace).imbalance(rotation))
        : List.of();
  }
}
