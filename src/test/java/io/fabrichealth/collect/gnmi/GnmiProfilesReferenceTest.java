package io.fabrichealth.collect.gnmi;

import io.fabrichealth.testing.GeneratedPart;
import io.fabrichealth.testing.Readings;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page of the profiles is made from them. */
class GnmiProfilesReferenceTest {
  private static final List<String> SHOWN =
      List.of(
          "openconfig",
          "openconfig-interfaces",
          "openconfig-ethernet",
          "openconfig-optics",
          "openconfig-qos",
          "openconfig-lldp",
          "openconfig-system",
          "sonic",
          "arista",
          "junos",
          "cumulus",
          "nvos",
          "common");

  private final ProfileLoader loader = ProfileLoader.shipped(Readings.DICTIONARY);

  @Test
  void the_page_of_the_profiles_is_that_of_their_files() {
    Set<String> names = new LinkedHashSet<>(SHOWN);
    names.addAll(loader.names());

    GeneratedPart.of(Path.of("docs/reference/gnmi-profiles.md"), "profiles")
        .assertIs(names.stream().map(this::section).collect(Collectors.joining("\n")));
  }

  private String section(String name) {
    ProfileFile file = loader.file(name);
    StringBuilder text = new StringBuilder("## `" + name + "`\n\n" + file.description() + "\n");
    List<String> include = file.include() == null ? List.of() : file.include();
    if (!include.isEmpty()) {
      text.append("\nIncludes ")
          .append(
              include.stream().map(other -> "`" + other + "`").collect(Collectors.joining(", ")))
          .append(".\n");
    }
    if (file.subscriptions() != null) {
      text.append("\n| path | asked for | sure | gives |\n| --- | --- | --- | --- |\n");
      file.subscriptions().forEach(each -> text.append(row(each)));
    }
    if (file.leftOut() != null) {
      text.append("\nLeft out as no ports of the fabric: ")
          .append(
              file.leftOut().stream()
                  .map(rule -> "`" + rule.name() + "`")
                  .distinct()
                  .collect(Collectors.joining(", ")))
          .append(".\n");
    }
    return text.toString();
  }

  private static String row(ProfileFile.Subscription entry) {
    Set<String> gives = new LinkedHashSet<>();
    if (entry.readings() != null) {
      entry.readings().forEach(reading -> gives.add("`" + reading.signal() + "`"));
    }
    if (entry.facts() != null) {
      entry.facts().forEach(fact -> gives.add(fact.fact().replace('_', ' ')));
    }
    String where =
        (entry.target() == null ? "" : entry.target() + ": ")
            + (entry.origin() == null ? "" : entry.origin() + ": ");
    return "| %s`%s` | %s | %s | %s |\n"
        .formatted(
            where,
            entry.path(),
            entry.mode().replace('_', ' '),
            entry.sure().toLowerCase(Locale.ROOT),
            String.join(", ", gives));
  }
}
