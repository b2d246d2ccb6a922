package io.fabrichealth.runtime;

/** Is told of new settings while the service runs. */
public interface SettingsListener {

  /** The files changed and are valid; these settings replace the former ones. */
  void changed(Settings settings);
}
