package io.fabrichealth.collect.probes;

import io.fabrichealth.collect.probes.ProbeReport.Gathered;
import io.fabrichealth.collect.probes.ProbeReport.LineReader;
import io.fabrichealth.latency.ProbeSample.RoundTrip;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The tables and JSON of perftest's latency tests. Tests of writes and sends tell half a round
 * trip, those of reads and atomics a whole one. A reliable connection sends again what is lost, so
 * that nothing is said of loss. Source: perftest, perftest_parameters.c.
 */
final class PerftestText implements LineReader {
  private static final Pattern GAP = Pattern.compile("\\s{2,}|\\s+(?=#)|\\t");
  private static final Pattern BLANK = Pattern.compile("\\s+");
  private static final JsonMapper JSON = JsonMapper.shared();

  private final Gathered to;
  private final StringBuilder document = new StringBuilder();
  private double trips = Double.NaN;
  private @Nullable List<String> columns;

  PerftestText(Gathered to) {
    this.to = to;
  }

  @Override
  public void line(String line) {
    if (document.length() > 0 || line.startsWith("{")) {
      document.append(line).append('\n');
    } else if (line.endsWith("Latency Test")) {
      trips = trips(line);
    } else if (line.startsWith("#bytes")) {
      columns = line.contains("t_min") ? List.of(GAP.split(line)) : null;
      if (columns == null) {
        to.problem("is of a test of bandwidth, not of latency");
      }
    } else if (columns != null && Character.isDigit(line.charAt(0))) {
      row(columns, BLANK.split(line));
    }
  }

  /** How many of what is told make a round trip; NaN where that cannot be said. */
  private static double trips(String test) {
    String lower = test.toLowerCase(Locale.ROOT);
    if (lower.contains("read") || lower.contains("atomic")) {
      return 1;
    }
    return lower.contains("write") || lower.contains("send") ? 2 : Double.NaN;
  }

  private void row(List<String> names, String[] values) {
    if (values.length < 5) {
      to.problem("has too few columns");
      return;
    }
    int bytes = ProbeReport.whole(values[0]);
    add(
        bytes,
        value(names, values, "t_min[usec]"),
        value(names, values, "t_typical[usec]"),
        value(names, values, "99% percentile[usec]"),
        value(names, values, "t_max[usec]"));
  }

  private static double value(List<String> names, String[] values, String name) {
    int column = names.indexOf(name);
    return column < 0 || column >= values.length ? Double.NaN : ProbeReport.number(values[column]);
  }

  private void add(int bytes, double least, double median, double p99, double most) {
    if (Double.isNaN(trips)) {
      to.problem("does not say which test it is of, and so not whether it is half a round trip");
    } else if (!(least > 0)) {
      to.problem("has no time");
    } else {
      to.add(
          "perftest",
          null,
          bytes < 0 ? null : bytes,
          0,
          0,
          new RoundTrip(trips * least, trips * median, trips * p99, trips * most));
    }
  }

  @Override
  public void end() {
    if (document.length() == 0) {
      return;
    }
    try {
      JsonNode read = JSON.readTree(document.toString());
      trips = trips(read.at("/test_info/test").asString(""));
      JsonNode results = read.path("results");
      for (JsonNode row : results.isArray() ? results : Arrays.asList(results)) {
        add(
            row.path("MsgSize").asInt(-1),
            row.path("t_min").asDouble(Double.NaN),
            row.path("t_typical").asDouble(Double.NaN),
            row.path("percentile_99").asDouble(Double.NaN),
            row.path("t_max").asDouble(Double.NaN));
      }
    } catch (JacksonException e) {
      to.problem("is no JSON: " + e.getOriginalMessage());
    }
  }
}
