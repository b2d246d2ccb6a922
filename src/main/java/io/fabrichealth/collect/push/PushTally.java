package io.fabrichealth.collect.push;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;

/** Counts what is pushed under one protocol; written by one thread at a time. */
final class PushTally {
  private final Counter samples;
  private final Counter scrapes;
  private final Counter evicted;
  private final Map<Refusal, Counter> refused = new EnumMap<>(Refusal.class);
  private final long[] refusals = new long[Refusal.values().length];
  private final String protocol;
  private final MeterRegistry meters;
  private long taken;

  PushTally(String protocol, MeterRegistry meters) {
    this.protocol = protocol;
    this.meters = meters;
    samples =
        Counter.builder("fabric.health.push.samples")
            .description("Samples that were pushed and taken")
            .tag("protocol", protocol)
            .register(meters);
    scrapes =
        Counter.builder("fabric.health.push.scrapes")
            .description("Scrapes that were put together of samples that were pushed")
            .tag("protocol", protocol)
            .register(meters);
    evicted =
        Counter.builder("fabric.health.push.evicted")
            .description("Scrapes that were ended early for want of memory")
            .tag("protocol", protocol)
            .register(meters);
    for (Refusal why : Refusal.values()) {
      refused.put(
          why,
          Counter.builder("fabric.health.push.refused")
              .description("Samples that were pushed and not taken")
              .tag("protocol", protocol)
              .tag("reason", why.tag())
              .register(meters));
    }
  }

  /** Shows how many exporters and samples are held. */
  void show(Scrapes scrapes) {
    Gauge.builder("fabric.health.push.exporters", scrapes, Scrapes::size)
        .description("Exporters whose samples are pushed")
        .tag("protocol", protocol)
        .register(meters);
    Gauge.builder("fabric.health.push.waiting", scrapes, Scrapes::waiting)
        .description("Samples that wait for the rest of their scrape")
        .tag("protocol", protocol)
        .register(meters);
  }

  void taken() {
    taken++;
  }

  void refused(Refusal why, long count) {
    refusals[why.ordinal()] += count;
  }

  void scrape() {
    scrapes.increment();
  }

  void evicted() {
    evicted.increment();
  }

  /** How many were refused since the last {@link #flush}. */
  long refused(Refusal why) {
    return refusals[why.ordinal()];
  }

  /** Shows what was counted since the last time. */
  void flush() {
    samples.increment(taken);
    taken = 0;
    refused.forEach(
        (why, counter) -> {
          if (refusals[why.ordinal()] > 0) {
            counter.increment(refusals[why.ordinal()]);
            refusals[why.ordinal()] = 0;
          }
        });
  }
}
