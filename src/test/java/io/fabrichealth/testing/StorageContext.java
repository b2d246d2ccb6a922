package io.fabrichealth.testing;

import io.fabrichealth.incident.Incidents;
import io.fabrichealth.incident.Receivers;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.support.GenericApplicationContext;

/** The service's storage without the rest of it: started and ended like the service. */
public final class StorageContext {

  private StorageContext() {}

  /**
   * Starts it.
   *
   * @param url null for the embedded database
   * @param properties more, as {@code key=value}
   */
  public static ConfigurableApplicationContext start(
      Path dataDirectory, String url, String... properties) {
    List<String> arguments = new ArrayList<>();
    arguments.add("--fabric-health.data-dir=" + dataDirectory);
    arguments.add("--spring.datasource.hikari.connection-timeout=1000");
    if (url != null) {
      arguments.add("--spring.datasource.url=" + url);
    }
    Stream.of(properties).map("--"::concat).forEach(arguments::add);
    return new SpringApplicationBuilder(Storage.class)
        .web(WebApplicationType.NONE)
        .run(arguments.toArray(String[]::new));
  }

  /** The same, whose outbox is filled for these receivers. */
  public static ConfigurableApplicationContext startTelling(
      Path dataDirectory, String url, Receivers receivers) {
    return new SpringApplicationBuilder(Storage.class)
        .web(WebApplicationType.NONE)
        .initializers(
            context ->
                ((GenericApplicationContext) context)
                    .registerBean(Receivers.class, () -> receivers))
        .run("--fabric-health.data-dir=" + dataDirectory, "--spring.datasource.url=" + url);
  }

  public static Incidents incidents(ConfigurableApplicationContext context) {
    return context.getBean(Incidents.class);
  }

  /** Waits until the database has everything; fails after half a minute. */
  public static void awaitWritten(ConfigurableApplicationContext context) {
    Gauge waiting =
        context.getBean(MeterRegistry.class).get("fabric.incident.journal.entries").gauge();
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (waiting.value() > 0) {
      if (System.nanoTime() > end) {
        throw new AssertionError(waiting.value() + " incidents still wait for the database");
      }
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
  }

  // No configuration by annotation, so that the service's own scan does not find it.
  @EnableAutoConfiguration
  @AutoConfigurationPackage(basePackages = "io.fabrichealth")
  @ComponentScan({"io.fabrichealth.store", "io.fabrichealth.incident"})
  static class Storage {
    @Bean
    InstantSource clock() {
      return InstantSource.system();
    }
  }
}
