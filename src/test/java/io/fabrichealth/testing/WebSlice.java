package io.fabrichealth.testing;

import io.fabrichealth.OpenApiConfiguration;
import io.fabrichealth.WebConfiguration;
import io.fabrichealth.collect.jobs.JobLimits;
import io.fabrichealth.collect.push.PushReceiver;
import io.fabrichealth.runtime.JobDesk;
import io.fabrichealth.runtime.LiveJobs;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.runtime.TopologyPlan;
import io.fabrichealth.signal.SignalDictionary;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;
import org.springframework.util.unit.DataSize;

/** What answers people, over {@link SampleFabric}: no collectors, no engine, no database. */
@SpringBootConfiguration
@EnableAutoConfiguration(
    exclude = {
      DataSourceAutoConfiguration.class,
      HibernateJpaAutoConfiguration.class,
      FlywayAutoConfiguration.class
    })
// What one test adds to the slice is of that test alone.
@ComponentScan(
    basePackages = {"io.fabrichealth.api", "io.fabrichealth.metrics"},
    excludeFilters = @ComponentScan.Filter(TestConfiguration.class))
@Import({WebConfiguration.class, OpenApiConfiguration.class})
public class WebSlice {
  public static final Instant AT = Instant.parse("2026-03-01T12:00:00Z");

  @Bean
  Clock clock() {
    return Clock.fixed(AT.plusSeconds(3), ZoneOffset.UTC);
  }

  @Bean
  SampleFabric sampleFabric() {
    return new SampleFabric(AT);
  }

  @Bean
  TopologyPlan topologyPlan() throws IOException {
    return TopologyPlan.open(Files.createTempDirectory("plan"), null);
  }

  @Bean
  FakeIncidents incidents(SampleFabric fabric) {
    return new FakeIncidents(fabric.incidents());
  }

  @Bean
  SignalDictionary signalDictionary() {
    return SignalCatalogue.load();
  }

  @Bean
  FakeIngest ingest() {
    return new FakeIngest();
  }

  @Bean
  FakeJobStore jobStore() {
    return new FakeJobStore();
  }

  @Bean
  FakeJobIntake intake() {
    return new FakeJobIntake();
  }

  @Bean
  FakeLatencyDesk latencyDesk() {
    return new FakeLatencyDesk();
  }

  @Bean
  LiveJobs liveJobs() {
    return new LiveJobs();
  }

  @Bean
  JobDesk jobDesk(
      FakeJobStore store,
      FakeJobIntake intake,
      Clock clock,
      @Value("${fabric-health.jobs.max-upload:1GB}") DataSize upload)
      throws IOException {
    return new JobDesk(
        Files.createTempDirectory("uploads"),
        store,
        intake,
        clock,
        new JobDesk.Limits(upload.toBytes(), new JobLimits(20_000, 64 << 20, 1L << 30), 5_000_000));
  }

  @Bean(destroyMethod = "close")
  PushReceiver pushReceiver(
      SignalDictionary dictionary, Clock clock, FakeIngest ingest, MeterRegistry meters) {
    return new PushReceiver(dictionary, clock, ingest::offer, meters);
  }
}
