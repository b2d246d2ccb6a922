package io.fabrichealth.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** Tests of settings as they are written to a file. */
abstract class WrittenSettings {
  @TempDir Path folder;

  Settings load(String yaml) {
    return SettingsLoader.read(write("fabric-health.yaml", yaml), true);
  }

  List<SettingsProblem> problems(String yaml) {
    return catchThrowableOfType(SettingsException.class, () -> load(yaml)).problems();
  }

  SettingsProblem onlyProblem(String yaml) {
    List<SettingsProblem> problems = problems(yaml);
    assertThat(problems).hasSize(1);
    return problems.getFirst();
  }

  Path write(String name, String content) {
    try {
      return Files.writeString(folder.resolve(name), content);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
