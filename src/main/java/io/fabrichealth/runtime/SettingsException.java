package io.fabrichealth.runtime;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** The configuration is wrong; nothing of it was taken. */
public class SettingsException extends RuntimeException {
  private static final long serialVersionUID = 1;
  private static final Comparator<SettingsProblem> ORDER =
      Comparator.comparing(SettingsProblem::file).thenComparingInt(SettingsProblem::line);

  private final transient List<SettingsProblem> problems;

  public SettingsException(List<SettingsProblem> problems) {
    List<SettingsProblem> ordered = problems.stream().distinct().sorted(ORDER).toList();
    super(ordered.stream().map(SettingsProblem::toString).collect(Collectors.joining("\n")));
    this.problems = ordered;
  }

  /** All that is wrong, at least one, in the order of files and lines. */
  public List<SettingsProblem> problems() {
    return problems;
  }
}
