package io.fabrichealth.runtime;

import io.fabrichealth.collect.jobs.JobLimits;
import io.fabrichealth.collect.push.PushReceiver;
import io.fabrichealth.detect.Detectors;
import io.fabrichealth.engine.Engine;
import io.fabrichealth.incident.Incidents;
import io.fabrichealth.incident.Outbox;
import io.fabrichealth.notify.Courier;
import io.fabrichealth.notify.ReceiverList;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.store.EngineSnapshots;
import io.fabrichealth.store.Inventory;
import io.fabrichealth.store.JobStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.dao.DataAccessException;

/** The service's live part, wired by hand: its classes know nothing of Spring. */
@Configuration(proxyBeanMethods = false)
class RuntimeConfiguration {
  private static final Logger log = LoggerFactory.getLogger(RuntimeConfiguration.class);
  private static final int MOST_UPLOADED_FILES = 20_000;
  private static final int MOST_DUMP_BYTES = 256 << 20;

  @Bean
  SignalDictionary signalDictionary() {
    return SignalCatalogue.load();
  }

  @Bean
  Engine engine(SignalDictionary dictionary, Settings settings) {
    return new Engine(dictionary, Detectors.standard(dictionary, settings.thresholds()));
  }

  @Bean
  LiveJobs liveJobs() {
    return new LiveJobs();
  }

  @Bean(destroyMethod = "close")
  CollectorFactory collectorFactory(SignalDictionary dictionary, Clock clock, LiveJobs liveJobs) {
    return new CollectorFactory(dictionary, clock, liveJobs);
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

  @Bean
  ReceiverList receiverList(Settings settings) {
    return new ReceiverList(settings.receivers());
  }

  @Bean
  SettingsListener receiversFollowSettings(ReceiverList receivers) {
    return changed -> receivers.replace(changed.receivers());
  }

  @Bean(initMethod = "start")
  Courier courier(
      Outbox outbox,
      Incidents incidents,
      ReceiverList receivers,
      Clock clock,
      MeterRegistry meters) {
    return new Courier(outbox, incidents, receivers, clock, meters);
  }

  @Bean
  JobDesk jobDesk(Settings settings, JobStore store, JobIntake engine, Clock clock) {
    return new JobDesk(
        settings.dataDir().resolve("uploads"), store, engine, clock, limits(settings));
  }

  private static JobDesk.Limits limits(Settings settings) {
    SettingsJobs limits = settings.uploads();
    return new JobDesk.Limits(
        limits.maxUpload(),
        new JobLimits(MOST_UPLOADED_FILES, MOST_DUMP_BYTES, limits.maxUnpacked()),
        limits.maxKeptEntries());
  }

  @Bean
  SettingsListener jobLimits(JobDesk jobs) {
    return changed -> jobs.limit(limits(changed));
  }

  @Bean
  JobDirectoryWatch jobDirectoryWatch(
      JobDesk jobs, Clock clock, Settings settings, MeterRegistry meters) {
    return new JobDirectoryWatch(jobs, clock, settings.dataDir().resolve("watched-jobs"), meters);
  }

  /** The engine learns anew of the jobs that ran before the restart; then more is looked for. */
  @Bean
  ApplicationListener<ApplicationReadyEvent> knownJobs(
      JobDesk jobs, JobDirectoryWatch watch, Settings settings) {
    return ready -> {
      try {
        jobs.tellRosters();
      } catch (DataAccessException e) {
        log.warn("rosters=unread effect=\"jobs are known again when they are sent\"", e);
      }
      watch.start(settings);
    };
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
