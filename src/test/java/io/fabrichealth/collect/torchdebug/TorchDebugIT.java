package io.fabrichealth.collect.torchdebug;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.torchdebug.TorchDebugTarget.Worker;
import io.fabrichealth.collective.CollectiveFinding;
import io.fabrichealth.collective.Job;
import io.fabrichealth.finding.Cause;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Asks the debug servers of a real job of PyTorch. */
class TorchDebugIT {
  private static final int WORLD = 4;
  private static final Duration INTERVAL = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(100);

  @TempDir private Path folder;
  private final List<LiveReport> reports = new ArrayList<>();
  private final TorchDebugCollectors collectors =
      new TorchDebugCollectors(InstantSource.system(), reports::add);
  private RealJob job;

  @BeforeEach
  void require() throws Exception {
    String missing = RealJob.missing();
    assumeTrue(missing.isEmpty(), () -> "skipped: " + missing);
  }

  @AfterEach
  void end() {
    collectors.close();
    if (job != null) {
      job.close();
    }
  }

  /** Pulls until something with this cause is found. On a busy machine other ranks are slow too. */
  private CollectiveFinding found(Cause cause) throws InterruptedException {
    TorchDebugTarget target =
        new TorchDebugTarget(
            new Job("lab", List.of(), List.of()),
            IntStream.range(0, WORLD).mapToObj(rank -> new Worker(rank, job.url(rank))).toList(),
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
    job =
        RealJob.start(
            folder, WORLD, "hung-rank:ranks=1,step=6", "--hang-after", "60", "--limit", "120");

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
    job =
        RealJob.start(
            folder, WORLD, "straggler:ranks=2,step=2", "--steps", "400", "--limit", "120");

    CollectiveFinding finding = found(Cause.COMPUTE_STRAGGLER);

    assertThat(finding.ranks()).containsExactly(2);
    assertThat(job.isAlive()).isTrue();
  }
}
