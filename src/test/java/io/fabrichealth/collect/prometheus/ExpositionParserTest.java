package io.fabrichealth.collect.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExpositionParserTest {
  private final ExpositionParser parser = new ExpositionParser();
  private final Recorder seen = new Recorder();

  /** Writes down what the parser tells. */
  private static final class Recorder implements ExpositionListener {
    private final List<String> names = new ArrayList<>();
    private final List<String> samples = new ArrayList<>();
    private final List<String> types = new ArrayList<>();
    private final List<String> bad = new ArrayList<>();

    @Override
    public int metric(byte[] text, int from, int to, int hash) {
      assertThat(hash).isEqualTo(ByteNames.hash(text, from, to));
      names.add(string(text, from, to));
      return names.size() - 1;
    }

    @Override
    public void type(byte[] text, int nameFrom, int nameTo, int typeFrom, int typeTo) {
      types.add(string(text, nameFrom, nameTo) + " is " + string(text, typeFrom, typeTo));
    }

    @Override
    public void sample(int metric, SampleLine line) {
      String a = line.text("a".getBytes(StandardCharsets.UTF_8));
      String b = line.text("b".getBytes(StandardCharsets.UTF_8));
      samples.add(names.get(metric) + "[" + a + "," + b + "]=" + line.value.value());
    }

    @Override
    public void bad(long line, byte[] text, int from, int to, String expected) {
      bad.add(line + ": " + expected);
    }

    private static String string(byte[] text, int from, int to) {
      return new String(text, from, to - from, StandardCharsets.UTF_8);
    }
  }

  private void parse(String page) throws IOException {
    parser.parse(new ByteArrayInputStream(page.getBytes(StandardCharsets.UTF_8)), seen);
  }

  @Test
  void reads_names_labels_values_and_types() throws IOException {
    parse(
        """
        # HELP up Whether it is up.
        # TYPE up gauge
        up 1
        x{a="1",b="two"} 2.5
        x{ a = "1" , b = "two", } 3
        x{} 4
        x{a="}"}5
          x\t6\t
        # a comment
        """);

    assertThat(seen.types).containsExactly("up is gauge");
    assertThat(seen.samples)
        .containsExactly(
            "up[,]=1.0", "x[1,two]=2.5", "x[1,two]=3.0", "x[,]=4.0", "x[},]=5.0", "x[,]=6.0");
    assertThat(seen.bad).isEmpty();
    assertThat(parser.samples()).isEqualTo(6);
    assertThat(parser.endsInLine()).isFalse();
  }

  @Test
  void reads_what_openmetrics_adds_to_lines() throws IOException {
    parse(
        """
        # TYPE a counter
        # UNIT a bytes
        a_total{a="x"} 17 1520879607.789
        a_total{a="y"} 18 1520879607789
        a_bucket{a="z"} 8 # {trace_id="KOO5S4vxi0o"} 0.67
        a_bucket{a="z"} 9 1.5 # {trace_id="}#"} 9.8 1520879607.789
        # EOF
        """);

    assertThat(seen.samples)
        .containsExactly(
            "a_total[x,]=17.0", "a_total[y,]=18.0", "a_bucket[z,]=8.0", "a_bucket[z,]=9.0");
    assertThat(seen.bad).isEmpty();
    assertThat(parser.sawEof()).isTrue();
  }

  @Test
  void resolves_escapes_in_label_values() throws IOException {
    parse("x{a=\"C:\\\\DIR\\\\\",b=\"say \\\"hi\\\"\\n\\x\"} 1\n");

    assertThat(seen.samples).containsExactly("x[C:\\DIR\\,say \"hi\"\n\\x]=1.0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<html><body>Sign in</body></html>",
        "{a=\"1\"} 1",
        "x",
        "x{a=\"1\"}",
        "x{a=\"1\" 1",
        "x{a=\"1} 1",
        "x{a=\"1\\\"} 1",
        "x{a=1} 1",
        "x{=\"1\"} 1",
        "x{a=\"1\"b=\"2\"} 1",
        "x{a",
        "x N/A",
        "x (no PMA)",
        "x 1 2 3",
        "x 1 later",
        "1x 1",
        "x-y 1",
        "\u0000\u0001\u0002",
        "\u00e9t\u00e9 1"
      })
  void a_line_that_cannot_be_read_is_named_and_costs_no_other(String line) throws IOException {
    parse("before 1\n" + line + "\nafter 2\n");

    assertThat(seen.samples).containsExactly("before[,]=1.0", "after[,]=2.0");
    assertThat(seen.bad).singleElement().asString().startsWith("2: ");
  }

  @Test
  void a_line_without_its_newline_is_not_taken() throws IOException {
    parse("x 1\ny 12");

    assertThat(seen.samples).containsExactly("x[,]=1.0");
    assertThat(parser.endsInLine()).isTrue();
  }

  @Test
  void a_line_that_is_too_long_is_skipped() throws IOException {
    parse("x 1\ny{a=\"" + "long".repeat(50_000) + "\"} 2\nz 3\n");

    assertThat(seen.samples).containsExactly("x[,]=1.0", "z[,]=3.0");
    assertThat(seen.bad).containsExactly("2: at most 65536 bytes");
    assertThat(parser.lines()).isEqualTo(3);
  }

  @Test
  void the_size_of_the_pieces_in_which_a_page_comes_changes_nothing() throws IOException {
    String page = "x{a=\"1\"} 1\r\n\n".repeat(10) + "y{b=\"2\"} 2\n";
    InputStream single =
        new ByteArrayInputStream(page.getBytes(StandardCharsets.UTF_8)) {
          @Override
          public int read(byte[] bytes, int offset, int length) {
            return super.read(bytes, offset, Math.min(length, 1));
          }
        };

    parser.parse(single, seen);

    assertThat(seen.samples).hasSize(11).last().isEqualTo("y[,2]=2.0");
    assertThat(parser.lines()).isEqualTo(21);
  }

  @Test
  void a_page_that_is_something_else_is_given_up() throws IOException {
    int[] read = {0};
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            return read[0]++ % 10 == 0 ? '\n' : '%';
          }
        };

    parser.parse(endless, seen);

    assertThat(parser.samples()).isZero();
    assertThat(parser.badLines()).isGreaterThanOrEqualTo(1_000);
    assertThat(read[0]).isLessThan(1_000_000);
  }

  @Test
  void an_empty_page_has_nothing() throws IOException {
    parse("");

    assertThat(parser.lines()).isZero();
    assertThat(parser.endsInLine()).isFalse();
  }
}
