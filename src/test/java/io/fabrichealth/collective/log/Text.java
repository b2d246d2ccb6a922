package io.fabrichealth.collective.log;

import java.nio.charset.StandardCharsets;

/** Logs of a test's own. */
public final class Text {
  private Text() {}

  public static JobLog job(String text) {
    return job(text.getBytes(StandardCharsets.UTF_8), Integer.MAX_VALUE);
  }

  /** A log that comes in pieces. */
  public static JobLog job(byte[] bytes, int piece) {
    JobLogReader reader = new JobLogReader("job.log", -1);
    int from = 0;
    while (from < bytes.length) {
      int to = (int) Math.min((long) from + piece, bytes.length);
      reader.accept(bytes, from, to);
      from = to;
    }
    return reader.finish();
  }
}
