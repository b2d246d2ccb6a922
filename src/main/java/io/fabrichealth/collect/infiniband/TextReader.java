package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.FailureCode;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.ObjIntConsumer;

/** Feeds a text line by line to its reader, and says what is wrong with the text as such. */
final class TextReader {
  /** A text of 30,000 ports has 4 MB. */
  private static final long MOST_OCTETS = 64L << 20;

  private TextReader() {}

  /**
   * Reads to the end.
   *
   * @param lines takes each line and its number, from 1
   */
  static void read(InputStream in, ObjIntConsumer<String> lines, Refusals refusals)
      throws IOException {
    LineReader reader = new LineReader(in, MOST_OCTETS);
    for (String line = reader.next(); line != null; line = reader.next()) {
      if (reader.wasTooLong()) {
        refusals.line(reader.number(), "longer than a line can be");
      } else {
        lines.accept(line, reader.number());
      }
    }
    if (reader.isTooLarge()) {
      refusals.add(
          FailureCode.TOO_LARGE, "larger than %d octets; read to there".formatted(MOST_OCTETS));
    } else if (reader.isCutOff()) {
      refusals.add(
          FailureCode.PARTIAL,
          "ends within line %d, which was not taken".formatted(reader.number()));
    }
  }
}
