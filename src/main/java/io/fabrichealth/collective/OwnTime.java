package io.fabrichealth.collective;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a rank did between its operations: the time from the end of what it waited for to the next
 * that it issued. Lateness that a rank only passes on is not in it, since it waited for it.
 *
 * <p>Where the recorder noticed the end, both times are of one clock. Where it did not, an
 * operation ends when its last member came, by clocks that {@link ClockSkew} makes comparable;
 * where a member's record lacks, the others may have waited for it, and what they did is not known.
 */
final class OwnTime {
  private final Timeline timeline;
  private final double[] own;
  private final double[] beyondPeers;
  private final double[] sinceMeeting;
  private final double[] beyondPeersSince;
  private final @Nullable ClockSkew skew;

  private OwnTime(Timeline timeline) {
    this.timeline = timeline;
    own = new double[timeline.size()];
    beyondPeers = new double[timeline.size()];
    sinceMeeting = new double[timeline.size()];
    beyondPeersSince = new double[timeline.size()];
    skew = isMeasured(timeline) ? null : ClockSkew.of(timeline);
    Arrays.fill(own, Double.NaN);
    Arrays.fill(beyondPeers, Double.NaN);
    Arrays.fill(sinceMeeting, Double.NaN);
    Arrays.fill(beyondPeersSince, Double.NaN);
  }

  static OwnTime of(Timeline timeline) {
    OwnTime times = new OwnTime(timeline);
    double[] ends = new double[timeline.collectives()];
    for (int collective = 0; times.skew != null && collective < ends.length; collective++) {
      ends[collective] = times.lastArrival(collective, times.skew);
    }
    for (int rank = 0; rank < timeline.ranks(); rank++) {
      times.fill(rank, ends);
    }
    for (int collective = 0; collective < timeline.collectives(); collective++) {
      times.compare(collective, times.own, times.beyondPeers);
      times.compare(collective, times.sinceMeeting, times.beyondPeersSince);
    }
    return times;
  }

  /** Microseconds before an entry; NaN where not known. */
  double before(int entry) {
    return own[entry];
  }

  /** How much more than the quickest member of the same collective; NaN where not known. */
  double beyondPeers(int entry) {
    return beyondPeers[entry];
  }

  /**
   * What the rank did since it last met others in a collective: what lies between sends, receives
   * and groups of one rank added up; NaN where not known.
   */
  double sinceMeeting(int entry) {
    return sinceMeeting[entry];
  }

  /** How much more that is than the quickest member's; NaN where not known. */
  double beyondPeersSince(int entry) {
    return beyondPeersSince[entry];
  }

  /** Whether the recorders noticed the ends, so that no other clock was needed. */
  boolean isMeasured() {
    return skew == null;
  }

  /** How the ranks' clocks differ. */
  ClockSkew skew() {
    return skew == null ? ClockSkew.of(timeline) : skew;
  }

  private static boolean isMeasured(Timeline timeline) {
    int unknown = 0;
    for (int entry = 0; entry < timeline.size(); entry++) {
      if (Double.isNaN(timeline.completed(entry))) {
        unknown++;
      }
    }
    return unknown <= timeline.size() / 2;
  }

  private double lastArrival(int collective, ClockSkew skew) {
    double last = Double.NEGATIVE_INFINITY;
    int first = timeline.rankOf(timeline.member(timeline.membersFrom(collective)));
    for (int i = timeline.membersFrom(collective); i < timeline.membersTo(collective); i++) {
      int entry = timeline.member(i);
      int rank = timeline.rankOf(entry);
      if (!skew.comparable(first, rank) || Double.isNaN(timeline.created(entry))) {
        return Double.NaN;
      }
      last = Math.max(last, skew.common(rank, timeline.created(entry)));
    }
    return last;
  }

  private void fill(int rank, double[] ends) {
    double free = Double.NEGATIVE_INFINITY;
    double carried = 0;
    for (int entry = timeline.firstOf(rank); entry < timeline.endOf(rank); entry++) {
      double now = timeline.created(entry);
      if (Double.isNaN(now)) {
        continue;
      }
      if (free != Double.NEGATIVE_INFINITY) {
        own[entry] = Math.max(0, now - free);
      }
      sinceMeeting[entry] = carried + own[entry];
      boolean mayHaveWaited = entry > timeline.firstOf(rank) && isOpenReceive(entry - 1);
      carried =
          timeline.collectiveOf(entry) >= 0 ? 0 : mayHaveWaited ? Double.NaN : sinceMeeting[entry];
      double end = timeline.completed(entry);
      int collective = timeline.collectiveOf(entry);
      if (Double.isNaN(end) && skew != null && collective >= 0) {
        end = skew.own(rank, ends[collective]);
      }
      boolean isOver = !Double.isNaN(timeline.completed(entry)) || timeline.isRecordedByAll(entry);
      free =
          isOver
              ? Math.max(free, Double.isNaN(end) ? now : Math.max(now, end))
              : Double.NEGATIVE_INFINITY;
    }
  }

  /** How long a receive waited for its sender is not known where its end is not. */
  private boolean isOpenReceive(int entry) {
    return Double.isNaN(timeline.completed(entry)) && timeline.isReceive(entry);
  }

  private void compare(int collective, double[] time, double[] beyond) {
    double least = Double.POSITIVE_INFINITY;
    int known = 0;
    for (int i = timeline.membersFrom(collective); i < timeline.membersTo(collective); i++) {
      double of = time[timeline.member(i)];
      if (!Double.isNaN(of)) {
        least = Math.min(least, of);
        known++;
      }
    }
    for (int i = timeline.membersFrom(collective);
        known > 1 && i < timeline.membersTo(collective);
        i++) {
      int entry = timeline.member(i);
      beyond[entry] = time[entry] - least;
    }
  }
}
