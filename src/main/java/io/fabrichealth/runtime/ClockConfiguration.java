package io.fabrichealth.runtime;

import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The one place that asks the system for the time; everything else is given a clock. */
@Configuration(proxyBeanMethods = false)
public class ClockConfiguration {

  /** The system's time, for commands that run without the service. */
  public static Clock system() {
    return Clock.systemUTC();
  }

  @Bean
  public Clock clock() {
    return system();
  }
}
