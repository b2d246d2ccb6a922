package io.fabrichealth.collect.prometheus;

import io.fabrichealth.signal.SignalDictionary;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/**
 * Which metric of an exporter is which signal of which port, compiled for look-up by the bytes of a
 * name. Immutable after loading; made from the YAML files {@code prometheus/*.yaml}.
 */
public final class MetricMapping {
  private static final String FILES = "classpath*:prometheus/*.yaml";

  private final SignalDictionary dictionary;
  private final ByteNames names;
  private final List<Entry> entries;
  private final List<SignalColumns> signals;
  private final List<PortShape> shapes;
  private final int[] columnsOfShape;
  private final Map<Long, List<SignalColumns>> signalsByShapes = new ConcurrentHashMap<>();
  private final List<LeftOut> leftOut;

  MetricMapping(
      SignalDictionary dictionary,
      ByteNames names,
      List<Entry> entries,
      List<SignalColumns> signals,
      List<PortShape> shapes,
      List<LeftOut> leftOut) {
    this.dictionary = dictionary;
    this.names = names;
    this.entries = List.copyOf(entries);
    this.signals = List.copyOf(signals);
    this.shapes = List.copyOf(shapes);
    this.leftOut = List.copyOf(leftOut);
    columnsOfShape = new int[shapes.size()];
    for (SignalColumns signal : signals) {
      signal.columns().forEach(column -> columnsOfShape[column.shape().index()]++);
    }
  }

  /** What a known metric is. */
  sealed interface Entry {
    /** A reading of a port. */
    record Reading(MetricColumn column) implements Entry {}

    /** A reading of the element that the label, the only one, names; columns by element. */
    record Element(List<byte[]> label, List<MetricColumn> columns) implements Entry {}

    /** Something else; the labels tell it, in the order that its kind asks for. */
    record Fact(FactKind kind, List<byte[]> labels) implements Entry {}

    /** Of the probes of flows. */
    record Probe(ProbeMetric metric) implements Entry {}

    /** Of an InfiniBand node. */
    record Node(NodeLabels labels) implements Entry {}
  }

  /** All columns of one signal, the best first. */
  record SignalColumns(int signal, List<MetricColumn> columns) {
    SignalColumns {
      columns = List.copyOf(columns);
    }

    boolean isOf(PortKind kind) {
      return columns.stream().anyMatch(column -> column.shape().kind() == kind);
    }
  }

  /** A rule that leaves interfaces out. */
  record LeftOut(String rule, Pattern netdev, boolean namesHost) {}

  /**
   * Reads the mapping that ships with the service, and what a site put beside it on the class path.
   *
   * @throws IllegalArgumentException where a file does not hold what is expected; the message names
   *     file and entry
   */
  public static MetricMapping load(SignalDictionary dictionary) {
    MappingCompiler compiler = new MappingCompiler(dictionary);
    try {
      for (Resource file : new PathMatchingResourcePatternResolver().getResources(FILES)) {
        String name = String.valueOf(file.getFilename());
        try (InputStream in = file.getInputStream()) {
          compiler.add(name, MappingFile.read(name, in));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return compiler.compile();
  }

  SignalDictionary dictionary() {
    return dictionary;
  }

  /** Number of a metric by its name; -1 where it is not known. */
  int find(byte[] text, int from, int to, int hash) {
    return names.find(text, from, to, hash);
  }

  /** The same by its name alone. */
  public int find(byte[] text, int from, int to) {
    return find(text, from, to, ByteNames.hash(text, from, to));
  }

  /** Names of all metrics, for asking for them. */
  public List<String> metrics() {
    return names.all();
  }

  int find(String metric) {
    byte[] text = metric.getBytes(StandardCharsets.US_ASCII);
    return find(text, 0, text.length);
  }

  Entry entry(int metric) {
    return entries.get(metric);
  }

  /** Number of metrics. */
  int size() {
    return entries.size();
  }

  /**
   * The signals that a port could have, each with the columns that could give it.
   *
   * @param shownAs a bit for the index of each shape as which the port is shown
   */
  List<SignalColumns> signals(long shownAs) {
    return signalsByShapes.computeIfAbsent(shownAs, this::signalsOf);
  }

  private List<SignalColumns> signalsOf(long shownAs) {
    List<SignalColumns> some = new ArrayList<>();
    for (SignalColumns signal : signals) {
      List<MetricColumn> columns =
          signal.columns().stream()
              .filter(column -> (shownAs >> column.shape().index() & 1) != 0)
              .toList();
      if (!columns.isEmpty()) {
        some.add(new SignalColumns(signal.signal(), columns));
      }
    }
    return some;
  }

  /** How ports are shown. */
  List<PortShape> shapes() {
    return shapes;
  }

  /** Number of columns of a shape. */
  int columns(PortShape shape) {
    return columnsOfShape[shape.index()];
  }

  List<SignalColumns> signals() {
    return signals;
  }

  /** The rule that leaves an interface out; null where none does. */
  @Nullable LeftOut leftOut(String netdev) {
    for (LeftOut rule : leftOut) {
      if (rule.netdev().matcher(netdev).matches()) {
        return rule;
      }
    }
    return null;
  }
}
