package io.fabrichealth.collect.prometheus;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One page of an exporter as far as the mapping knows its metrics, and what was wrong with it.
 * Holds the buffers, so it is reused: {@link #read} begins anew. Not for use by several threads.
 */
public final class Page {
  private static final int LONGEST_QUOTE = 60;

  private final MetricMapping mapping;
  private final ExpositionParser parser = new ExpositionParser();
  private final Listener listener = new Listener();
  private final PortRecords records = new PortRecords(listener);
  private final PortTable table;
  private final HostFacts facts = new HostFacts();
  private final NodeFacts nodes = new NodeFacts();
  private final ProbeTable probes = new ProbeTable();
  private final boolean[] wrongType;
  private byte[] familyName = new byte[256];

  private long fed;
  private long readings;
  private @Nullable String firstBad;
  private final Tally duplicates = new Tally();
  private final Tally wrongTypes = new Tally();
  private final Tally nameless = new Tally();
  private final Tally tooMany = new Tally();
  private final Tally badRecords = new Tally();
  private final Tally strayProbes = new Tally();
  private String firstBadRecord = "";
  private boolean hasRecords;

  public Page(MetricMapping mapping) {
    this.mapping = mapping;
    table = new PortTable(mapping);
    wrongType = new boolean[mapping.size()];
  }

  /** Counts lines of a kind and remembers the first. */
  private static final class Tally {
    private long count;
    private long firstLine;

    void add(long line) {
      if (count++ == 0) {
        firstLine = line;
      }
    }
  }

  /**
   * Reads a page to its end: an exposition, or records as CSV or JSON. Where it throws, what was
   * read until then stays here.
   *
   * @throws IOException where the stream breaks
   */
  public void read(InputStream in) throws IOException {
    clear();
    StartedInputStream page = new StartedInputStream(in);
    hasRecords = PortRecords.isOf(page.start(), page.length());
    if (hasRecords) {
      records.read(page);
    } else {
      parser.parse(page, listener);
    }
  }

  /** Takes a sample that does not come from a text; false where the series was there before. */
  boolean feed(int metric, SampleLine line) {
    fed++;
    long before = duplicates.count;
    listener.sample(metric, line);
    // Who sends anew what was not acknowledged sends some of it twice.
    boolean again = duplicates.count > before;
    duplicates.count = before;
    return !again;
  }

  void clear() {
    parser.clear();
    table.clear();
    facts.clear();
    nodes.clear();
    probes.clear();
    Arrays.fill(wrongType, false);
    records.clear();
    hasRecords = false;
    fed = 0;
    readings = 0;
    firstBad = null;
    firstBadRecord = "";
    for (Tally tally :
        List.of(duplicates, wrongTypes, nameless, tooMany, badRecords, strayProbes)) {
      tally.count = 0;
    }
  }

  PortTable table() {
    return table;
  }

  HostFacts facts() {
    return facts;
  }

  ProbeTable probes() {
    return probes;
  }

  NodeFacts nodes() {
    return nodes;
  }

  /** Good samples, known or not. */
  long samples() {
    return parser.samples() + records.numbers() + fed;
  }

  /** Samples that became readings. */
  long readings() {
    return readings;
  }

  /** Where the page ends, if that is within a line or record: so it may be cut off. */
  @Nullable String cutAt() {
    if (hasRecords) {
      return records.isCut() ? "record " + (records.records() + 1) : null;
    }
    return parser.endsInLine() ? "line " + (parser.lines() + 1) : null;
  }

  /** Lines of an exposition. */
  long lines() {
    return parser.lines();
  }

  boolean sawEof() {
    return parser.sawEof();
  }

  /** What is wrong with the lines, for people. */
  List<String> complaints() {
    List<String> complaints = new ArrayList<>();
    if (firstBad != null) {
      complaints.add(
          "%d of %d lines cannot be read, the first is %s"
              .formatted(parser.badLines(), parser.lines(), firstBad));
    }
    if (badRecords.count > 0) {
      complaints.add(
          "%d values cannot be read, the first is %s".formatted(badRecords.count, firstBadRecord));
    }
    complain(complaints, duplicates, "series stand there twice (the first was taken)");
    complain(complaints, wrongTypes, "samples are of another type than their signal");
    complain(complaints, nameless, "samples do not name their port");
    complain(complaints, strayProbes, "samples are of more flows than are taken");
    complain(complaints, tooMany, "samples are of more ports than are taken");
    if (facts.contradictions() > 0) {
      complaints.add(
          facts.contradictions() + " statements on which interface is which HCA port contradict");
    }
    return complaints;
  }

  private void complain(List<String> complaints, Tally tally, String what) {
    if (tally.count > 0) {
      complaints.add(
          "%d %s, the first in %s %d"
              .formatted(tally.count, what, hasRecords ? "record" : "line", tally.firstLine));
    }
  }

  private final class Listener implements ExpositionListener, PortRecords.Listener {
    @Override
    public int metric(byte[] text, int from, int to, int hash) {
      return mapping.find(text, from, to, hash);
    }

    @Override
    public void type(byte[] text, int nameFrom, int nameTo, int typeFrom, int typeTo) {
      int metric = mapping.find(text, nameFrom, nameTo, ByteNames.hash(text, nameFrom, nameTo));
      if (metric < 0) {
        metric = findCounter(text, nameFrom, nameTo);
      }
      MetricValue value = metric < 0 ? null : value(mapping.entry(metric));
      if (value != null) {
        String type =
            new String(text, typeFrom, typeTo - typeFrom, StandardCharsets.US_ASCII)
                .toLowerCase(Locale.ROOT);
        wrongType[metric] = !value.accepts(type);
      }
    }

    /** What the samples mean; null where they are no readings. */
    private static @Nullable MetricValue value(MetricMapping.Entry entry) {
      return switch (entry) {
        case MetricMapping.Entry.Reading(MetricColumn column) -> column.value();
        case MetricMapping.Entry.Element(List<byte[]> _, List<MetricColumn> columns) ->
            columns.getFirst().value();
        case MetricMapping.Entry.Fact _, MetricMapping.Entry.Node _, MetricMapping.Entry.Probe _ ->
            null;
      };
    }

    /** OpenMetrics declares a counter without the suffix that its samples have. */
    private int findCounter(byte[] text, int from, int to) {
      int length = to - from;
      if (length + 6 > familyName.length) {
        return -1;
      }
      System.arraycopy(text, from, familyName, 0, length);
      for (int index = 0; index < 6; index++) {
        familyName[length + index] = (byte) "_total".charAt(index);
      }
      return mapping.find(familyName, 0, length + 6, ByteNames.hash(familyName, 0, length + 6));
    }

    @Override
    public void sample(int metric, SampleLine line) {
      switch (mapping.entry(metric)) {
        case MetricMapping.Entry.Fact fact -> facts.take(fact, line);
        case MetricMapping.Entry.Node(NodeLabels labels) -> {
          if (!nodes.take(labels, line)) {
            nameless.add(line.number());
          }
        }
        case MetricMapping.Entry.Probe(ProbeMetric probe) -> {
          if (!probes.take(probe, line)) {
            strayProbes.add(line.number());
          }
        }
        case MetricMapping.Entry.Reading(MetricColumn column) -> take(metric, column, line);
        case MetricMapping.Entry.Element(List<byte[]> label, List<MetricColumn> columns) -> {
          int element = line.index(label.getFirst());
          if (element < 0 || element >= columns.size()) {
            nameless.add(line.number());
          } else {
            take(metric, columns.get(element), line);
          }
        }
      }
    }

    private void take(int metric, MetricColumn column, SampleLine line) {
      if (wrongType[metric]) {
        wrongTypes.add(line.number());
      } else {
        take(column, line);
      }
    }

    private void take(MetricColumn column, SampleLine line) {
      int row = table.row(column.shape(), line);
      if (row >= 0) {
        NodeLabels told = column.shape().node();
        if (told != null && table.isNewRow()) {
          boolean _ = nodes.take(told, line);
        }
        if (table.put(row, column, line.value)) {
          readings++;
        } else {
          duplicates.add(line.number());
        }
      } else if (row == PortTable.NO_NAME) {
        nameless.add(line.number());
      } else if (row == PortTable.TOO_MANY) {
        tooMany.add(line.number());
      }
    }

    @Override
    public void bad(long line, byte[] text, int from, int to, String expected) {
      if (firstBad == null) {
        firstBad = "line %d, '%s': expected %s".formatted(line, quote(text, from, to), expected);
      }
    }

    @Override
    public void bad(long record, String what, String expected) {
      badRecords.add(record);
      if (firstBadRecord.isEmpty()) {
        firstBadRecord = "in record %d, %s: expected %s".formatted(record, what, expected);
      }
    }

    private String quote(byte[] text, int from, int to) {
      int length = Math.min(to - from, LONGEST_QUOTE);
      String start = new String(text, from, length, StandardCharsets.ISO_8859_1);
      return start.replaceAll("[^ -~]", "?") + (length < to - from ? "..." : "");
    }
  }
}
