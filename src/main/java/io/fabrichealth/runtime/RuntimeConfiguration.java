package io.fabrichealth.runtime;

import io.fabrichealth.collect.push.PushReceiver;
import io.fabrichealth.detect.Detectors;
import io.fabrichealth.engine.Engine;
import io.fabrichealth.incident.Incidents;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.store.EngineSnapshots;
import io.fabrichealth.store.Inventory;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.function.UnaryOperator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;

/** The service's live part, wired by hand: its classes know nothing of Spring. */
@Configuration(proxyBeanMethods = false)
class RuntimeConfiguration {

  @Bean
  SignalDictionary signalDictionary() {
    return SignalCatalogue.load();
  }

  @Bean
  Engine engine(SignalDictionary dictionary, Settings settings) {
    return new Engine(dictionary, Detectors.standard(dictionary, settings.thresholds()));
  }

  @Bean(destroyMethod = "close")
  CollectorFactory collectorFactory(SignalDictionary dictionary, Clock clock) {
    return new CollectorFactory(dictionary, clock);
  }

  @Bean
  LiveJobs liveJobs(CollectorFactory collectors) {
    return collectors.liveJobs();
  }

  @Bean
  EngineStorage engineStorage(
      EngineSnapshots snapshots,
      Inventory inventory,
      Incidents incidents,
      Engine engine,
      MeterRegistry meters) {
    return new EngineStorage(snapshots, inventory, incidents, engine, meters);
  }

  @Bean
  TopologyPlan topologyPlan(Settings settings) {
    return TopologyPlan.open(settings);
  }

  @Bean
  LiveLoop liveLoop(
      Clock clock,
      Engine engine,
      Incidents incidents,
      EngineStorage storage,
      CollectorFactory collectors,
      Settings settings,
      ObjectProvider<DemoTargets> demo,
      TopologyPlan plans,
      MeterRegistry meters) {
    DemoTargets targets = demo.getIfAvailable();
    return new LiveLoop(
        clock,
        engine,
        incidents,
        storage,
        collectors,
        settings,
        targets == null ? UnaryOperator.identity() : targets::addTo,
        plans,
        meters);
  }

  /** Ends the receiver while the loop still takes what it hands on. */
  @Bean
  ApplicationListener<ContextClosedEvent> pushEnd(PushReceiver receiver) {
    return closed -> receiver.close();
  }

  @Bean(destroyMethod = "")
  PushReceiver pushReceiver(
      SignalDictionary dictionary, Clock clock, Ingest ingest, MeterRegistry meters) {
    return new PushReceiver(dictionary, clock, ingest::offer, meters);
  }
}
