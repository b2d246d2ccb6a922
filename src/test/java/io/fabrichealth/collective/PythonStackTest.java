package io.fabrichealth.collective;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PythonStackTest {

  @Test
  void the_program_runs_in_the_thread_that_is_printed_last() {
    PythonStack stack =
        PythonStack.of(
            """
            Current thread 0x00007f6ae4ff96c0 (most recent call first):
              <no Python frame>

            Thread 0x00007f6ae5ff96c0 [watch] (most recent call first):
              File "/job/watch.py", line 3 in watch
            Thread 0x00007f6ba6e5bb80 (most recent call first):
              File "/usr/lib/python3.12/threading.py", line 327 in wait
              File "/venv/lib/python3.12/site-packages/torch/utils/data.py", line 9 in get
              File "/job/train.py", line 155 in load data
              File "/job/train.py", line 1 in <module>
            """);

    assertThat(stack.threads()).hasSize(2);
    assertThat(stack.main())
        .hasSize(4)
        .first()
        .isEqualTo("wait (/usr/lib/python3.12/threading.py:327)");
    assertThat(stack.where())
        .isEqualTo(
            "wait (/usr/lib/python3.12/threading.py:327), called by load data (/job/train.py:155)");
  }

  @Test
  void a_text_without_frames_tells_nothing() {
    assertThat(PythonStack.of("").where()).isEmpty();
    assertThat(PythonStack.of("Handler not found").main()).isEmpty();
    assertThat(
            PythonStack.of("Thread 0x1 (most recent call first):\n  <no Python frame>").threads())
        .isEmpty();
  }

  @Test
  void what_would_break_a_line_of_a_log_is_not_kept_and_a_flood_is_cut() {
    String frame = "  File \"/a\u0007b.py\", line 1 in f\n";
    PythonStack stack =
        PythonStack.of(("Thread 0x1 (most recent call first):\n" + frame.repeat(1000)).repeat(3));

    assertThat(stack.main()).hasSize(64).allMatch(line -> line.equals("f (/a?b.py:1)"));
  }
}
