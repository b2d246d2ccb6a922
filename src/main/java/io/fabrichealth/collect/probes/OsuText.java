package io.fabrichealth.collect.probes;

import io.fabrichealth.collect.probes.ProbeReport.Gathered;
import io.fabrichealth.collect.probes.ProbeReport.LineReader;
import io.fabrichealth.latency.ProbeSample.RoundTrip;
import java.util.regex.Pattern;

/**
 * The table of {@code osu_latency}: the mean of thousands of messages one after the other, each
 * half a round trip. Nothing else runs then, so that the mean stands for the median. Of loss it
 * says nothing.
 */
final class OsuText implements LineReader {
  private static final Pattern HEADER =
      Pattern.compile("#\\s*Size\\s+(Avg )?Latency\\s*\\(us\\).*");
  private static final Pattern BLANK = Pattern.compile("\\s+");

  private final Gathered to;
  private boolean isLatency;

  OsuText(Gathered to) {
    this.to = to;
  }

  @Override
  public void line(String line) {
    if (line.startsWith("# Size")) {
      isLatency = HEADER.matcher(line).matches();
      if (!isLatency) {
        to.problem("is no table of latency");
      }
    } else if (isLatency && Character.isDigit(line.charAt(0))) {
      String[] values = BLANK.split(line);
      double half = values.length < 2 ? Double.NaN : ProbeReport.number(values[1]);
      int bytes = ProbeReport.whole(values[0]);
      if (!(half > 0) || bytes < 0) {
        to.problem("has no size and time");
        return;
      }
      to.add("osu", null, bytes, 0, 0, new RoundTrip(Double.NaN, 2 * half, Double.NaN, Double.NaN));
    }
  }

  @Override
  public void end() {}
}
