package io.fabrichealth.collect.torchdebug;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.torchdebug.TorchDebugTarget.Worker;
import io.fabrichealth.collective.CollectiveFinding;
import io.fabrichealth.collective.Job;
import io.fabrichealth.finding.Cause;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Asks the debug servers of a real job of PyTorch. Skipped where there is none: the interpreter is
 * {@code python3}, or what {@code FABRIC_HEALTH_TORCH_PYTHON} names.
 */
class TorchDebugIT {
  private static final Path LAB = Path.of("../shared/tools/collective-lab/run_job.py");
  private static final String PYTHON =
      Objects.requireNonNullElse(System.getenv("FABRIC_HEALTH_TORCH_PYTHON"), "python3");
  private static final int WORLD = 4;
  private static final int FIRST_PORT = 26_340;
  private static final Duration INTERVAL = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(100);

  @TempDir private Path folder;
  private final List<LiveReport> reports = new ArrayList<>();
  private final TorchDebugCollectors collectors =
      new TorchDebugCollectors(InstantSource.system(), reports::add);
  private int port = FIRST_PORT;
  private Process job;

  @BeforeEach
  void require() throws Exception {
    assumeTrue(Files.isRegularFile(LAB), "skipped: collective-lab is not here");
    assumeTrue(hasDebugServer(), "skipped: " + PYTHON + " has no PyTorch with a debug server");
    while (!areFree()) {
      port += WORLD;
    }
  }

  /** The servers share a port with whoever listens there, so that either may answer. */
  private boolean areFree() {
    for (int rank = 0; rank < WORLD; rank++) {
      try (ServerSocket free = new ServerSocket()) {
        free.setReuseAddress(true);
        free.bind(new InetSocketAddress(port + rank));
      } catch (IOException taken) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasDebugServer() throws InterruptedException {
    try {
      Process asked =
          new ProcessBuilder(PYTHON, "-c", "import torch.distributed.debug")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return asked.waitFor(60, TimeUnit.SECONDS) && asked.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @AfterEach
  void end() throws Exception {
    collectors.close();
    if (job != null) {
      List<ProcessHandle> all =
          Stream.concat(job.descendants(), Stream.of(job.toHandle())).toList();
      all.forEach(ProcessHandle::destroyForcibly);
      job.waitFor(10, TimeUnit.SECONDS);
    }
  }

  private void start(String scenario, String... more) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(PYTHON, LAB.toString(), "--scenario", scenario, "--world", "" + WORLD));
    command.addAll(List.of(more));
    command.addAll(List.of("--serve", "" + port, "--output", folder.resolve("out").toString()));
    job =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
  }

  /** Pulls until something with this cause is found. On a busy machine other ranks are slow too. */
  private CollectiveFinding found(Cause cause) throws InterruptedException {
    TorchDebugTarget target =
        new TorchDebugTarget(
            new Job("lab", List.of(), List.of()),
            IntStream.range(0, WORLD)
                .mapToObj(rank -> new Worker(rank, URI.create("http://127.0.0.1:" + (port + rank))))
                .toList(),
            List.of("gloo"),
            INTERVAL,
            Duration.ofSeconds(3),
            32 << 20,
            WORLD);
    long end = System.nanoTime() + PATIENCE.toNanos();
    try (Collector collector = collectors.collector(target)) {
      while (System.nanoTime() < end && job.isAlive()) {
        collector.collect(Instant.now().plus(INTERVAL));
        for (CollectiveFinding finding : reports.getLast().analysis().findings()) {
          if (finding.cause() == cause) {
            return finding;
          }
        }
        Thread.sleep(INTERVAL);
      }
    }
    throw new AssertionError("nothing was found; the last report: " + reports.getLast());
  }

  @Test
  void a_hung_rank_of_a_real_job_is_named_with_the_line_where_it_stands() throws Exception {
    start("hung-rank:ranks=1,step=6", "--hang-after", "60", "--limit", "120");

    CollectiveFinding finding = found(Cause.HUNG_RANK);

    assertThat(finding.ranks()).containsExactly(1);
    assertThat(finding.summary()).containsPattern("It stands in .+ \\(.+\\.py:\\d+\\)\\.$");
    assertThat(reports.getLast().analysis().victims()).containsExactly(0, 2, 3);
    assertThat(reports.stream().filter(report -> report.entries() > 0).toList())
        .as("the first pull sees it stand, the second that it still does")
        .hasSizeLessThanOrEqualTo(3);
  }

  @Test
  void a_straggler_of_a_real_job_is_named_while_the_job_runs() throws Exception {
    start("straggler:ranks=2,step=2", "--steps", "400", "--limit", "120");

    CollectiveFinding finding = found(Cause.COMPUTE_STRAGGLER);

    assertThat(finding.ranks()).containsExactly(2);
    assertThat(job.isAlive()).isTrue();
  }
}
