package io.fabrichealth.testing;

import io.fabrichealth.incident.Incidents;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;

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
    arguments.add("fabric-health.data-dir=" + dataDirectory);
    arguments.add("spring.datasource.hikari.connection-timeout=1000");
    arguments.add("spring.jpa.open-in-view=false");
    if (url != null) {
      arguments.add("spring.datasource.url=" + url);
    }
    arguments.addAll(List.of(properties));
    return new SpringApplicationBuilder(Storage.class)
        .web(WebApplicationType.NONE)
        .properties(arguments.toArray(String[]::new))
        .run();
  }

  public static Incidents incidents(ConfigurableApplicationContext context) {
    return context.getBean(Incidents.class);
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
