package io.fabrichealth.collect.probes;

import io.fabrichealth.collect.probes.ProbeReport.Gathered;
import io.fabrichealth.collect.probes.ProbeReport.LineReader;
import io.fabrichealth.latency.ProbeSample.RoundTrip;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The summaries of one or more runs of {@code ping}; the median is not told, and so it is none. */
final class PingText implements LineReader {
  private static final Pattern BEGIN = Pattern.compile("PING (\\S+) .*");
  private static final Pattern COUNTS =
      Pattern.compile("(\\d{1,9}) packets transmitted, (\\d{1,9}) (?:packets )?received.*");
  private static final Pattern TIMES =
      Pattern.compile(
          "(?:rtt|round-trip) min/avg/max(?:/\\w+)? = ([\\d.]+)/[\\d.]+/([\\d.]+).* ms");
  private static final double MICROS = 1_000;

  private final Gathered to;
  private @Nullable String host;
  private int sent = -1;
  private int received;

  PingText(Gathered to) {
    this.to = to;
  }

  @Override
  public void line(String line) {
    Matcher begin = BEGIN.matcher(line);
    Matcher counts = COUNTS.matcher(line);
    Matcher times = TIMES.matcher(line);
    if (begin.matches()) {
      end();
      host = begin.group(1);
    } else if (counts.matches()) {
      sent = ProbeReport.whole(counts.group(1));
      received = ProbeReport.whole(counts.group(2));
    } else if (times.matches() && sent >= 0) {
      add(
          new RoundTrip(
              MICROS * ProbeReport.number(times.group(1)),
              Double.NaN,
              Double.NaN,
              MICROS * ProbeReport.number(times.group(2))));
    }
  }

  /** Where all is lost there are no times. */
  @Override
  public void end() {
    if (sent >= 0) {
      add(null);
    }
  }

  private void add(@Nullable RoundTrip rtt) {
    // Duplicates may make more received than sent.
    to.add("ping", host, null, sent, Math.max(0, sent - received), rtt);
    sent = -1;
  }
}
