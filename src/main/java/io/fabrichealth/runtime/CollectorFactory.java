package io.fabrichealth.runtime;

import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.ReadingBudget;
import io.fabrichealth.collect.gnmi.GnmiCollectors;
import io.fabrichealth.collect.gnmi.GnmiTarget;
import io.fabrichealth.collect.infiniband.InfinibandCollectors;
import io.fabrichealth.collect.prometheus.PrometheusCollectors;
import io.fabrichealth.collect.query.QueryCollectors;
import io.fabrichealth.collect.snmp.SnmpCollector;
import io.fabrichealth.collect.snmp.SnmpMapping;
import io.fabrichealth.collect.snmp.SnmpSession;
import io.fabrichealth.collect.snmp.SnmpTarget;
import io.fabrichealth.collect.torchdebug.TorchDebugCollectors;
import io.fabrichealth.collect.torchdebug.TorchDebugTarget;
import io.fabrichealth.signal.SignalDictionary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes the collectors of all targets, and holds what those of a protocol share. */
final class CollectorFactory implements AutoCloseable {
  private final SignalDictionary dictionary;
  private final InstantSource clock;
  private final SnmpMapping snmpMapping;
  private final SnmpSession snmp;
  private final PrometheusCollectors prometheus;

  /** Event loops and profiles, once there is a target of that kind. */
  private @Nullable GnmiCollectors gnmi;

  private final InfinibandCollectors infiniband;
  private final QueryCollectors queries;
  private final LiveJobs liveJobs;
  private final TorchDebugCollectors jobs;

  /** By target: one that did not change goes on with what its collector has learnt. */
  private Map<Object, Collector> created = Map.of();

  /**
   * @param liveJobs is told what running jobs say
   */
  CollectorFactory(SignalDictionary dictionary, InstantSource clock, LiveJobs liveJobs) {
    this.dictionary = dictionary;
    this.clock = clock;
    this.liveJobs = liveJobs;
    snmpMapping = SnmpMapping.load(dictionary);
    prometheus = PrometheusCollectors.shipped(dictionary, clock);
    infiniband = InfinibandCollectors.shipped(dictionary, clock);
    queries = QueryCollectors.shipped(dictionary, clock);
    jobs = new TorchDebugCollectors(clock, liveJobs);
    try {
      snmp = SnmpSession.open();
    } catch (IOException e) {
      throw new UncheckedIOException("no socket for SNMP", e);
    }
  }

  /** The collectors of these targets; the same ones as before where the target is the same. */
  synchronized List<Collector> create(Settings settings) {
    Map<Object, Collector> collectors = new LinkedHashMap<>();
    add(collectors, settings.snmp(), this::snmp);
    add(collectors, settings.prometheus(), prometheus::collector);
    add(collectors, settings.gnmi(), this::gnmi);
    add(collectors, settings.infiniband(), infiniband::collector);
    add(collectors, settings.queries(), queries::collector);
    add(collectors, settings.jobs(), jobs::collector);
    liveJobs.retain(
        settings.jobs().stream().map(TorchDebugTarget::name).collect(Collectors.toSet()));
    created = collectors;
    return List.copyOf(collectors.values());
  }

  private <T> void add(
      Map<Object, Collector> collectors, List<T> targets, Function<T, Collector> make) {
    for (T target : targets) {
      Collector known = created.get(target);
      collectors.put(target, known == null ? make.apply(target) : known);
    }
  }

  /** What a pass over a device may bring. */
  ReadingBudget budget(Settings settings) {
    return new ReadingBudget(dictionary, settings.maxReadingsPerDevice());
  }

  private Collector snmp(SnmpTarget target) {
    return new SnmpCollector(target, snmp, dictionary, snmpMapping, clock);
  }

  private Collector gnmi(GnmiTarget target) {
    if (gnmi == null) {
      gnmi = GnmiCollectors.shipped(dictionary, clock);
    }
    return gnmi.collector(target);
  }

  @Override
  public synchronized void close() {
    jobs.close();
    queries.close();
    infiniband.close();
    if (gnmi != null) {
      gnmi.close();
    }
    prometheus.close();
    snmp.close();
  }
}
