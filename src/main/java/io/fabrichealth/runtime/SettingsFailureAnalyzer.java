package io.fabrichealth.runtime;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what is wrong with the configuration when the service cannot start for it. */
public final class SettingsFailureAnalyzer extends AbstractFailureAnalyzer<SettingsException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, SettingsException cause) {
    return new FailureAnalysis(
        "The configuration is wrong:\n\n" + cause.getMessage(),
        "Correct the lines above; 'check-config' checks a file without starting the service.",
        cause);
  }
}
