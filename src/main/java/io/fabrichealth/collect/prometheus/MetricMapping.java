package io.fabrichealth.collect.prometheus;

import io.fabrichealth.signal.SignalDictionary;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
  private final List<MetricColumn> columns;
  private final List<SignalColumns> signals;
  private final Map<PortKind, List<byte[]>> portLabels;
  private final List<LeftOut> leftOut;

  MetricMapping(
      SignalDictionary dictionary,
      ByteNames names,
      List<Entry> entries,
      List<SignalColumns> signals,
      Map<PortKind, List<byte[]>> portLabels,
      List<LeftOut> leftOut) {
    this.dictionary = dictionary;
    this.names = names;
    this.entries = List.copyOf(entries);
    this.signals = List.copyOf(signals);
    this.portLabels = new EnumMap<>(portLabels);
    this.leftOut = List.copyOf(leftOut);
    List<MetricColumn> all = new ArrayList<>();
    for (Entry entry : entries) {
      if (entry instanceof Entry.Reading reading) {
        all.add(reading.column());
      }
    }
    columns = List.copyOf(all);
  }

  /** What a known metric is. */
  sealed interface Entry {
    /** A reading of a port. */
    record Reading(MetricColumn column) implements Entry {}

    /** Something else; the labels tell it, in the order that its kind asks for. */
    record Fact(FactKind kind, List<byte[]> labels) implements Entry {}
  }

  /**
   * All columns of one signal, the best first.
   *
   * @param kinds of ports that could have the signal
   */
  record SignalColumns(int signal, List<MetricColumn> columns, Set<PortKind> kinds) {
    SignalColumns {
      columns = List.copyOf(columns);
      kinds = EnumSet.copyOf(kinds);
    }

    SignalColumns(int signal, List<MetricColumn> columns) {
      this(signal, columns, columns.stream().map(MetricColumn::port).collect(Collectors.toSet()));
    }

    boolean isOf(PortKind kind) {
      return kinds.contains(kind);
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

  int find(String metric) {
    byte[] text = metric.getBytes(StandardCharsets.US_ASCII);
    return find(text, 0, text.length, ByteNames.hash(text, 0, text.length));
  }

  Entry entry(int metric) {
    return entries.get(metric);
  }

  /** Number of metrics. */
  int size() {
    return entries.size();
  }

  List<MetricColumn> columns() {
    return columns;
  }

  List<SignalColumns> signals() {
    return signals;
  }

  /** The labels that make a port's name. */
  List<byte[]> portLabels(PortKind kind) {
    return portLabels.getOrDefault(kind, List.of());
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
