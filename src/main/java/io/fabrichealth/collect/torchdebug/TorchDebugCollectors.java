package io.fabrichealth.collect.torchdebug;

import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.prometheus.PageClient;
import java.time.InstantSource;

/** Makes the collectors of all jobs, and holds their connections. To be closed after the last. */
public final class TorchDebugCollectors implements AutoCloseable {
  private final InstantSource clock;
  private final LiveReport.Sink sink;
  private final PageClient client = new PageClient();

  /**
   * @param sink is told what each pull says of its job, from the collector's thread
   */
  public TorchDebugCollectors(InstantSource clock, LiveReport.Sink sink) {
    this.clock = clock;
    this.sink = sink;
  }

  public Collector collector(TorchDebugTarget target) {
    return new TorchDebugCollector(target, client, clock, sink);
  }

  @Override
  public void close() {
    client.close();
  }
}
