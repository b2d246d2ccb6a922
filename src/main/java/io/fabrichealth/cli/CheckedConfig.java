package io.fabrichealth.cli;

import io.fabrichealth.collect.prometheus.PrometheusTarget;
import io.fabrichealth.collect.snmp.SnmpTarget;
import io.fabrichealth.runtime.Settings;
import io.fabrichealth.runtime.SettingsProblem;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Role;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
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
    List<Target> targets,
    List<String> notes) {

  /** Size of the plan. */
  record Plan(String file, int devices, int ports, int links) {}

  /** A target without its secrets. */
  record Target(
      String device,
      String role,
      String collector,
      String address,
      String interval,
      String authentication) {}

  static CheckedConfig invalid(Path file, List<SettingsProblem> problems) {
    return new CheckedConfig(file.toString(), false, problems, null, List.of(), List.of());
  }

  static CheckedConfig valid(Path file, Settings settings) {
    List<Target> targets =
        Stream.concat(
                settings.snmp().stream().map(CheckedConfig::target),
                settings.prometheus().stream().map(CheckedConfig::target))
            .toList();
    return new CheckedConfig(
        file.toString(), true, List.of(), plan(settings), targets, notes(settings, targets));
  }

  private static @Nullable Plan plan(Settings settings) {
    Fabric plan = settings.plan();
    return plan == null
        ? null
        : new Plan(
            String.valueOf(settings.topologyFile()),
            plan.devices().size(),
            plan.ports().size(),
            plan.links().size());
  }

  private static Target target(SnmpTarget target) {
    SnmpTarget.User user = target.v3();
    return new Target(
        target.device(),
        role(target.role()),
        "snmp",
        target.address() + ":" + target.port(),
        Settings.text(target.interval()),
        user == null
            ? "v2c"
            : "v3 " + user.user() + " " + user.authProtocol() + "/" + user.privProtocol());
  }

  private static Target target(PrometheusTarget target) {
    PrometheusTarget.Basic basic = target.basic();
    return new Target(
        target.device(),
        role(target.role()),
        "prometheus",
        target.address(),
        Settings.text(target.interval()),
        basic != null ? "basic " + basic.user() : target.bearerToken() != null ? "bearer" : "none");
  }

  private static List<String> notes(Settings settings, List<Target> targets) {
    List<String> notes = new ArrayList<>();
    if (targets.isEmpty()) {
      notes.add("no targets: nothing is read");
    }
    Fabric plan = settings.plan();
    if (plan != null && !targets.isEmpty()) {
      Set<String> read =
          targets.stream().map(Target::device).collect(Collectors.toCollection(TreeSet::new));
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

  /** The answer for people. */
  List<String> lines() {
    if (!valid) {
      return Stream.concat(
              problems.stream().map(SettingsProblem::toString),
              Stream.of("", file + " is not valid, problems: " + problems.size()))
          .toList();
    }
    List<String> lines = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("DEVICE", "ROLE", "COLLECTOR", "ADDRESS", "INTERVAL", "AUTHENTICATION"));
    targets.forEach(
        target ->
            rows.add(
                List.of(
                    target.device,
                    target.role,
                    target.collector,
                    target.address,
                    target.interval,
                    target.authentication)));
    lines.addAll(aligned(rows));
    lines.add("");
    if (plan != null) {
      lines.add(
          "plan %s: %d devices, %d ports, %d links"
              .formatted(plan.file, plan.devices, plan.ports, plan.links));
    }
    notes.forEach(note -> lines.add("note: " + note));
    lines.add(file + " is valid, targets: " + targets.size());
    return lines;
  }

  private static List<String> aligned(List<List<String>> rows) {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    rows.forEach(
        row -> {
          for (int i = 0; i < columns; i++) {
            widths[i] = Math.max(widths[i], row.get(i).length());
          }
        });
    return rows.stream()
        .map(
            row -> {
              StringBuilder line = new StringBuilder();
              for (int i = 0; i < columns; i++) {
                line.append(row.get(i)).repeat(' ', widths[i] - row.get(i).length() + 2);
              }
              return line.toString().stripTrailing();
            })
        .toList();
  }

  private static String role(Role role) {
    return role.name().toLowerCase(Locale.ROOT);
  }
}
