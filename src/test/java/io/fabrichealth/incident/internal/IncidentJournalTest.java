package io.fabrichealth.incident.internal;

import static io.fabrichealth.incident.internal.TestVerdicts.AT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Lifecycle;
import io.fabrichealth.incident.Repeats;
import io.fabrichealth.incident.internal.IncidentJournal.Replay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IncidentJournalTest {
  private static final long LIMIT = 100_000;

  private final Incident first = incident(TestVerdicts.link(1));
  private final Incident second = incident(TestVerdicts.link(2));
  private final Incident third = incident(TestVerdicts.link(3));

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void setUp() {
    file = directory.resolve("journal/incidents.ndjson");
  }

  @Test
  void gives_back_in_order_what_an_earlier_process_left() throws IOException {
    try (IncidentJournal journal = new IncidentJournal(file, LIMIT)) {
      journal.append(List.of(first, second));
      journal.append(List.of(third));
    }
    try (IncidentJournal journal = new IncidentJournal(file, LIMIT)) {
      assertThat(journal.replay()).isEqualTo(new Replay(List.of(first, second, third), 0));
    }
  }

  @Test
  void a_line_that_was_cut_off_costs_that_line_alone() throws IOException {
    try (IncidentJournal journal = new IncidentJournal(file, LIMIT)) {
      journal.append(List.of(first, second));
    }
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length - 40));

    try (IncidentJournal journal = new IncidentJournal(file, LIMIT)) {
      assertThat(journal.replay()).isEqualTo(new Replay(List.of(first), 1));
    }
  }

  @Test
  void garbage_in_the_middle_costs_no_other_line() throws IOException {
    try (IncidentJournal journal = new IncidentJournal(file, LIMIT)) {
      journal.append(List.of(first));
    }
    byte[] garbage = {(byte) 0xff, 0, (byte) 0xc3, '\n'};
    Files.write(file, garbage, StandardOpenOption.APPEND);
    Files.writeString(
        file,
        "{}\nnull\n[1]\n\"x\"\n\n{\"probability\":1,\"version\":1}\n",
        StandardOpenOption.APPEND);
    Files.writeString(file, IncidentJson.line(second) + "\n", StandardOpenOption.APPEND);

    try (IncidentJournal journal = new IncidentJournal(file, LIMIT)) {
      assertThat(journal.replay()).isEqualTo(new Replay(List.of(first, second), 7));
    }
  }

  @Test
  void texts_of_devices_cannot_break_a_line() throws IOException {
    Incident hostile = incident(new Subject(SubjectType.HOST, "a\n\r\u2028\u0085\"}\0\\ü"));
    try (IncidentJournal journal = new IncidentJournal(file, LIMIT)) {
      journal.append(List.of(hostile, second));

      assertThat(journal.replay()).isEqualTo(new Replay(List.of(hostile, second), 0));
    }
  }

  @Test
  void refuses_what_does_not_fit_and_keeps_the_rest() throws IOException {
    int line = IncidentJson.line(first).getBytes(UTF_8).length + 1;
    try (IncidentJournal journal = new IncidentJournal(file, 2L * line)) {
      journal.append(List.of(first, second));

      assertThatThrownBy(() -> journal.append(List.of(third)))
          .isInstanceOf(IncidentJournal.FullException.class)
          .hasMessageContaining(2 * line + " of " + 2 * line);
      assertThat(journal.replay().incidents()).containsExactly(first, second);
    }
  }

  @Test
  void rewriting_makes_room() throws IOException {
    try (IncidentJournal journal = new IncidentJournal(file, LIMIT)) {
      journal.append(List.of(first, second, third));
      long before = journal.bytes();

      journal.rewrite(List.of(third));
      journal.append(List.of(first));

      assertThat(journal.bytes()).isLessThan(before).isEqualTo(Files.size(file));
      assertThat(journal.replay().incidents()).containsExactly(third, first);
    }
  }

  @Test
  void is_empty_after_it_was_cleared() throws IOException {
    try (IncidentJournal journal = new IncidentJournal(file, LIMIT)) {
      journal.append(List.of(first));
      journal.clear();

      assertThat(journal.bytes()).isZero();
      assertThat(journal.replay().incidents()).isEmpty();
      journal.append(List.of(second));
      assertThat(journal.replay().incidents()).containsExactly(second);
    }
  }

  private static Incident incident(Subject subject) {
    return Lifecycle.open(
        subject,
        TestVerdicts.open(subject, Cause.PHY_LANE, .97),
        Cause.PHY_LANE,
        AT,
        AT,
        Repeats.NONE,
        null);
  }
}
