package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.infiniband.InfinibandTarget.Saved;
import io.fabrichealth.collect.infiniband.InfinibandTarget.Tools;
import io.fabrichealth.signal.SignalDictionary;
import java.time.InstantSource;

/** Makes the collectors of InfiniBand subnets. */
public final class InfinibandCollectors implements AutoCloseable {
  private final PortSignals signals;
  private final InstantSource clock;
  private final ToolRunner runner;

  InfinibandCollectors(SignalDictionary dictionary, InstantSource clock, ToolRunner runner) {
    this.clock = clock;
    this.runner = runner;
    signals = new PortSignals(dictionary);
  }

  /** With the tools of this machine. */
  public static InfinibandCollectors shipped(SignalDictionary dictionary, InstantSource clock) {
    return new InfinibandCollectors(dictionary, clock, new LocalTools(System.getenv()));
  }

  public Collector collector(InfinibandTarget target) {
    SubnetSource source =
        switch (target.source()) {
          case Tools tools -> new ToolsSource(target, tools, runner, signals, clock);
          case Saved saved -> new SavedSource(target, saved, signals);
        };
    return new InfinibandCollector(target, source, clock);
  }

  @Override
  public void close() {
    // A tool runs as long as its collector, and ends with it.
  }
}
