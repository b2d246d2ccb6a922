package io.fabrichealth.cli;

import io.fabrichealth.runtime.SettingsLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.springframework.boot.SpringApplication;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Unmatched;

/** Starts the service. Whatever stops the start is said on the log, and the exit code is 2. */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    customSynopsis = "fabric-health [serve] [--<property>=<value>...]",
    description = {
      "Starts the service: reads the fabric, answers on 127.0.0.1:8080.",
      "",
      "Reads config/fabric-health.yaml where it exists. Any property may be given:",
      "  --spring.profiles.active=demo              a simulated fabric on loopback",
      "  --spring.config.additional-location=FILE   another configuration file",
      "  --server.port=PORT                         another port"
    })
final class ServeCommand implements Callable<Integer> {
  private final Class<?> application;

  @Unmatched private List<String> properties = new ArrayList<>();

  ServeCommand(Class<?> application) {
    this.application = application;
  }

  @Override
  public Integer call() {
    SpringApplication service = new SpringApplication(application);
    service.setDefaultProperties(
        Map.of(SettingsLoader.LOCATION, "optional:file:./" + SettingsLoader.DEFAULT_FILE));
    try {
      service.run(properties.toArray(String[]::new));
      return ExitCode.OK;
    } catch (RuntimeException e) {
      // Spring Boot has told it on the log, by a failure analysis where it knows the reason.
      return ExitCode.USAGE;
    }
  }
}
