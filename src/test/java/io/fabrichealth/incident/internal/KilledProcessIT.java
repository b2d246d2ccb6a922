package io.fabrichealth.incident.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Incidents;
import io.fabrichealth.testing.ChildJvm;
import io.fabrichealth.testing.StorageContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KilledProcessIT {
  @TempDir Path data;

  @Test
  void after_kill_9_incidents_are_the_same_ones_none_lost_none_doubled() throws Exception {
    List<String> opened = new ArrayList<>();
    List<String> resolved = new ArrayList<>();
    for (int life = 0; life < 3; life++) {
      try (ChildJvm process = ChildJvm.run(IncidentProcess.class, data.toString(), life + "000")) {
        process.awaitLine("ready");
        for (int number = 0; number < 40 * life + 7; number++) {
          sort(process.awaitLine(" "), opened, resolved);
        }
        process.kill();
        // What it said before it died counts too.
        process.outputToEnd().forEach(line -> sort(line, opened, resolved));
      }
    }
    // As if the last write had been cut off.
    Files.writeString(
        data.resolve("journal/incidents.ndjson"), "{\"id\":\"1", StandardOpenOption.APPEND);

    try (var context = StorageContext.start(data, null)) {
      StorageContext.awaitWritten(context);
      IncidentTable table = context.getBean(IncidentTable.class);
      Incidents incidents = StorageContext.incidents(context);
      List<Incident> stored = all(incidents);

      assertThat(ids(incidents.unresolved()))
          .containsAll(opened)
          .doesNotContainAnyElementsOf(resolved);
      assertThat(ids(stored)).containsAll(opened).containsAll(resolved).doesNotHaveDuplicates();
      assertThat(stored).extracting(Incident::fingerprint).doesNotHaveDuplicates();
      assertThat(table.findAll(resolved.stream().map(UUID::fromString).toList()))
          .allSatisfy(one -> assertThat(one.state()).isEqualTo(Incident.State.RESOLVED));
      // At most the one that was being opened when the process died was not told.
      assertThat(stored).hasSizeBetween(ids(stored).size(), opened.size() + resolved.size() + 3);
    }
  }

  @Test
  void a_second_process_on_the_directory_says_who_has_it_and_ends_with_2() throws Exception {
    try (ChildJvm first = ChildJvm.run(IncidentProcess.class, data.toString(), "1")) {
      first.awaitLine("ready");
      try (ChildJvm second = ChildJvm.runService("--fabric-health.data-dir=" + data)) {
        String line = second.awaitLine("is in use by");

        assertThat(line).contains(data.toString()).contains("process " + first.pid());
        assertThat(second.awaitEnd(Duration.ofSeconds(30))).isEqualTo(2);
      }
    }
  }

  private static void sort(String line, List<String> opened, List<String> resolved) {
    String[] words = line.split(" ");
    if (words.length == 2 && words[0].equals("opened") && !opened.contains(words[1])) {
      opened.add(words[1]);
    } else if (words.length == 2 && words[0].equals("resolved") && !resolved.contains(words[1])) {
      resolved.add(words[1]);
    }
  }

  private static List<String> ids(List<Incident> incidents) {
    return incidents.stream().map(one -> one.id().toString()).toList();
  }

  private static List<Incident> all(Incidents incidents) {
    List<Incident> all = new ArrayList<>();
    String cursor = null;
    do {
      Incidents.Page page =
          incidents.find(
              new Incidents.Query(Set.of(), Set.of(), Set.of(), null, null, cursor, 1000));
      all.addAll(page.items());
      cursor = page.nextCursor();
    } while (cursor != null);
    return all;
  }
}
