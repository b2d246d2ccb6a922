package io.fabrichealth.collective;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

class PythonStackFuzzTest {

  @FuzzTest
  void any_text_gives_bounded_lines_without_control_characters(byte[] data) {
    PythonStack stack = PythonStack.of(new String(data, StandardCharsets.UTF_8));

    assertThat(stack.threads()).hasSizeLessThanOrEqualTo(64);
    for (var thread : stack.threads()) {
      assertThat(thread).isNotEmpty().hasSizeLessThanOrEqualTo(64);
      assertThat(thread)
          .allMatch(
              line -> line.length() <= 300 && line.chars().noneMatch(Character::isISOControl));
    }
  }
}
