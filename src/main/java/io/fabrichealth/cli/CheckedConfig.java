package io.fabrichealth.cli;

import io.fabrichealth.runtime.Settings;
import io.fabrichealth.runtime.SettingsProblem;
import io.fabrichealth.runtime.TargetTrial;
import io.fabrichealth.topology.Fabric;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What {@code check-config} answers.
 *
 * @param plan null where no topology is configured, or the configuration is not valid
 * @param notes what is allowed and yet may be a mistake
 */
record CheckedConfig(
    String file,
    boolean valid,
    List<SettingsProblem> problems,
    @Nullable Plan plan,
    List<CheckedTarget> targets,
    List<String> notes) {

  /** Size of the plan. */
  record Plan(String file, int devices, int ports, int links) {}

  static CheckedConfig invalid(Path file, List<SettingsProblem> problems) {
    return new CheckedConfig(file.toString(), false, problems, null, List.of(), List.of());
  }

  /** Of settings whose targets were not tried. */
  static CheckedConfig valid(Path file, Settings settings) {
    return valid(file, settings, CheckedTarget.all(settings));
  }

  /**
   * Of settings whose targets were read once.
   *
   * @param families of signals that there are
   */
  static CheckedConfig tried(
      Path file, Settings settings, List<TargetTrial.Result> results, List<String> families) {
    Map<String, TargetTrial.Result> byKey =
        results.stream()
            .collect(
                Collectors.toMap(
                    result -> result.collector() + " " + result.target(), Function.identity()));
    return valid(
        file,
        settings,
        CheckedTarget.all(settings).stream()
            .map(
                target -> {
                  TargetTrial.Result result = byKey.get(target.key());
                  return result == null
                      ? target
                      : target.with(CheckedTarget.Seen.of(result, families));
                })
            .toList());
  }

  private static CheckedConfig valid(Path file, Settings settings, List<CheckedTarget> targets) {
    return new CheckedConfig(
        file.toString(), true, List.of(), plan(settings), targets, notes(settings, targets));
  }

  private static @Nullable Plan plan(Settings settings) {
    Fabric plan = settings.plan();
    return plan == null
        ? null
        : new Plan(
            settings.topologyFile() == null ? "of the demo" : settings.topologyFile().toString(),
            plan.devices().size(),
            plan.ports().size(),
            plan.links().size());
  }

  private static List<String> notes(Settings settings, List<CheckedTarget> targets) {
    List<String> notes = new ArrayList<>();
    settings.leftOut().forEach(problem -> notes.add(problem.toString()));
    if (targets.isEmpty()) {
      notes.add("no targets: nothing is read");
    }
    List<String> open =
        settings.gnmi().stream()
            .filter(target -> target.tls() == null && target.user() != null)
            .map(target -> target.device())
            .toList();
    if (!open.isEmpty()) {
      notes.add("user and password are sent without encryption: " + String.join(", ", open));
    }
    Fabric plan = settings.plan();
    boolean tellsOfMany = targets.stream().anyMatch(target -> target.role().isEmpty());
    if (plan != null && !targets.isEmpty() && !tellsOfMany) {
      Set<String> read =
          targets.stream()
              .map(CheckedTarget::device)
              .collect(Collectors.toCollection(TreeSet::new));
      Set<String> planned =
          plan.devices().stream()
              .map(device -> device.name())
              .collect(Collectors.toCollection(TreeSet::new));
      note(notes, "read, but not in the plan: ", read, planned);
      note(notes, "planned, but not read: ", planned, read);
    }
    return notes;
  }

  private static void note(List<String> notes, String what, Set<String> all, Set<String> others) {
    List<String> rest = all.stream().filter(name -> !others.contains(name)).toList();
    if (!rest.isEmpty()) {
      notes.add(what + String.join(", ", rest));
    }
  }

  /** Whether one pass over each target was complete and read something. */
  boolean isAllRead() {
    return targets.stream()
        .map(CheckedTarget::seen)
        .allMatch(seen -> seen == null || (seen.reached() && seen.failure() == null));
  }

  /** The answer for people. */
  List<String> lines() {
    if (!valid) {
      return Stream.concat(
              problems.stream().map(SettingsProblem::toString),
              Stream.of("", file + " is not valid, problems: " + problems.size()))
          .toList();
    }
    TextTable table = new TextTable();
    table.row("DEVICE", "ROLE", "COLLECTOR", "ADDRESS", "INTERVAL", "AUTHENTICATION");
    targets.forEach(
        target ->
            table.row(
                target.device(),
                target.role(),
                target.collector(),
                target.address(),
                target.interval(),
                target.authentication()));
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    if (targets.stream().anyMatch(target -> target.seen() != null)) {
      addSeen(lines);
    }
    if (plan != null) {
      lines.add(
          "plan %s: %d devices, %d ports, %d links"
              .formatted(plan.file, plan.devices, plan.ports, plan.links));
    }
    notes.forEach(note -> lines.add("note: " + note));
    lines.add(file + " is valid, targets: " + targets.size());
    return lines;
  }

  private void addSeen(List<String> lines) {
    TextTable table = new TextTable();
    table.row("DEVICE", "COLLECTOR", "READ", "PORTS", "SEES (PORTS)", "DOES NOT SEE");
    List<String> failures = new ArrayList<>();
    for (CheckedTarget target : targets) {
      CheckedTarget.Seen seen = target.seen();
      if (seen == null) {
        continue;
      }
      table.row(
          target.device(),
          target.collector(),
          !seen.reached() ? "no" : seen.failure() == null ? "yes" : "in part",
          String.valueOf(seen.ports()),
          text(seen.sees()),
          text(reasons(seen.doesNotSee())));
      if (seen.failure() != null) {
        failures.add(target.device() + " " + target.collector() + ": " + seen.failure());
      } else if (!seen.reached()) {
        failures.add(target.device() + " " + target.collector() + ": answered, and gave nothing");
      }
    }
    lines.addAll(table.lines());
    lines.add("");
    lines.addAll(failures);
    if (!failures.isEmpty()) {
      lines.add("");
    }
  }

  /** Families that share a reason stand together. */
  private static Map<String, String> reasons(Map<String, String> byFamily) {
    Map<String, String> byReason = new TreeMap<>(Comparator.naturalOrder());
    byFamily.forEach(
        (family, reason) -> byReason.merge(reason, family, (one, other) -> one + ", " + other));
    Map<String, String> families = new TreeMap<>();
    byReason.forEach((reason, all) -> families.put(all, reason));
    return families;
  }

  private static String text(Map<String, ?> map) {
    return map.entrySet().stream()
        .map(entry -> entry.getKey() + " (" + entry.getValue() + ")")
        .collect(Collectors.joining(", "));
  }
}
