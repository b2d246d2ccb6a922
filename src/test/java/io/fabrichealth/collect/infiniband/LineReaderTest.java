package io.fabrichealth.collect.infiniband;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.FailureCode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineReaderTest {

  /** Says the same octet again and again, so many times or for ever. */
  private static InputStream endless(char octet, long times) {
    return new InputStream() {
      private long left = times;

      @Override
      public int read() {
        return left-- > 0 ? octet : -1;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) {
        if (left <= 0) {
          return -1;
        }
        int given = (int) Math.min(length, left);
        Arrays.fill(bytes, offset, offset + given, (byte) octet);
        left -= given;
        return given;
      }
    };
  }

  private static List<String> lines(LineReader reader) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line = reader.next(); line != null; line = reader.next()) {
      lines.add(line);
    }
    return lines;
  }

  @Test
  void lines_end_with_lf_or_cr_lf() throws IOException {
    LineReader reader =
        new LineReader(
            new ByteArrayInputStream("a\r\n\nb\rc\n".getBytes(StandardCharsets.UTF_8)), 100);

    assertThat(lines(reader)).containsExactly("a", "", "b\rc");
    assertThat(reader.number()).isEqualTo(3);
    assertThat(reader.isCutOff()).isFalse();
  }

  @Test
  void a_line_of_a_gigabyte_is_passed_over_in_bounded_memory() throws IOException {
    LineReader reader = new LineReader(endless('x', 1L << 30), Long.MAX_VALUE);

    assertThat(reader.next()).isNull();
    assertThat(reader.isCutOff()).isTrue();
    assertThat(reader.wasTooLong()).isTrue();
  }

  @Test
  void the_lines_after_one_that_is_too_long_are_read() throws IOException {
    byte[] text = ("a\n" + "x".repeat(100_000) + "\nb\n").getBytes(StandardCharsets.UTF_8);
    List<String> read = new ArrayList<>();
    Refusals refusals = new Refusals();

    TextReader.read(new ByteArrayInputStream(text), (line, number) -> read.add(line), refusals);

    assertThat(read).containsExactly("a", "b");
    assertThat(refusals.problems())
        .containsExactly(new Problem(FailureCode.MALFORMED, "line 2: longer than a line can be"));
  }

  @Test
  void a_text_without_end_is_left_at_the_limit() throws IOException {
    List<String> read = new ArrayList<>();
    Refusals refusals = new Refusals();

    TextReader.read(
        endless('\n', Long.MAX_VALUE),
        (line, number) -> {
          if (number % 1_000_000 == 0) {
            read.add(line);
          }
        },
        refusals);

    assertThat(read).hasSize(67);
    assertThat(refusals.problems())
        .containsExactly(
            new Problem(FailureCode.TOO_LARGE, "larger than 67108864 octets; read to there"));
  }

  @Test
  void octets_that_are_no_utf_8_are_replaced() throws IOException {
    LineReader reader =
        new LineReader(new ByteArrayInputStream(new byte[] {'a', (byte) 0xff, '\n'}), 100);

    assertThat(reader.next()).isEqualTo("a\uFFFD");
  }
}
