package io.fabrichealth.latency;

import io.fabrichealth.latency.ProbeSample.Endpoint;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Round trips and loss between groups of endpoints: the median over the pairs of two groups, and
 * the ratio of all probes between them. What was not probed is NaN. A snapshot.
 */
public final class LatencyMatrix {
  /** What endpoints are put together by. */
  public enum Level {
    /** Each port of a host by itself. */
    PORT,
    HOST,
    /** By the leaf that the port is wired to. */
    RACK,
    /** By the rail of the port's link, or of the leaf. */
    RAIL
  }

  /** Rows and columns of the largest matrix: 50 MB while it is made. */
  public static final int MOST_GROUPS = 1_024;

  private final List<String> names;
  private final float[] recent;
  private final float[] baseline;
  private final long[] sent;
  private final long[] lost;

  private LatencyMatrix(List<String> names) {
    this.names = names;
    int cells = names.size() * names.size();
    recent = new float[cells];
    baseline = new float[cells];
    sent = new long[cells];
    lost = new long[cells];
  }

  /**
   * Endpoints whose group the fabric does not tell are left out.
   *
   * @throws IllegalArgumentException where there are more groups than {@link #MOST_GROUPS}
   */
  public static LatencyMatrix of(PairBaselines pairs, Fabric fabric, Level level) {
    String[] from = new String[pairs.pairs()];
    String[] to = new String[pairs.pairs()];
    Map<Endpoint, String> groups = new HashMap<>();
    TreeSet<String> all = new TreeSet<>();
    for (int pair = 0; pair < from.length; pair++) {
      from[pair] = groups.computeIfAbsent(pairs.src(pair), end -> group(fabric, level, end));
      to[pair] = groups.computeIfAbsent(pairs.dst(pair), end -> group(fabric, level, end));
    }
    groups.values().stream().filter(name -> !name.isEmpty()).forEach(all::add);
    if (all.size() > MOST_GROUPS) {
      throw new IllegalArgumentException(
          "%,d groups, and a matrix may have %,d: take a coarser level"
              .formatted(all.size(), MOST_GROUPS));
    }
    LatencyMatrix matrix = new LatencyMatrix(List.copyOf(all));
    matrix.fill(pairs, from, to);
    return matrix;
  }

  private static String group(Fabric fabric, Level level, Endpoint end) {
    return switch (level) {
      case PORT -> end.port() == null ? end.device() : end.device() + ":" + end.port();
      case HOST -> end.device();
      case RACK -> rack(fabric, end);
      case RAIL -> rail(fabric, end);
    };
  }

  private static @Nullable Link link(Fabric fabric, Endpoint end) {
    if (end.port() != null) {
      PortId port = fabric.names().port(end.device(), end.port());
      return port == null ? null : fabric.linkAt(port);
    }
    List<Link> links = fabric.linksOf(end.device());
    return links.size() == 1 ? links.getFirst() : null;
  }

  private static @Nullable String peer(@Nullable Link link, Endpoint end) {
    if (link == null) {
      return null;
    }
    for (PortId port : link.ends()) {
      if (!port.device().equals(end.device())) {
        return port.device();
      }
    }
    return null;
  }

  private static String rack(Fabric fabric, Endpoint end) {
    String leaf = peer(link(fabric, end), end);
    return leaf == null ? "" : leaf;
  }

  private static String rail(Fabric fabric, Endpoint end) {
    Link link = link(fabric, end);
    String leaf = peer(link, end);
    Device device = leaf == null ? null : fabric.device(leaf);
    Integer rail = link == null ? null : link.rail();
    rail = rail == null && device != null ? device.rail() : rail;
    return rail == null ? "" : "rail" + rail;
  }

  private void fill(PairBaselines pairs, String[] from, String[] to) {
    int[] cellOf = new int[from.length];
    int[] start = new int[recent.length + 1];
    Map<String, Integer> numbers = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      numbers.put(names.get(i), i);
    }
    for (int pair = 0; pair < cellOf.length; pair++) {
      Integer row = numbers.get(from[pair]);
      Integer column = numbers.get(to[pair]);
      cellOf[pair] = row == null || column == null ? -1 : row * names.size() + column;
      if (cellOf[pair] >= 0) {
        start[cellOf[pair] + 1]++;
        sent[cellOf[pair]] += pairs.recentSent(pair);
        lost[cellOf[pair]] += pairs.recentLost(pair);
      }
    }
    for (int cell = 0; cell < recent.length; cell++) {
      start[cell + 1] += start[cell];
    }
    float[] now = new float[start[recent.length]];
    float[] usual = new float[now.length];
    int[] next = start.clone();
    for (int pair = 0; pair < cellOf.length; pair++) {
      if (cellOf[pair] >= 0) {
        now[next[cellOf[pair]]] = (float) pairs.recentMicros(pair);
        usual[next[cellOf[pair]]++] = (float) pairs.baselineMicros(pair);
      }
    }
    for (int cell = 0; cell < recent.length; cell++) {
      recent[cell] = median(now, start[cell], start[cell + 1]);
      baseline[cell] = median(usual, start[cell], start[cell + 1]);
    }
  }

  /** Sorting puts NaN last. */
  private static float median(float[] values, int from, int to) {
    Arrays.sort(values, from, to);
    int end = to;
    while (end > from && Float.isNaN(values[end - 1])) {
      end--;
    }
    return end == from ? Float.NaN : values[from + (end - from - 1) / 2];
  }

  /** Of rows and columns, sorted. */
  public List<String> names() {
    return names;
  }

  /** Shortest round trips of late, microseconds; NaN where none was timed. */
  public double recentMicros(int row, int column) {
    return recent[row * names.size() + column];
  }

  /** Round trips without queues, microseconds; NaN where too little is known. */
  public double baselineMicros(int row, int column) {
    return baseline[row * names.size() + column];
  }

  /** Of the probes of late; NaN where none was sent. */
  public double lossRatio(int row, int column) {
    int cell = row * names.size() + column;
    return sent[cell] == 0 ? Double.NaN : (double) lost[cell] / sent[cell];
  }
}
