package io.fabrichealth.collective;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How far each rank's clock is from that of the others, from nothing but when operations were
 * issued.
 *
 * <p>Nobody leaves a collective that blocks before everybody entered it. So of two members a and b,
 * the next operation of a comes after the collective's of b, and the other way round: two bounds on
 * the difference of their clocks, tight where the next operation follows at once. What does not
 * block (asynchronous work) gives bounds that contradict each other and is left out; of the bounds
 * that remain, that difference is taken which most of them allow (Marzullo's algorithm, as NTP
 * chooses among servers). Blocks of time give the drift.
 */
final class ClockSkew {
  private static final int FEWEST = 4;
  private static final int A_BLOCK = 48;
  private static final int MOST_BLOCKS = 16;
  private static final int BLOCKS_FOR_DRIFT = 3;
  private static final int FEWEST_FOR_LONER = 4;
  private static final double APART_MICROS = 5_000;

  private final double[] offset;
  private final double[] slope;
  private final int[] island;

  private ClockSkew(int ranks) {
    offset = new double[ranks];
    slope = new double[ranks];
    island = new int[ranks];
    Arrays.fill(island, -1);
  }

  /** The clocks of two ranks differ by so much at a time, give or take half the width. */
  private record Edge(
      int from, int to, double offset, double slope, double width, double low, double high) {
    Edge reversed() {
      return new Edge(to, from, -offset, -slope, width, -high, -low);
    }

    /** The same, with a difference that the bounds allow as well. */
    Edge at(double other) {
      return new Edge(from, to, other, 0, width, low, high);
    }

    boolean allows(double other) {
      return low <= other && other <= high;
    }
  }

  private record Block(double middle, double offset, double width, double low, double high) {}

  static ClockSkew of(Timeline timeline) {
    List<List<Edge>> edges = new ArrayList<>();
    for (int rank = 0; rank < timeline.ranks(); rank++) {
      edges.add(new ArrayList<>());
    }
    int begin = 0;
    while (begin < timeline.collectives()) {
      int end = begin;
      while (end < timeline.collectives()
          && timeline.groupOfCollective(end) == timeline.groupOfCollective(begin)) {
        end++;
      }
      for (Edge edge : edges(timeline, begin, end)) {
        edges.get(edge.from()).add(edge);
        edges.get(edge.to()).add(edge.reversed());
      }
      begin = end;
    }
    ClockSkew skew = new ClockSkew(timeline.ranks());
    for (int rank = 0; rank < timeline.ranks(); rank++) {
      if (skew.island[rank] < 0) {
        skew.spread(rank, edges);
      }
    }
    return skew;
  }

  /** Whether the clocks of two ranks can be compared. */
  boolean comparable(int rank, int other) {
    return island[rank] == island[other];
  }

  /** The time by the common clock. */
  double common(int rank, double time) {
    return time - offset[rank] - slope[rank] * time;
  }

  /** The time by a rank's own clock. */
  double own(int rank, double common) {
    return (common + offset[rank]) / (1 - slope[rank]);
  }

  /** From one rank outwards, always along the tightest bound. */
  private void spread(int root, List<List<Edge>> edges) {
    island[root] = root;
    PriorityQueue<Edge> open =
        new PriorityQueue<>((one, other) -> Double.compare(one.width(), other.width()));
    open.addAll(edges.get(root));
    while (!open.isEmpty()) {
      Edge edge = open.poll();
      if (island[edge.to()] >= 0) {
        continue;
      }
      island[edge.to()] = root;
      offset[edge.to()] = offset[edge.from()] + edge.offset();
      slope[edge.to()] = slope[edge.from()] + edge.slope();
      open.addAll(edges.get(edge.to()));
    }
  }

  /** The clocks of a group's members against that of the lowest rank of them. */
  private static List<Edge> edges(Timeline timeline, int begin, int end) {
    Map<Integer, int[]> entriesOf = new TreeMap<>();
    for (int collective = begin; collective < end; collective++) {
      for (int i = timeline.membersFrom(collective); i < timeline.membersTo(collective); i++) {
        int entry = timeline.member(i);
        entriesOf
                .computeIfAbsent(timeline.rankOf(entry), rank -> unknown(end - begin))[
                collective - begin] =
            entry;
      }
    }
    List<Edge> edges = new ArrayList<>();
    int hub = -1;
    int[] ofHub = {};
    for (Map.Entry<Integer, int[]> member : entriesOf.entrySet()) {
      if (hub < 0) {
        hub = member.getKey();
        ofHub = member.getValue();
        continue;
      }
      Edge edge = edge(timeline, hub, ofHub, member.getKey(), member.getValue());
      if (edge != null) {
        edges.add(edge);
      }
    }
    return withoutLoners(edges);
  }

  /**
   * That one rank alone has another clock than all others of its group is less likely than that it
   * is late: ranks of a host share its clock. So where the bounds allow both, it is taken as late.
   */
  private static List<Edge> withoutLoners(List<Edge> edges) {
    double[] offsets = new double[edges.size() + 1];
    for (int i = 0; i < edges.size(); i++) {
      offsets[i] = edges.get(i).offset();
    }
    if (offsets.length < FEWEST_FOR_LONER) {
      return edges;
    }
    double usual = Quantiles.median(offsets);
    List<Edge> apart =
        edges.stream().filter(edge -> Math.abs(edge.offset() - usual) > APART_MICROS).toList();
    boolean isHub = Math.abs(usual) > APART_MICROS;
    if (isHub && apart.isEmpty() && edges.stream().allMatch(edge -> edge.allows(0))) {
      return edges.stream().map(edge -> edge.at(0)).toList();
    }
    if (!isHub && apart.size() == 1 && apart.getFirst().allows(usual)) {
      Edge loner = apart.getFirst();
      return edges.stream().map(edge -> edge.equals(loner) ? edge.at(usual) : edge).toList();
    }
    return edges;
  }

  private static int[] unknown(int size) {
    int[] entries = new int[size];
    Arrays.fill(entries, -1);
    return entries;
  }

  private static @Nullable Edge edge(
      Timeline timeline, int hub, int[] ofHub, int rank, int[] ofRank) {
    int[] shared = new int[ofHub.length];
    int count = 0;
    for (int i = 0; i < ofHub.length; i++) {
      if (hasNext(timeline, hub, ofHub[i]) && hasNext(timeline, rank, ofRank[i])) {
        shared[count++] = i;
      }
    }
    int blocks = Math.clamp(count / A_BLOCK, 1, MOST_BLOCKS);
    List<Block> found = new ArrayList<>();
    for (int block = 0; block < blocks; block++) {
      int from = (int) ((long) count * block / blocks);
      int to = (int) ((long) count * (block + 1) / blocks);
      Bounds bounds = new Bounds();
      for (int i = from; i < to; i++) {
        int at = shared[i];
        bounds.add(timeline, ofHub[at], ofRank[at]);
      }
      Block result =
          to == from ? null : bounds.agree(timeline.created(ofHub[shared[from + (to - from) / 2]]));
      if (result != null) {
        found.add(result);
      }
    }
    return found.isEmpty() ? null : line(hub, rank, found);
  }

  private static boolean hasNext(Timeline timeline, int rank, int entry) {
    return entry >= 0
        && entry + 1 < timeline.endOf(rank)
        && !Double.isNaN(timeline.created(entry))
        && !Double.isNaN(timeline.created(entry + 1));
  }

  /** A line by the medians of slopes and offsets (Theil and Sen). */
  private static Edge line(int hub, int rank, List<Block> blocks) {
    double[] slopes = new double[blocks.size() * (blocks.size() - 1) / 2];
    int count = 0;
    for (int i = 0; i < blocks.size(); i++) {
      for (int j = i + 1; j < blocks.size(); j++) {
        double apart = blocks.get(j).middle() - blocks.get(i).middle();
        if (apart > 0) {
          slopes[count++] = (blocks.get(j).offset() - blocks.get(i).offset()) / apart;
        }
      }
    }
    double slope =
        blocks.size() < BLOCKS_FOR_DRIFT || count == 0
            ? 0
            : Quantiles.median(Arrays.copyOf(slopes, count));
    double offset =
        Quantiles.median(
            blocks.stream().mapToDouble(b -> b.offset() - slope * b.middle()).toArray());
    double width = Quantiles.median(blocks.stream().mapToDouble(Block::width).toArray());
    double low = Quantiles.median(blocks.stream().mapToDouble(Block::low).toArray());
    double high = Quantiles.median(blocks.stream().mapToDouble(Block::high).toArray());
    return new Edge(hub, rank, offset, slope, width, low, high);
  }

  /** The bounds of one pair in one block of time, by what was called and what came next. */
  private static final class Bounds {
    private final Map<Long, Place> byKinds = new HashMap<>();

    void add(Timeline timeline, int ofHub, int ofRank) {
      long kinds = (long) timeline.kindOf(ofRank) * timeline.kinds() + timeline.kindOf(ofRank + 1);
      byKinds.computeIfAbsent(kinds, fresh -> new Place()).add(timeline, ofHub, ofRank);
    }

    @Nullable Block agree(double middle) {
      List<Place> sound = byKinds.values().stream().filter(Place::blocks).toList();
      double most = 0;
      double low = 0;
      double high = 0;
      for (Place at : sound) {
        double votes = 0;
        double upper = Double.POSITIVE_INFINITY;
        for (Place other : sound) {
          if (other.least <= at.least && at.least <= other.most) {
            votes += other.count;
            upper = Math.min(upper, other.most);
          }
        }
        if (votes > most) {
          most = votes;
          low = at.least;
          high = upper;
        }
      }
      return most == 0 ? null : within(middle, low, high, sound);
    }

    /**
     * Bounds of a rank that is always last leave a gap on one side. What is issued at once after a
     * collective on one rank is so on all, and tells the difference directly.
     */
    private static Block within(double middle, double low, double high, List<Place> sound) {
      Block best = new Block(middle, (low + high) / 2, high - low, low, high);
      for (Place place : sound) {
        double offset = Quantiles.median(Arrays.copyOf(place.apart, place.count));
        if (2 * place.quickest < best.width()
            && offset >= low - place.quickest
            && offset <= high + place.quickest) {
          best = new Block(middle, offset, 2 * place.quickest, low, high);
        }
      }
      return best;
    }
  }

  /** A collective and what is issued after it. */
  private static final class Place {
    private double least = Double.NEGATIVE_INFINITY;
    private double most = Double.POSITIVE_INFINITY;
    private double quickest = Double.POSITIVE_INFINITY;
    private double[] apart = new double[FEWEST];
    private int count;

    void add(Timeline timeline, int ofHub, int ofRank) {
      double hub = timeline.created(ofHub);
      double hubNext = timeline.created(ofHub + 1);
      double rank = timeline.created(ofRank);
      double rankNext = timeline.created(ofRank + 1);
      least = Math.max(least, rank - hubNext);
      most = Math.min(most, rankNext - hub);
      quickest = Math.min(quickest, Math.min(rankNext - rank, hubNext - hub));
      if (count == apart.length) {
        apart = Arrays.copyOf(apart, count * 2);
      }
      apart[count++] = rankNext - hubNext;
    }

    boolean blocks() {
      return count >= FEWEST && least <= most;
    }
  }
}
