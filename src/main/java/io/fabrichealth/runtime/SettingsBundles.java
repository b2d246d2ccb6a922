package io.fabrichealth.runtime;

import io.fabrichealth.collect.gnmi.GnmiTarget;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;

/**
 * The TLS bundles of Spring Boot ({@code spring.ssl.bundle.pem}) that targets name, as the files
 * that they consist of: a connection reads them again when they change.
 */
final class SettingsBundles {
  private static final String PREFIX = "spring.ssl.bundle.pem.";
  private static final String AUTHORITY = ".truststore.certificate";
  private static final String CERTIFICATE = ".keystore.certificate";
  private static final String KEY = ".keystore.private-key";
  private static final String KEY_PASSWORD = ".keystore.private-key-password";

  private final ConfigurableEnvironment environment;

  SettingsBundles(ConfigurableEnvironment environment) {
    this.environment = environment;
  }

  /**
   * The files of a bundle; null, and a problem, where there is no such bundle.
   *
   * @param serverName that the certificate of the other side must hold
   */
  GnmiTarget.@Nullable Tls tls(String bundle, @Nullable String serverName, SettingsEntry entry) {
    Set<String> known = names();
    if (!known.contains(bundle)) {
      entry.reject(
          "tls",
          SettingsNames.unknown("bundle", bundle, known),
          "a name under " + PREFIX.substring(0, PREFIX.length() - 1) + ", or system");
      return null;
    }
    if (environment.getProperty(PREFIX + bundle + KEY_PASSWORD) != null) {
      entry.reject("tls", "the key of bundle '" + bundle + "' is encrypted", "a plain PEM file");
    }
    String certificate = file(bundle, CERTIFICATE, entry);
    String key = file(bundle, KEY, entry);
    if ((certificate == null) != (key == null)) {
      entry.reject(
          "tls",
          "bundle '" + bundle + "' has one of keystore.certificate and keystore.private-key",
          "both or neither");
    }
    return new GnmiTarget.Tls(file(bundle, AUTHORITY, entry), certificate, key, serverName);
  }

  private @Nullable String file(String bundle, String key, SettingsEntry entry) {
    String written = environment.getProperty(PREFIX + bundle + key);
    if (written == null) {
      return null;
    }
    String problem = "bundle '" + bundle + "': " + key.substring(1);
    try {
      Path path = Path.of(written.strip().replaceFirst("^file:(//)?", "")).toAbsolutePath();
      if (Files.isReadable(path) && Files.isRegularFile(path)) {
        return path.normalize().toString();
      }
    } catch (InvalidPathException e) {
      entry.reject("tls", problem + " is no path", "the path of a PEM file");
      return null;
    }
    // What stands there may be the key itself.
    entry.reject("tls", problem + " names no file that can be read", "the path of a PEM file");
    return null;
  }

  private Set<String> names() {
    Set<String> names = new TreeSet<>();
    for (PropertySource<?> source : environment.getPropertySources()) {
      if (source instanceof EnumerablePropertySource<?> properties) {
        for (String name : properties.getPropertyNames()) {
          if (name.startsWith(PREFIX)) {
            names.add(name.substring(PREFIX.length()).split("\\.", 2)[0]);
          }
        }
      }
    }
    return names;
  }
}
