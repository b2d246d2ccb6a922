package io.fabrichealth.collect.prometheus;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What one page says of probes: the counts of each flow. Reused from page to page. */
final class ProbeTable {
  private static final int MOST_FLOWS = 65_536;
  private static final int MOST_BUCKETS = 512;
  private static final int LONGEST_KEY = 512;
  private static final byte[] BOUND = "le".getBytes(StandardCharsets.US_ASCII);

  private final byte[] key = new byte[LONGEST_KEY];
  private final ByteNames names = new ByteNames();
  private final List<Flow> flows = new ArrayList<>();

  /** The counts of one flow, since the prober started; NaN where the page does not say. */
  static final class Flow {
    private final String id;
    private final String tool;
    private final String source;
    private final String destination;
    private final TreeMap<Double, Double> buckets = new TreeMap<>();
    private double sent = Double.NaN;
    private double answered = Double.NaN;
    private int inFlight;
    private boolean isState;

    Flow(String id, String tool, String source, String destination) {
      this.id = id;
      this.tool = tool;
      this.source = source;
      this.destination = destination;
    }

    /** The same from page to page. */
    String id() {
      return id;
    }

    String tool() {
      return tool;
    }

    /** Empty where it is the target. */
    String source() {
      return source;
    }

    /** Empty where it is all peers. */
    String destination() {
      return destination;
    }

    double sent() {
      return sent;
    }

    double answered() {
      return answered;
    }

    /** Cumulative counts by upper bound in microseconds. */
    TreeMap<Double, Double> buckets() {
      return buckets;
    }

    int inFlight() {
      return inFlight;
    }

    /** Whether the counts are of this moment, and not since the prober started. */
    boolean isState() {
      return isState;
    }
  }

  void clear() {
    names.clear();
    flows.clear();
  }

  List<Flow> flows() {
    return flows;
  }

  /**
   * Takes a sample; one that does not say where to is another program's.
   *
   * @return false where there is no room for one flow more
   */
  boolean take(ProbeMetric metric, SampleLine line) {
    double value = line.value.value();
    if (!(value >= 0) || Double.isInfinite(value)) {
      return true; // no count: a histogram or counter that was not begun
    }
    Flow flow = flow(metric, line);
    if (flow == null) {
      return flows.size() < MOST_FLOWS;
    }
    switch (metric.counts()) {
      case SENT -> {
        flow.sent = value;
        flow.inFlight = metric.inFlight();
      }
      case ANSWERED -> flow.answered = value;
      case BUCKET -> takeBucket(flow, metric, line, value);
      case PEERS -> {
        flow.isState = true;
        String state = line.text(metric.lostLabel().getFirst());
        boolean isLost = state.equals(metric.lostValue());
        flow.sent = orZero(flow.sent) + value;
        flow.answered = orZero(flow.answered) + (isLost ? 0 : value);
      }
    }
    return true;
  }

  private static void takeBucket(Flow flow, ProbeMetric metric, SampleLine line, double value) {
    String text = line.text(BOUND);
    double bound = text.equals("+Inf") ? Double.POSITIVE_INFINITY : bound(text);
    if (bound >= 0 && flow.buckets.size() < MOST_BUCKETS) {
      flow.buckets.putIfAbsent(bound * metric.micros(), value);
    }
  }

  private static double bound(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    DecimalText number = new DecimalText();
    return number.parse(bytes, 0, bytes.length) ? number.value() : Double.NaN;
  }

  private static double orZero(double value) {
    return Double.isNaN(value) ? 0 : value;
  }

  private @Nullable Flow flow(ProbeMetric metric, SampleLine line) {
    int end = put(metric.tool(), 0);
    int sourceAt = end;
    end = put(metric.labels().source(), line, end, metric.labels().source().isEmpty());
    int sourceEnd = end;
    end = put(metric.labels().destination(), line, end, metric.labels().destination().isEmpty());
    int destinationEnd = end;
    end = put(metric.labels().flow(), line, end, true);
    if (end < 0) {
      return null;
    }
    int hash = ByteNames.hash(key, 0, end);
    int number = names.find(key, 0, end, hash);
    if (number >= 0) {
      return flows.get(number);
    }
    if (flows.size() == MOST_FLOWS) {
      return null;
    }
    names.add(key, 0, end, hash);
    Flow flow =
        new Flow(
            new String(key, 0, end, StandardCharsets.UTF_8),
            metric.tool(),
            SampleLine.unescape(key, Math.min(sourceAt + 1, sourceEnd), sourceEnd),
            SampleLine.unescape(key, Math.min(sourceEnd + 1, destinationEnd), destinationEnd));
    flows.add(flow);
    return flow;
  }

  private int put(String text, int at) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(bytes, 0, key, at, bytes.length);
    return at + bytes.length;
  }

  /** The place behind the values; -1 where one is missing, or they are too long. */
  private int put(List<byte[]> labels, SampleLine line, int from, boolean mayLack) {
    int end = from;
    for (byte[] name : labels) {
      if (end < 0 || end == LONGEST_KEY) {
        return -1;
      }
      // No value holds it unescaped.
      key[end++] = '\n';
      int label = line.find(name);
      int before = end;
      end = label < 0 ? end : line.copyValue(label, key, end);
      if (end == before && !mayLack) {
        return -1;
      }
    }
    return end;
  }
}
