package io.fabrichealth.collect.torchdebug;

import io.fabrichealth.collective.Job;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * A running job whose ranks answer as {@code torch.distributed.debug.start_debug_server} makes them
 * do.
 *
 * @param job its roster; with its name
 * @param workers where each rank listens, by rank
 * @param backends whose recorders are asked for: {@code nccl}, {@code gloo}
 * @param interval from one pull to the next
 * @param timeout for one answer
 * @param maxBytes largest answer after decompression
 * @param parallel ranks that are asked at once
 */
public record TorchDebugTarget(
    Job job,
    List<Worker> workers,
    List<String> backends,
    Duration interval,
    Duration timeout,
    long maxBytes,
    int parallel) {
  public TorchDebugTarget {
    workers = List.copyOf(workers);
    backends = List.copyOf(backends);
  }

  /**
   * The server of a rank.
   *
   * @param url without {@code /handler/}
   */
  public record Worker(int rank, URI url) {}

  public String name() {
    return job.name();
  }
}
