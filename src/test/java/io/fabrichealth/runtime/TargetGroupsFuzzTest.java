package io.fabrichealth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;
import org.springframework.core.env.EnumerablePropertySource;

class TargetGroupsFuzzTest {

  @FuzzTest
  void is_targets_or_refused(byte[] answer) {
    for (TargetGroups.Kind kind : TargetGroups.Kind.values()) {
      try {
        EnumerablePropertySource<?> values =
            (EnumerablePropertySource<?>)
                TargetGroups.read(SettingsDocument.read(answer, "fuzz"), kind);
        assertThat(values.getPropertyNames())
            .allSatisfy(name -> assertThat(name).startsWith(TargetGroups.PREFIX + "."));
        TargetsFile.Content content =
            new SettingsBinding(
                    TargetGroups.PREFIX, List.of(values), List.of(), new java.util.ArrayList<>())
                .bind(TargetsFile.Content.class);
        assertThat(content).isNotNull();
      } catch (SettingsException e) {
        assertThat(e.problems()).isNotEmpty();
      }
    }
  }
}
