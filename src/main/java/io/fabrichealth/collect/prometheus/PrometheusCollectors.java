package io.fabrichealth.collect.prometheus;

import io.fabrichealth.collect.Collector;
import io.fabrichealth.signal.SignalDictionary;
import java.time.InstantSource;

/**
 * Makes the collectors of all exporters, and holds what they share: connections, mapping, buffers.
 * To be closed after the last of them.
 */
public final class PrometheusCollectors implements AutoCloseable {
  private final MetricMapping mapping;
  private final InstantSource clock;
  private final PagePool pages;
  private final ExporterClient client = new ExporterClient();

  public PrometheusCollectors(MetricMapping mapping, InstantSource clock) {
    this.mapping = mapping;
    this.clock = clock;
    pages = new PagePool(mapping);
  }

  /** With the mapping that ships with the service. */
  public static PrometheusCollectors shipped(SignalDictionary dictionary, InstantSource clock) {
    return new PrometheusCollectors(MetricMapping.load(dictionary), clock);
  }

  public Collector collector(PrometheusTarget target) {
    return new PrometheusCollector(target, client, pages, mapping, clock);
  }

  @Override
  public void close() {
    client.close();
  }
}
