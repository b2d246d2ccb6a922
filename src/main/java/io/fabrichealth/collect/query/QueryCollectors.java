package io.fabrichealth.collect.query;

import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.prometheus.MetricMapping;
import io.fabrichealth.collect.prometheus.PageClient;
import io.fabrichealth.signal.SignalDictionary;
import java.time.InstantSource;

/**
 * Makes the collectors of all databases, and holds what they share: connections and mapping. To be
 * closed after the last of them.
 */
public final class QueryCollectors implements AutoCloseable {
  private final MetricMapping mapping;
  private final InstantSource clock;
  private final PageClient client = new PageClient();

  public QueryCollectors(MetricMapping mapping, InstantSource clock) {
    this.mapping = mapping;
    this.clock = clock;
  }

  /** With the mapping that ships with the service. */
  public static QueryCollectors shipped(SignalDictionary dictionary, InstantSource clock) {
    return new QueryCollectors(MetricMapping.load(dictionary), clock);
  }

  public Collector collector(QueryTarget target) {
    return new QueryCollector(target, client, mapping, clock);
  }

  @Override
  public void close() {
    client.close();
  }
}
