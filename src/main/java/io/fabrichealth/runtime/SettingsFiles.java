package io.fabrichealth.runtime;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/**
 * Checks that the configuration files are well-formed before Spring Boot reads them, because what
 * it says of one that is not does not name the file.
 */
public final class SettingsFiles implements EnvironmentPostProcessor, Ordered {

  @Override
  public int getOrder() {
    return ConfigDataEnvironmentPostProcessor.ORDER - 1;
  }

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    check(environment);
  }

  /**
   * Reads the files that are named and exist.
   *
   * @throws SettingsException for the first that is malformed
   */
  static void check(Environment environment) {
    for (Path file : named(environment)) {
      if (Files.isRegularFile(file) && !file.toString().endsWith(".properties")) {
        SettingsDocument.check(file);
      }
    }
  }

  /** The files that {@link SettingsLoader#LOCATION} names, whether they exist or not. */
  static Set<Path> named(Environment environment) {
    Set<Path> files = new LinkedHashSet<>();
    for (String location : environment.getProperty(SettingsLoader.LOCATION, "").split("[,;]", -1)) {
      String path = location.strip().replaceFirst("^optional:", "").replaceFirst("^file:", "");
      if (path.matches(".+\\.(ya?ml|properties)") && !path.startsWith("classpath:")) {
        addIfPath(files, path);
      }
    }
    return files;
  }

  private static void addIfPath(Set<Path> files, String path) {
    try {
      files.add(Path.of(path).toAbsolutePath().normalize());
    } catch (InvalidPathException e) {
      // Spring Boot refuses it, and says why.
      return;
    }
  }
}
