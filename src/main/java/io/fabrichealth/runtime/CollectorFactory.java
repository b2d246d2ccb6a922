package io.fabrichealth.runtime;

import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.prometheus.PrometheusCollectors;
import io.fabrichealth.collect.prometheus.PrometheusTarget;
import io.fabrichealth.collect.snmp.SnmpCollector;
import io.fabrichealth.collect.snmp.SnmpMapping;
import io.fabrichealth.collect.snmp.SnmpSession;
import io.fabrichealth.collect.snmp.SnmpTarget;
import io.fabrichealth.signal.SignalDictionary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the collectors of all targets, and holds what those of a protocol share. */
final class CollectorFactory implements AutoCloseable {
  private final SignalDictionary dictionary;
  private final InstantSource clock;
  private final SnmpMapping snmpMapping;
  private final SnmpSession snmp;
  private final PrometheusCollectors prometheus;

  /** By target: one that did not change goes on with what its collector has learnt. */
  private Map<Object, Collector> created = Map.of();

  CollectorFactory(SignalDictionary dictionary, InstantSource clock) {
    this.dictionary = dictionary;
    this.clock = clock;
    snmpMapping = SnmpMapping.load(dictionary);
    prometheus = PrometheusCollectors.shipped(dictionary, clock);
    try {
      snmp = SnmpSession.open();
    } catch (IOException e) {
      throw new UncheckedIOException("no socket for SNMP", e);
    }
  }

  /** The collectors of these targets; the same ones as before where the target is the same. */
  synchronized List<Collector> create(Settings settings) {
    Map<Object, Collector> collectors = new LinkedHashMap<>();
    for (SnmpTarget target : settings.snmp()) {
      Collector known = created.get(target);
      collectors.put(
          target,
          known != null ? known : new SnmpCollector(target, snmp, dictionary, snmpMapping, clock));
    }
    for (PrometheusTarget target : settings.prometheus()) {
      Collector known = created.get(target);
      collectors.put(target, known != null ? known : prometheus.collector(target));
    }
    created = collectors;
    return List.copyOf(collectors.values());
  }

  @Override
  public void close() {
    prometheus.close();
    snmp.close();
  }
}
