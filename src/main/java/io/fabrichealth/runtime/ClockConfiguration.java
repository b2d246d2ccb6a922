package io.fabrichealth.runtime;

import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The one place that asks the system for the time; everything else is given a clock. */
@Configuration(proxyBeanMethods = false)
public class ClockConfiguration {

  @Bean
  public Clock clock() {
    return Clock.systemUTC();
  }
}
