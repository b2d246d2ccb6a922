package io.fabrichealth.runtime;

import io.fabrichealth.simulate.DemoFabric;
import io.fabrichealth.simulate.DemoScript;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/** A simulated fabric on loopback, read by the same collectors as a real one. */
@Configuration(proxyBeanMethods = false)
@Profile("demo")
class DemoConfiguration {
  @Bean(destroyMethod = "close")
  DemoFabric demoFabric(Clock clock) {
    return DemoFabric.start(DemoScript.standard(), Demo.SEED, clock);
  }

  @Bean
  DemoTargets demoTargets(DemoFabric fabric) {
    return new DemoTargets(fabric);
  }
}
