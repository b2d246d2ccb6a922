package io.fabrichealth.collect.prometheus;

import io.fabrichealth.collect.prometheus.MetricMapping.Entry;
import io.fabrichealth.collect.prometheus.MetricMapping.LeftOut;
import io.fabrichealth.collect.prometheus.MetricMapping.SignalColumns;
import io.fabrichealth.collect.prometheus.NodeLabels.Part;
import io.fabrichealth.signal.Signal;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Role;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Checks mapping files against the dictionary and makes one {@link MetricMapping} of them. */
final class MappingCompiler {
  private static final int DEFAULT_RANK = 50;
  private static final int PRIORITIES = 8;
  private static final int LANES = 16;
  private static final int BINS = 32;

  private final SignalDictionary dictionary;
  private final ByteNames names = new ByteNames();
  private final List<Entry> entries = new ArrayList<>();
  private final Map<Integer, List<MetricColumn>> columns = new TreeMap<>();
  private final List<PortShape> shapes = new ArrayList<>();
  private final List<LeftOut> leftOut = new ArrayList<>();
  private final List<Integer> columnCounts = new ArrayList<>();

  MappingCompiler(SignalDictionary dictionary) {
    this.dictionary = dictionary;
  }

  /**
   * @param name of the file, for messages
   * @throws IllegalArgumentException where an entry does not hold what is expected
   */
  void add(String name, MappingFile file) {
    if (file.metrics() != null) {
      PortShape shape = shape(name, file);
      int rank = file.rank() == null ? DEFAULT_RANK : file.rank();
      Common common =
          new Common(
              name, shape, rank, file.oldAfterSeconds() == null ? 0 : file.oldAfterSeconds());
      file.metrics().forEach((metric, entry) -> addMetric(common, metric, entry));
    }
    if (file.probes() != null) {
      file.probes().forEach((metric, entry) -> addProbe(name, metric, entry));
    }
    if (file.nodes() != null) {
      file.nodes().forEach((metric, entry) -> addNode(name, metric, entry));
    }
    if (file.facts() != null) {
      file.facts().forEach((metric, entry) -> addFact(name, metric, entry));
    }
    if (file.leftOut() != null) {
      file.leftOut().forEach(rule -> addRule(name, rule));
    }
  }

  MetricMapping compile() {
    List<SignalColumns> signals = new ArrayList<>();
    columns.forEach(
        (signal, unsorted) -> {
          List<MetricColumn> sorted = new ArrayList<>(unsorted);
          sorted.sort(
              Comparator.comparingInt(MetricColumn::rank).thenComparingInt(MetricColumn::element));
          signals.add(new SignalColumns(signal, sorted));
        });
    return new MetricMapping(dictionary, names, entries, signals, shapes, leftOut);
  }

  /** That of an earlier file where both show ports the same way. */
  private PortShape shape(String name, MappingFile file) {
    PortKind kind = oneOf(PortKind.class, file.kind(), name + ": kind");
    List<String> labels = file.labels() == null ? List.of() : file.labels();
    if (labels.isEmpty()) {
      throw new IllegalArgumentException(name + ": labels: expected those that name the port");
    }
    String device = file.device();
    if (kind.isOfHost() ? device != null : file.source() == null) {
      throw new IllegalArgumentException(
          name + (kind.isOfHost() ? ": device: expected none" : ": source: expected a name"));
    }
    if (kind == PortKind.NODE && (device == null || labels.size() != 1)) {
      throw new IllegalArgumentException(
          name + ": device: expected the label of the node's GUID, and one in labels");
    }
    NodeLabels node =
        file.node() == null ? null : nodeLabels(name, file.node(), device, labels.getFirst());
    PortShape shape =
        new PortShape(
            shapes.size(),
            kind,
            bytes(device == null ? List.of() : List.of(device)),
            bytes(labels),
            file.source(),
            node);
    for (PortShape known : shapes) {
      if (known.kind() == kind
          && isSame(known.device(), shape.device())
          && isSame(known.labels(), shape.labels())) {
        return known;
      }
    }
    shapes.add(shape);
    columnCounts.add(0);
    return shape;
  }

  private static boolean isSame(List<byte[]> one, List<byte[]> other) {
    return Arrays.deepEquals(one.toArray(), other.toArray());
  }

  private void addProbe(String file, String metric, MappingFile.Probe entry) {
    String where = file + ": " + metric;
    if (entry.tool() == null) {
      throw new IllegalArgumentException(where + ": tool: expected the prober's name");
    }
    ProbeMetric.Counts counts = oneOf(ProbeMetric.Counts.class, entry.counts(), where + ": counts");
    Map<String, String> lost = entry.lostWhere() == null ? Map.of() : entry.lostWhere();
    if (lost.size() != (counts == ProbeMetric.Counts.PEERS ? 1 : 0)) {
      throw new IllegalArgumentException(
          where + ": lost_where: expected one label where counts is peers, else none");
    }
    if ((counts == ProbeMetric.Counts.PEERS) == (entry.dst() != null)) {
      throw new IllegalArgumentException(
          where + ": dst: expected a label, or none where counts is peers");
    }
    register(
        where,
        metric,
        new Entry.Probe(
            new ProbeMetric(
                entry.tool(),
                counts,
                new ProbeMetric.Labels(
                    bytes(entry.src() == null ? null : List.of(entry.src())),
                    bytes(entry.dst() == null ? null : List.of(entry.dst())),
                    bytes(entry.flow())),
                or(entry.micros(), 1.0),
                or(entry.inFlight(), 0),
                bytes(List.copyOf(lost.keySet())),
                lost.isEmpty() ? null : lost.values().iterator().next())));
  }

  private void addNode(String file, String metric, MappingFile.Node entry) {
    String where = file + ": " + metric;
    if (entry.guid() == null) {
      throw new IllegalArgumentException(where + ": guid: expected the label of the GUID");
    }
    register(where, metric, new Entry.Node(nodeLabels(where, entry, entry.guid(), entry.port())));
  }

  private static NodeLabels nodeLabels(
      String where, MappingFile.Node entry, @Nullable String guid, @Nullable String port) {
    Map<Part, String> labels = new EnumMap<>(Part.class);
    put(labels, Part.GUID, guid);
    put(labels, Part.PORT, port);
    put(labels, Part.NAME, entry.name());
    put(labels, Part.TYPE, entry.type());
    put(labels, Part.REMOTE_GUID, entry.remoteGuid());
    put(labels, Part.REMOTE_PORT, entry.remotePort());
    put(labels, Part.REMOTE_NAME, entry.remoteName());
    put(labels, Part.REMOTE_TYPE, entry.remoteType());
    Role role = entry.role() == null ? null : oneOf(Role.class, entry.role(), where + ": role");
    return NodeLabels.of(labels, role);
  }

  private static void put(Map<Part, String> labels, Part part, @Nullable String label) {
    if (label != null) {
      labels.put(part, label);
    }
  }

  /** What a file says for all of its metrics. */
  private record Common(String file, PortShape shape, int rank, int oldAfterSeconds) {}

  private void addMetric(Common common, String metric, MappingFile.Metric entry) {
    String where = common.file() + ": " + metric;
    if (entry.signal() == null || !dictionary.contains(entry.signal())) {
      throw new IllegalArgumentException(
          where + ": signal '" + entry.signal() + "' is not in the dictionary");
    }
    int ordinal = dictionary.ordinal(entry.signal());
    Signal signal = dictionary.signal(ordinal);
    check(where, signal, entry);
    String placeholder = placeholder(where, metric, signal);
    if (entry.element() != null) {
      if (placeholder != null || elements(signal) == 1) {
        throw new IllegalArgumentException(
            "%s: element: expected none, as %s is by %s, or a placeholder says it"
                .formatted(where, signal.id(), signal.scope()));
      }
      List<MetricColumn> byElement = new ArrayList<>();
      for (int element = 0; element < elements(signal); element++) {
        byElement.add(addColumn(common, where, metric, ordinal, element, entry));
      }
      register(where, metric, new Entry.Element(bytes(List.of(entry.element())), byElement));
      return;
    }
    for (int element = 0; element < (placeholder == null ? 1 : elements(signal)); element++) {
      String concrete =
          placeholder == null ? metric : metric.replace(placeholder, Integer.toString(element));
      MetricColumn column = addColumn(common, where, concrete, ordinal, element, entry);
      register(where, concrete, new Entry.Reading(column));
    }
  }

  private static int elements(Signal signal) {
    return switch (signal.scope()) {
      case LANE -> LANES;
      case PRIORITY -> PRIORITIES;
      case BIN -> BINS;
      case PORT, QUEUE, DEVICE -> 1;
    };
  }

  private MetricColumn addColumn(
      Common common,
      String where,
      String metric,
      int ordinal,
      int element,
      MappingFile.Metric entry) {
    PortShape shape = common.shape();
    int index = columnCounts.get(shape.index());
    columnCounts.set(shape.index(), index + 1);
    MetricColumn column =
        new MetricColumn(
            index,
            metric,
            shape,
            ordinal,
            element,
            entry.rank() == null ? common.rank() : entry.rank(),
            common.oldAfterSeconds(),
            value(dictionary.signal(ordinal), entry));
    List<MetricColumn> ofSignal = columns.computeIfAbsent(ordinal, o -> new ArrayList<>());
    for (MetricColumn other : ofSignal) {
      if (other.element() == element
          && other.rank() == column.rank()
          && mayMeet(other.shape(), shape)) {
        throw new IllegalArgumentException(
            "%s: has the rank of %s, which gives the same signal: %d"
                .formatted(where, other.metric(), column.rank()));
      }
    }
    ofSignal.add(column);
    return column;
  }

  /** Whether one port can have both: the two ways to show a host's, or the same way. */
  private static boolean mayMeet(PortShape one, PortShape other) {
    return one.index() == other.index() || (one.kind().isOfHost() && other.kind().isOfHost());
  }

  private static MetricValue value(Signal signal, MappingFile.Metric entry) {
    boolean hasOwnWidth = entry.bits() != null;
    long end = signal.atEnd() == Signal.AtEnd.SATURATES && !hasOwnWidth ? signal.largest() : 0;
    return new MetricValue(
        signal.kind(),
        or(entry.scale(), 1.0),
        or(entry.divisor(), 1),
        or(entry.factor(), 1),
        or(entry.decimals(), 0),
        or(entry.oneWhere(), Double.NaN),
        or(entry.bit(), -1),
        Boolean.TRUE.equals(entry.negativeIsUnknown()),
        or(entry.noLightAt(), Double.NaN),
        or(entry.unknownFrom(), 0L),
        or(entry.bits(), 0),
        or(entry.saturatesAt(), end));
  }

  private static <V> V or(@Nullable V written, V otherwise) {
    return written == null ? otherwise : written;
  }

  private static void check(String where, Signal signal, MappingFile.Metric entry) {
    boolean counter = signal.kind() == Signal.Kind.COUNTER;
    if (counter
        && (entry.scale() != null
            || entry.oneWhere() != null
            || entry.bit() != null
            || entry.negativeIsUnknown() != null
            || entry.noLightAt() != null)) {
      throw new IllegalArgumentException(
          where + ": a counter takes no scale, one_where, bit, negative_is_unknown or no_light_at");
    }
    if (!counter
        && (entry.divisor() != null
            || entry.factor() != null
            || entry.decimals() != null
            || entry.unknownFrom() != null
            || entry.bits() != null
            || entry.saturatesAt() != null)) {
      throw new IllegalArgumentException(
          where
              + ": only a counter takes divisor, factor, decimals, unknown_from, bits, saturates_at");
    }
    if (entry.decimals() != null && (entry.decimals() < 0 || entry.decimals() > 9)) {
      throw new IllegalArgumentException(where + ": decimals: expected 0 to 9");
    }
    if (entry.factor() != null && entry.factor() < 1) {
      throw new IllegalArgumentException(where + ": factor: expected 1 or more");
    }
    if (entry.divisor() != null && entry.divisor() < 1) {
      throw new IllegalArgumentException(where + ": divisor: expected 1 or more");
    }
    if (entry.bits() != null && (entry.bits() < 1 || entry.bits() > 64)) {
      throw new IllegalArgumentException(where + ": bits: expected 1 to 64");
    }
    if (entry.bit() != null && (entry.bit() < 0 || entry.bit() > 62)) {
      throw new IllegalArgumentException(where + ": bit: expected 0 to 62");
    }
  }

  /** The placeholder in a metric's name; null where it has none. */
  private static @Nullable String placeholder(String where, String metric, Signal signal) {
    int open = metric.indexOf('{');
    if (open < 0) {
      return null;
    }
    String expected =
        switch (signal.scope()) {
          case LANE -> "{lane}";
          case PRIORITY -> "{priority}";
          case BIN -> "{bin}";
          case PORT, QUEUE, DEVICE -> "no placeholder";
        };
    if (!metric.startsWith(expected, open)) {
      throw new IllegalArgumentException(
          "%s: expected %s, as %s is by %s"
              .formatted(where, expected, signal.id(), signal.scope()));
    }
    return expected;
  }

  private void addFact(String file, String metric, MappingFile.Fact entry) {
    String where = file + ": " + metric;
    FactKind kind = oneOf(FactKind.class, entry.fact(), where + ": fact");
    List<byte[]> labels = bytes(entry.labels());
    if (labels.size() != kind.labels()) {
      throw new IllegalArgumentException(
          where + ": labels: expected " + kind.labels() + ", found " + labels.size());
    }
    register(where, metric, new Entry.Fact(kind, labels));
  }

  private void addRule(String file, MappingFile.LeftOutRule rule) {
    try {
      boolean namesHost = Boolean.TRUE.equals(rule.namesHost());
      leftOut.add(new LeftOut(rule.rule(), Pattern.compile(rule.netdev()), namesHost));
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          file + ": left_out: " + rule.rule() + ": " + e.getMessage(), e);
    }
  }

  private void register(String where, String metric, Entry entry) {
    byte[] text = metric.getBytes(StandardCharsets.US_ASCII);
    int hash = ByteNames.hash(text, 0, text.length);
    if (names.find(text, 0, text.length, hash) >= 0) {
      throw new IllegalArgumentException(where + ": '" + metric + "' is defined twice");
    }
    names.add(text, 0, text.length, hash);
    entries.add(entry);
  }

  private static List<byte[]> bytes(@Nullable List<String> labels) {
    return labels == null
        ? List.of()
        : labels.stream().map(label -> label.getBytes(StandardCharsets.US_ASCII)).toList();
  }

  private static <E extends Enum<E>> E oneOf(Class<E> type, @Nullable String name, String where) {
    for (E constant : type.getEnumConstants()) {
      if (constant.name().toLowerCase(Locale.ROOT).equals(name)) {
        return constant;
      }
    }
    throw new IllegalArgumentException(
        "%s: '%s' is not one of %s"
            .formatted(
                where, name, List.of(type.getEnumConstants()).toString().toLowerCase(Locale.ROOT)));
  }
}
