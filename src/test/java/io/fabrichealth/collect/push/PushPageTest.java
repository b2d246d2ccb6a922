package io.fabrichealth.collect.push;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page on pushing says what is so. */
class PushPageTest {
  private static final Path PAGE = Path.of("docs/how-to/push.md");

  @Test
  void the_rule_keeps_whatever_detection_reads_of_hosts() throws IOException {
    Matcher rule = Pattern.compile("regex: (.+)").matcher(Files.readString(PAGE));
    assertThat(rule.find()).isTrue();
    Pattern kept = Pattern.compile(rule.group(1));

    assertThat(Pushed.MAPPING.metrics())
        .filteredOn(name -> name.matches("(node|fabric|infiniband|DCGM)_.*"))
        .hasSizeGreaterThan(200)
        .allMatch(name -> kept.matcher(name).matches());
  }
}
