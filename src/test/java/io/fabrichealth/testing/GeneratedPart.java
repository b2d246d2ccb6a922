package io.fabrichealth.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A part of a page that is made from the code, between {@code <!-- NAME -->} and {@code <!-- end
 * NAME -->}. A test fails when it is stale; with {@code -Ddocs.write=true} the test writes it.
 */
public final class GeneratedPart {
  private final Path page;
  private final String begin;
  private final String end;

  private GeneratedPart(Path page, String name) {
    this.page = page;
    begin = "<!-- " + name + " -->\n";
    end = "\n<!-- end " + name + " -->";
  }

  public static GeneratedPart of(Path page, String name) {
    return new GeneratedPart(page, name);
  }

  public void assertIs(String content) {
    try {
      String text = Files.readString(page);
      int from = text.indexOf(begin);
      int to = text.indexOf(end);
      assertThat(from).as("%s has the mark %s", page, begin).isNotNegative();
      assertThat(to).as("%s has the mark %s", page, end).isGreaterThanOrEqualTo(from);
      if (Boolean.getBoolean("docs.write")) {
        Files.writeString(page, text.substring(0, from) + begin + content + text.substring(to));
        return;
      }
      String written = text.substring(Math.min(from + begin.length(), to), to);
      assertThat(written)
          .as("%s is stale: run this test with -Ddocs.write=true", page)
          .isEqualTo(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
