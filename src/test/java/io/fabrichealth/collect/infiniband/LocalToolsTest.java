package io.fabrichealth.collect.infiniband;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabrichealth.collect.CollectException;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.collect.infiniband.ToolRunner.End;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalToolsTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir private Path folder;
  private final Map<String, String> inherited = new HashMap<>(Map.of("PATH", "/nowhere"));
  private final AtomicReference<String> printed = new AtomicReference<>("");

  private End run(String script, Duration limit) throws Exception {
    return new LocalTools(inherited)
        .run(
            List.of("sh", "-c", script),
            limit,
            out -> printed.set(new String(out.readAllBytes(), StandardCharsets.UTF_8)));
  }

  @Test
  void output_exit_code_and_complaint_are_given() throws Exception {
    End end = run("echo one; sleep 0.05; echo two; echo oh >&2; echo dear >&2; exit 3", LIMIT);

    assertThat(printed.get()).isEqualTo("one\ntwo\n");
    assertThat(end).isEqualTo(new End(3, "oh dear"));
  }

  @Test
  void a_flood_on_either_stream_is_taken_and_complaints_are_short() throws Exception {
    End end =
        run(
            "head -c 3000000 /dev/zero | tr '\\0' x; head -c 3000000 /dev/zero | tr '\\0' y >&2",
            LIMIT);

    assertThat(printed.get()).hasSize(3_000_000);
    assertThat(end.complaint()).hasSize(300).containsOnlyOnce("y".repeat(300));
  }

  @Test
  void a_program_that_hangs_is_ended_even_where_its_child_keeps_the_stream() throws Exception {
    Path mark = folder.resolve("pid");

    assertThatThrownBy(
            () -> run("sleep 600 & echo $! > " + mark + "; wait", Duration.ofMillis(700)))
        .isInstanceOfSatisfying(
            CollectException.class, e -> assertThat(e.code()).isEqualTo(FailureCode.TIMEOUT))
        .hasMessage("not done within 700 ms");

    long child = Long.parseLong(Files.readString(mark).strip());
    for (int wait = 0; isRunning(child) && wait < 100; wait++) {
      Thread.sleep(50);
    }
    assertThat(isRunning(child)).isFalse();
  }

  /** One that ended and that nobody waited for has no command any more. */
  private static boolean isRunning(long process) {
    return ProcessHandle.of(process).flatMap(handle -> handle.info().command()).isPresent();
  }

  @Test
  void a_program_that_left_a_child_behind_is_not_waited_for() throws Exception {
    End end = run("sleep 5 & echo done", LIMIT);

    assertThat(end.exitCode()).isZero();
    assertThat(printed.get()).isEqualTo("done\n");
  }

  @Test
  void a_reader_that_has_enough_does_not_hold_the_program_up() throws Exception {
    End end =
        new LocalTools(inherited)
            .run(
                List.of("sh", "-c", "head -c 3000000 /dev/zero; exit 4"), LIMIT, InputStream::read);

    assertThat(end.exitCode()).isEqualTo(4);
  }

  @Test
  void the_environment_is_small() throws Exception {
    inherited.put("HOME", "/home/fabric");
    inherited.put("SNMP_AUTH_PASSWORD", "secret");

    run("env", LIMIT);

    assertThat(printed.get())
        .contains("HOME=/home/fabric\n", "LC_ALL=C\n", "PATH=/nowhere:/usr/sbin:")
        .doesNotContain("secret");
  }

  @Test
  void a_program_that_is_not_there_is_named() {
    assertThatThrownBy(
            () -> new LocalTools(inherited).run(List.of("no-such-tool"), LIMIT, out -> {}))
        .isInstanceOfSatisfying(
            CollectException.class, e -> assertThat(e.code()).isEqualTo(FailureCode.UNREACHABLE))
        .hasMessage("cannot run 'no-such-tool'");
  }

  @Test
  void an_interrupt_ends_the_program() throws Exception {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread thread =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    run("sleep 600", LIMIT);
                  } catch (Exception e) {
                    thrown.set(e);
                  }
                });
    Thread.sleep(200);
    thread.interrupt();

    assertThat(thread.join(Duration.ofSeconds(10))).isTrue();
    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
  }
}
