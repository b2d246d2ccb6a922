package io.fabrichealth.collect.probes;

import io.fabrichealth.collect.probes.ProbeReport.Gathered;
import io.fabrichealth.collect.probes.ProbeReport.LineReader;
import io.fabrichealth.latency.ProbeSample.RoundTrip;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What {@code fping} prints at its end, as text ({@code -c}: sums; {@code -C}: every round trip) or
 * as lines of JSON ({@code -J}, of which {@code vSum} holds every round trip and {@code summary}
 * the sums). Source: fping 5.5, doc/fping-json.md.
 */
final class FpingText implements LineReader {
  private static final Pattern SUMS =
      Pattern.compile(
          "(\\S+)\\s*: xmt/rcv/%loss = (\\d{1,9})/(\\d{1,9})/\\d+%"
              + "(?:, min/avg/max = ([\\d.]+)/[\\d.]+/([\\d.]+))?");
  private static final Pattern BLANK = Pattern.compile("\\s+");
  private static final double MICROS = 1_000;
  private static final JsonMapper JSON = JsonMapper.shared();

  private final Gathered to;

  /** Hosts of which every round trip was told; their sums are the same again. */
  private final Set<String> told = new HashSet<>();

  FpingText(Gathered to) {
    this.to = to;
  }

  @Override
  public void line(String line) {
    if (line.startsWith("{")) {
      json(line);
      return;
    }
    Matcher sums = SUMS.matcher(line);
    if (sums.matches()) {
      int sent = ProbeReport.whole(sums.group(2));
      add(
          sums.group(1),
          sent,
          sent - ProbeReport.whole(sums.group(3)),
          sums.group(4) == null
              ? null
              : times(ProbeReport.number(sums.group(4)), ProbeReport.number(sums.group(5))));
    } else if (line.contains(" : ")) {
      each(BLANK.split(line));
    }
  }

  /** A line of round trips; others, as of single answers, hold words. */
  private void each(String[] words) {
    double[] micros = new double[words.length];
    int received = 0;
    for (int i = 2; i < words.length; i++) {
      double value = ProbeReport.number(words[i]);
      if (Double.isFinite(value)) {
        micros[received++] = MICROS * value;
      } else if (!words[i].equals("-")) {
        return;
      }
    }
    if (words.length > 2 && words[1].equals(":")) {
      all(words[0], words.length - 2, micros, received);
    }
  }

  private void json(String line) {
    JsonNode read;
    try {
      read = JSON.readTree(line);
    } catch (JacksonException e) {
      to.problem("is no JSON");
      return;
    }
    JsonNode each = read.path("vSum");
    JsonNode sums = read.path("summary");
    if (each.path("values").isArray() && each.path("host").isString()) {
      double[] micros = new double[each.get("values").size()];
      int received = 0;
      for (JsonNode value : each.get("values")) {
        if (value.isNumber()) {
          micros[received++] = MICROS * value.asDouble();
        }
      }
      all(each.get("host").asString(), micros.length, micros, received);
    } else if (sums.path("xmt").isInt()
        && sums.path("rcv").isInt()
        && sums.path("host").isString()) {
      int sent = sums.get("xmt").asInt();
      add(
          sums.get("host").asString(),
          sent,
          sent - sums.get("rcv").asInt(),
          sums.path("rttMin").isNumber()
              ? times(sums.get("rttMin").asDouble(), sums.path("rttMax").asDouble(Double.NaN))
              : null);
    }
  }

  private static RoundTrip times(double least, double most) {
    return new RoundTrip(MICROS * least, Double.NaN, Double.NaN, MICROS * most);
  }

  private void all(String host, int sent, double[] micros, int received) {
    told.add(host);
    to.add(
        "fping",
        host,
        null,
        sent,
        sent - received,
        ProbeReport.of(Arrays.copyOf(micros, received)));
  }

  private void add(String host, int sent, int lost, @Nullable RoundTrip rtt) {
    if (!told.contains(host)) {
      // Duplicates may make more received than sent.
      to.add("fping", host, null, sent, Math.max(0, lost), rtt);
    }
  }

  @Override
  public void end() {}
}
