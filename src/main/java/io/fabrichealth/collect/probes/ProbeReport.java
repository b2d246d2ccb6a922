package io.fabrichealth.collect.probes;

import io.fabrichealth.latency.ProbeSample;
import io.fabrichealth.latency.ProbeSample.Endpoint;
import io.fabrichealth.latency.ProbeSample.RoundTrip;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a tool printed, as samples.
 *
 * @param samples full round trips in microseconds, whatever the tool prints
 * @param problems lines that cannot be used, the first of them
 */
public record ProbeReport(List<ProbeSample> samples, List<Problem> problems) {
  private static final int MOST_SAMPLES = 100_000;
  private static final int MOST_PROBLEMS = 100;
  private static final int LONGEST_LINE = 1 << 20;

  public ProbeReport {
    samples = List.copyOf(samples);
    problems = List.copyOf(problems);
  }

  /** A line that cannot be used, counted from 1. */
  public record Problem(int line, String detail) {}

  /**
   * Reads to the end.
   *
   * @param src where the tool ran
   * @param dst where it sent to; null where the text is to tell
   */
  public static ProbeReport read(
      ProbeFormat format, Endpoint src, @Nullable Endpoint dst, BufferedReader text)
      throws IOException {
    Gathered gathered = new Gathered(src, dst);
    LineReader lines =
        switch (format) {
          case PING -> new PingText(gathered);
          case FPING -> new FpingText(gathered);
          case PERFTEST -> new PerftestText(gathered);
          case OSU -> new OsuText(gathered);
        };
    StringBuilder line = new StringBuilder();
    for (int next = text.read(); next >= 0; next = text.read()) {
      if (next == '\n') {
        gathered.next(lines, line);
      } else if (line.length() < LONGEST_LINE) {
        line.append((char) next);
      }
    }
    gathered.next(lines, line);
    lines.end();
    return new ProbeReport(gathered.samples, gathered.problems);
  }

  /** Takes a text line by line. */
  interface LineReader {
    void line(String line);

    /** There is no more. */
    void end();
  }

  /** The samples of one text. */
  static final class Gathered {
    private final Endpoint src;
    private final @Nullable Endpoint dst;
    private final List<ProbeSample> samples = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private int number;

    private Gathered(Endpoint src, @Nullable Endpoint dst) {
      this.src = src;
      this.dst = dst;
    }

    private void next(LineReader lines, StringBuilder line) {
      number++;
      String text = line.toString().strip();
      line.setLength(0);
      if (!text.isEmpty()) {
        lines.line(text);
      }
    }

    void problem(String detail) {
      if (problems.size() < MOST_PROBLEMS) {
        problems.add(new Problem(number, detail));
      }
    }

    /**
     * Adds a sample.
     *
     * @param told by the text; null where it does not tell whom it sent to
     */
    void add(
        String tool,
        @Nullable String told,
        @Nullable Integer bytes,
        long sent,
        long lost,
        @Nullable RoundTrip rtt) {
      Endpoint to = dst != null ? dst : told == null ? null : new Endpoint(told, null);
      if (to == null) {
        problem("says not whom it was sent to: give 'dst'");
      } else if (lost < 0 || lost > sent) {
        problem("has %d lost of %d sent".formatted(lost, sent));
      } else if (samples.size() >= MOST_SAMPLES) {
        problem("is one sample too many: %,d are taken".formatted(MOST_SAMPLES));
      } else {
        samples.add(
            new ProbeSample(src, to, tool, null, bytes, List.of(), sent, lost, plausible(rtt)));
      }
    }

    private static @Nullable RoundTrip plausible(@Nullable RoundTrip rtt) {
      return rtt == null || !(rtt.min() > 0 || rtt.median() > 0) ? null : rtt;
    }
  }

  /** The round trip of all that came back, in microseconds, of which none is missing. */
  static @Nullable RoundTrip of(double[] micros) {
    if (micros.length == 0) {
      return null;
    }
    double[] sorted = micros.clone();
    Arrays.sort(sorted);
    int last = sorted.length - 1;
    double p99 =
        sorted.length < 100 ? Double.NaN : sorted[(int) Math.ceil(.99 * sorted.length) - 1];
    return new RoundTrip(sorted[0], sorted[last / 2], p99, sorted[last]);
  }

  /** NaN where it is no number, or a negative one. */
  static double number(String text) {
    try {
      double value = Double.parseDouble(text);
      return value >= 0 && Double.isFinite(value) ? value : Double.NaN;
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** -1 where it is no whole number that an {@code int} holds, or a negative one. */
  static int whole(String text) {
    try {
      return Math.max(-1, Integer.parseInt(text));
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
