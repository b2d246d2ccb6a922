package io.fabrichealth.runtime;

import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Reads the settings before any bean is made, so that a wrong configuration stops the start at once
 * and before anything is touched.
 */
public final class SettingsInitializer
    implements ApplicationContextInitializer<ConfigurableApplicationContext> {

  @Override
  public void initialize(ConfigurableApplicationContext context) {
    SettingsLoader loader = SettingsLoader.of(context.getEnvironment());
    context.getBeanFactory().registerSingleton("settings", loader.load());
    context.getBeanFactory().registerSingleton("settingsLoader", loader);
  }
}
