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
import java.util.ArrayList;
import java.util.List;

/** Makes the collectors of all targets, and holds what those of a protocol share. */
final class CollectorFactory implements AutoCloseable {
  private final SignalDictionary dictionary;
  private final InstantSource clock;
  private final SnmpMapping snmpMapping;
  private final SnmpSession snmp;
  private final PrometheusCollectors prometheus;

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

  List<Collector> create(Settings settings) {
    List<Collector> collectors = new ArrayList<>();
    for (SnmpTarget target : settings.snmp()) {
      collectors.add(new SnmpCollector(target, snmp, dictionary, snmpMapping, clock));
    }
    for (PrometheusTarget target : settings.prometheus()) {
      collectors.add(prometheus.collector(target));
    }
    return collectors;
  }

  @Override
  public void close() {
    prometheus.close();
    snmp.close();
  }
}
